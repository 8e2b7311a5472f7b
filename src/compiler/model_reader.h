// What the files that read a model share: first all names are declared, then the expressions are read, so that a name
// may be used before its declaration.

#ifndef ZENOFMU_MODEL_READER_H
#define ZENOFMU_MODEL_READER_H

#include <libxml/tree.h>

#include "model_file.h"
#include "names.h"

typedef struct model_reader {
    model_file *model;
    name_space names, modes;
    const xmlNode *root;
    diagnostics *d;
} model_reader;

// Calls the function of the row whose element `node` is; elements without a row are left to another table.
typedef struct element_reader {
    const char *element;
    void (*read)(model_reader *r, xmlNode *node);
} element_reader;
void read_elements(model_reader *r, const xmlNode *parent, const element_reader *table, int count); // (model_file.c)

// Helpers. (read_attributes.c)
int reader_line(const xmlNode *node);
// The line of the first sibling before `node` that is the same element with the same value of the attribute; 0: none.
int reader_line_before(model_reader *r, const xmlNode *node, const char *attribute);
// "parameter 'm'", "generalizedForce on 'x'", "transition to 'flight'": how messages call an element.
const char *reader_describe(model_reader *r, const xmlNode *node);
// An attribute's text; NULL when it is absent.
char *reader_attribute(model_reader *r, const xmlNode *node, const char *name);
// The same, empty when it is absent; runs of blanks, as a long description has them, become one.
char *reader_text(model_reader *r, const xmlNode *node, const char *name);
// An attribute's number; `otherwise` when it is absent, NaN when it isn't one, which is reported.
double reader_number(model_reader *r, const xmlNode *node, const char *name, double otherwise);
// Name, unit and description; the unit is checked.
quantity_text reader_about(model_reader *r, const xmlNode *node);

// What an expression may depend on: a set of symbol classes, and how messages put it.
#define IN(class) (1u << (class))
typedef struct expression_rule {
    unsigned classes; // sum of IN(class)
    const char *words;
    bool piecewise; // `if`, `min`, `max`, `abs` may be used
    bool condition; // it is one, like 'x < y'
} expression_rule;

// Parses an expression with the model's names. When it fails without a message, the reason has been reported with
// another element. (read_names.c)
expr reader_parse(const model_reader *r, const char *source, const expression_rule *rule, parse_error *error);
// The same of an element's text, or of `source`; errors are reported. `what`: "", "restitution of ".
// (read_expressions.c)
expr reader_content(model_reader *r, const xmlNode *node, const expression_rule *rule);
expr reader_expression(model_reader *r, const xmlNode *node, const char *source, const expression_rule *rule,
                       const char *what);

// Everything that has a name or a number. Leaves each element's record in its `_private`. (read_declarations.c)
void read_declarations(model_reader *r);
void read_output_name(model_reader *r, xmlNode *node);
// Everything that has an expression, and what follows from them. (read_expressions.c)
void read_expressions(model_reader *r);

// The same of a mode and what is in it. (read_modes.c)
void read_mode_declarations(model_reader *r, xmlNode *node);
void read_mode_expressions(model_reader *r, xmlNode *node);
// What modes share, and what can be told when all have been read without errors. (read_modes.c)
void finish_modes(model_reader *r);

#endif
