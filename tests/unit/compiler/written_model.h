// What the model compiler writes of a model of a few lines, for tests.

#ifndef ZENOFMU_TESTS_WRITTEN_MODEL_H
#define ZENOFMU_TESTS_WRITTEN_MODEL_H

#include "write.h"

typedef void (*writer)(const model_file *model, const model_equations *equations, const variable_table *variables,
                       text *out);

// What is written of a good model; the caller frees it.
char *written(const char *content, writer write);
// Writers of FMI's description and of the C source, both with the GUID "{guid}".
void describe(const model_file *model, const model_equations *equations, const variable_table *variables, text *out);
void write_source(const model_file *model, const model_equations *equations, const variable_table *variables,
                  text *out);

void assert_contains(const char *document, const char *part);
void assert_lacks(const char *document, const char *part);
void assert_well_formed(const char *document);

// Fails the test unless the FMI description says in `list`, "Outputs" or "InitialUnknowns", that the variable `name`
// depends on exactly these variables, "Fx u", in the order of the description.
void assert_dependencies(const char *description, const char *list, const char *name, const char *expected);

#endif
