// What the model compiler writes of a model.

#ifndef ZENOFMU_WRITE_H
#define ZENOFMU_WRITE_H

#include "equations.h"
#include "variables.h"

// C source that defines `const zeno_model zeno_fmu_model`. (write_c.c)
void write_c(const model_file *model, const model_equations *equations, const variable_table *variables,
             const char *guid, text *out);

// FMI's modelDescription.xml. (write_description.c)
void write_description(const model_file *model, const model_equations *equations, const variable_table *variables,
                       const char *guid, text *out);

// documentation/index.html. (write_documentation.c)
void write_documentation(const model_file *model, const model_equations *equations, const variable_table *variables,
                         text *out);

// What was read, for people to check: coordinates, constraint, modes, parameters, ... (write_summary.c)
void write_summary(const model_file *model, const variable_table *variables, text *out);

// T, V, h, M, b, J and the acceleration of h, or what holds in each mode, for people to read. (write_equations.c)
void write_equations(const model_file *model, const model_equations *equations, text *out);

// An expression with the model's names; where a transition is due: "x falls through 0"; what it sets: "v = -v, n = n +
// 1". (write_equations.c)
void write_expression(const model_file *model, expr x, text *out);
void write_guard(const model_file *model, const model_transition *t, text *out);
void write_transition_resets(const model_file *model, const model_transition *t, text *out);

#endif
