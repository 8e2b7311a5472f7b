// Reads the attributes of an element: texts, numbers, units.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model_reader.h"
#include "units.h"

int reader_line(const xmlNode *node) {
    return (int)xmlGetLineNo((xmlNode *)node);
}

int reader_line_before(model_reader *r, const xmlNode *node, const char *attribute) {
    const char *value = reader_attribute(r, node, attribute);
    for (const xmlNode *other = node->parent->children; other != node; other = other->next) {
        if (other->type != XML_ELEMENT_NODE || !xmlStrEqual(other->name, node->name)) continue;
        const char *of_other = reader_attribute(r, other, attribute);
        if (of_other && strcmp(of_other, value) == 0) return reader_line(other);
    }
    return 0;
}

const char *reader_describe(model_reader *r, const xmlNode *node) {
    static const char *const called[][2] = {{"name", ""}, {"on", "on "}, {"of", "of "}, {"to", "to "}};
    const char *element = (const char *)node->name;
    for (size_t i = 0; i < sizeof called / sizeof called[0]; i++) {
        const char *value = reader_attribute(r, node, called[i][0]);
        if (value) return memory_text(&r->model->memory, "%s %s'%s'", element, called[i][1], value);
    }
    return element;
}

char *reader_attribute(model_reader *r, const xmlNode *node, const char *name) {
    xmlChar *value = xmlGetNoNsProp((xmlNode *)node, (const xmlChar *)name);
    char *copy = value ? memory_text(&r->model->memory, "%s", (const char *)value) : NULL;
    xmlFree(value);
    return copy;
}

// ---- numbers

static expr refuse_name(void *context, const char *name, char message[400]) {
    (void)context;
    snprintf(message, 400, "'%.60s' can't be used here; expected a constant expression: numbers, pi, functions", name);
    return EXPR_NONE;
}

static expr refuse_derivative(void *context, expr x, char message[400]) {
    (void)context, (void)x;
    snprintf(message, 400, "der() can't be used here; expected a constant expression: numbers, pi, functions");
    return EXPR_NONE;
}

double reader_number(model_reader *r, const xmlNode *node, const char *name, double otherwise) {
    const char *source = reader_attribute(r, node, name);
    if (!source) return otherwise;
    const parse_scope constants = {.lookup = refuse_name, .derivative = refuse_derivative};
    parse_error error;
    const expr x = expr_parse(r->model->graph, source, &constants, &error);
    if (x == EXPR_NONE) {
        report_error(r->d, reader_line(node), "%s of %s: %s", name, reader_describe(r, node), error.message);
        return NAN;
    }
    const double value = expr_evaluate(r->model->graph, x, model_start_value, r->model);
    if (isfinite(value)) return value;
    report_error(r->d, reader_line(node), "%s of %s is not finite: '%s'; expected a number", name,
                 reader_describe(r, node), source);
    return NAN;
}

// ---- units and texts

char *reader_text(model_reader *r, const xmlNode *node, const char *name) {
    char *source = reader_attribute(r, node, name);
    if (!source) return memory_text(&r->model->memory, "%s", "");
    char *end = source;
    for (const char *c = source; *c != '\0'; c++)
        if (*c != ' ' || (end > source && end[-1] != ' ')) *end++ = *c;
    if (end > source && end[-1] == ' ') end--;
    *end = '\0';
    return source;
}

static bool check_unit(model_reader *r, const xmlNode *node, const char *written, unit *u) {
    char message[UNIT_MESSAGE_SIZE];
    const bool parsed = unit_parse(written, u, message);
    if (parsed && unit_is_reasonable(u)) return true;
    if (parsed)
        snprintf(message, sizeof message, "unit '%.60s': expected fewer factors and smaller exponents", written);
    report_error(r->d, reader_line(node), "%s: %s", reader_describe(r, node), message);
    return false;
}

static void check_units(model_reader *r, const xmlNode *node, const quantity_text *about) {
    const bool has_unit = about->unit[0] != '\0', has_display = about->display_unit[0] != '\0';
    unit value, display;
    if (has_unit && !check_unit(r, node, about->unit, &value)) return;
    if (!has_display || !check_unit(r, node, about->display_unit, &display)) return;
    if (!has_unit)
        report_error(r->d, about->line, "%s has a displayUnit but no unit; expected both", reader_describe(r, node));
    else if (!unit_same_kind(&value, &display))
        report_error(r->d, about->line, "%s: '%s' can't be displayed in '%s'; expected units of the same kind",
                     reader_describe(r, node), about->unit, about->display_unit);
}

quantity_text reader_about(model_reader *r, const xmlNode *node) {
    quantity_text about = {
        .name = reader_text(r, node, "name"),
        .description = reader_text(r, node, "description"),
        .unit = reader_text(r, node, "unit"),
        .display_unit = reader_text(r, node, "displayUnit"),
        .line = reader_line(node),
    };
    check_units(r, node, &about);
    return about;
}
