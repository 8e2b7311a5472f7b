// Writes FMI's modelDescription.xml. It bears no date: the same model gives the same bytes.

#include <libxml/xmlwriter.h>
#include <math.h>
#include <string.h>

#include "../engine/engine.h"
#include "dependencies.h"
#include "units.h"
#include "write.h"

// libxml2's writer with a memory for failure, so that it is asked for once, at the end.
typedef struct markup {
    xmlBuffer *buffer;
    xmlTextWriter *writer;
    bool failed;
} markup;

static void open_element(markup *x, const char *name) {
    x->failed |= xmlTextWriterStartElement(x->writer, (const xmlChar *)name) < 0;
}

static void close_element(markup *x) {
    x->failed |= xmlTextWriterEndElement(x->writer) < 0;
}

static void attribute(markup *x, const char *name, const char *value) {
    x->failed |= xmlTextWriterWriteAttribute(x->writer, (const xmlChar *)name, (const xmlChar *)value) < 0;
}

// Leaves out what is empty.
static void optional_attribute(markup *x, const char *name, const char *value) {
    if (value && value[0] != '\0') attribute(x, name, value);
}

static void integer_attribute(markup *x, const char *name, int value) {
    char digits[16];
    snprintf(digits, sizeof digits, "%d", value);
    attribute(x, name, digits);
}

static void real_attribute(markup *x, const char *name, double value) {
    text digits = {0};
    text_append_double(&digits, value);
    x->failed |= digits.failed;
    if (!digits.failed) attribute(x, name, digits.data);
    text_free(&digits);
}

static void optional_real(markup *x, const char *name, double value, double none) {
    if (value != none) real_attribute(x, name, value);
}

// ---- what the FMU is and can

static void write_head(markup *x, const model_file *model, const char *guid) {
    attribute(x, "fmiVersion", "2.0");
    attribute(x, "modelName", model->name);
    attribute(x, "guid", guid);
    optional_attribute(x, "description", model->description);
    optional_attribute(x, "version", model->version);
    attribute(x, "generationTool", "zenofmu " ZENO_ENGINE_VERSION);
    attribute(x, "variableNamingConvention", "structured");
    attribute(x, "numberOfEventIndicators", "0");
}

static void write_capabilities(markup *x, const model_file *model) {
    static const char *const capabilities[][2] = {
        {"canHandleVariableCommunicationStepSize", "true"},
        {"canInterpolateInputs", "true"},
        {"maxOutputDerivativeOrder", "1"},
        {"canNotUseMemoryManagementFunctions", "false"},
        {"canGetAndSetFMUstate", "true"},
        {"canSerializeFMUstate", "true"},
        {"providesDirectionalDerivative", "true"},
    };
    open_element(x, "CoSimulation");
    attribute(x, "modelIdentifier", model->name);
    for (size_t i = 0; i < sizeof capabilities / sizeof capabilities[0]; i++)
        attribute(x, capabilities[i][0], capabilities[i][1]);
    close_element(x);
}

static void write_log_categories(markup *x, const model_file *model) {
    const bool modes = model->kind == MODEL_HYBRID;
    const char *const categories[][2] = {
        {"logEvents", modes ? "transitions" : "impacts, Zeno truncations with their bounds, releases"},
        {"logSolver", "what the solver reports"},
        {"logStatusWarning", "trouble that was handled"},
        {"logStatusError", "errors"},
    };
    open_element(x, "LogCategories");
    for (size_t i = 0; i < sizeof categories / sizeof categories[0]; i++) {
        open_element(x, "Category");
        attribute(x, "name", categories[i][0]);
        attribute(x, "description", categories[i][1]);
        close_element(x);
    }
    close_element(x);
}

static void write_experiment(markup *x, const model_file *model) {
    open_element(x, "DefaultExperiment");
    real_attribute(x, "startTime", model->start_time);
    real_attribute(x, "stopTime", model->stop_time);
    real_attribute(x, "tolerance", model->tolerance);
    real_attribute(x, "stepSize", model->step_size);
    close_element(x);
}

// ---- units and types

static void write_display_unit(markup *x, const unit *value, const char *name) {
    unit display;
    char message[UNIT_MESSAGE_SIZE];
    if (!unit_parse(name, &display, message)) return;
    open_element(x, "DisplayUnit");
    attribute(x, "name", name);
    optional_real(x, "factor", value->factor / display.factor, 1);
    optional_real(x, "offset", (value->offset - display.offset) / display.factor, 0);
    close_element(x);
}

// The unit of the row `first`, with the display units of all rows that have it.
static void write_unit(markup *x, const variable_table *variables, int first) {
    const char *name = variables->rows[first].unit;
    unit value;
    char message[UNIT_MESSAGE_SIZE];
    if (!unit_parse(name, &value, message)) return;
    open_element(x, "Unit");
    attribute(x, "name", name);
    open_element(x, "BaseUnit");
    for (int i = 0; i < UNIT_BASES; i++)
        if (value.exponent[i] != 0) integer_attribute(x, unit_base_name((unit_base)i), value.exponent[i]);
    optional_real(x, "factor", value.factor, 1);
    optional_real(x, "offset", value.offset, 0);
    close_element(x);
    for (int i = first; i < variables->count; i++) {
        const fmi_variable *row = &variables->rows[i];
        bool is_new = row->display_unit[0] != '\0' && strcmp(row->unit, name) == 0;
        for (int j = first; j < i && is_new; j++)
            is_new = strcmp(variables->rows[j].unit, name) != 0 ||
                     strcmp(variables->rows[j].display_unit, row->display_unit) != 0;
        if (is_new) write_display_unit(x, &value, row->display_unit);
    }
    close_element(x);
}

static void write_units(markup *x, const variable_table *variables) {
    open_element(x, "UnitDefinitions");
    for (int i = 0; i < variables->count; i++) {
        bool is_new = variables->rows[i].unit[0] != '\0';
        for (int j = 0; j < i && is_new; j++)
            is_new = strcmp(variables->rows[j].unit, variables->rows[i].unit) != 0;
        if (is_new) write_unit(x, variables, i);
    }
    close_element(x);
}

static void write_type(markup *x, const fmi_enumeration *type) {
    open_element(x, "SimpleType");
    attribute(x, "name", type->name);
    optional_attribute(x, "description", type->description);
    open_element(x, "Enumeration");
    for (int i = 0; i < type->count; i++) {
        open_element(x, "Item");
        attribute(x, "name", type->choices[i].name);
        integer_attribute(x, "value", i + 1);
        optional_attribute(x, "description", type->choices[i].description);
        close_element(x);
    }
    close_element(x);
    close_element(x);
}

// FMI wants no empty list.
static void write_types(markup *x, const variable_table *variables) {
    bool any = false;
    for (int i = 0; i < variables->count; i++) {
        const fmi_enumeration *type = variables->rows[i].enumeration;
        if (!type) continue;
        if (!any) open_element(x, "TypeDefinitions");
        any = true;
        write_type(x, type);
    }
    if (any) close_element(x);
}

// ---- variables

static void write_real(markup *x, const fmi_variable *row) {
    open_element(x, "Real");
    optional_attribute(x, "unit", row->unit);
    optional_attribute(x, "displayUnit", row->display_unit);
    optional_real(x, "min", row->min, -INFINITY);
    optional_real(x, "max", row->max, INFINITY);
    optional_real(x, "nominal", row->nominal, 0);
    if (row->has_start) real_attribute(x, "start", row->start);
    if (row->derivative_of >= 0) integer_attribute(x, "derivative", row->derivative_of + 1);
    close_element(x);
}

static void write_discrete(markup *x, const fmi_variable *row) {
    open_element(x, row->enumeration ? "Enumeration" : row->type == ZENO_BOOLEAN ? "Boolean" : "Integer");
    if (row->enumeration) attribute(x, "declaredType", row->enumeration->name);
    if (row->has_start && row->type == ZENO_BOOLEAN) attribute(x, "start", row->start != 0 ? "true" : "false");
    if (row->has_start && row->type == ZENO_INTEGER) integer_attribute(x, "start", (int)row->start);
    close_element(x);
}

static void write_variables(markup *x, const variable_table *variables) {
    open_element(x, "ModelVariables");
    for (int i = 0; i < variables->count; i++) {
        const fmi_variable *row = &variables->rows[i];
        open_element(x, "ScalarVariable");
        attribute(x, "name", row->name);
        integer_attribute(x, "valueReference", i);
        optional_attribute(x, "description", row->description);
        attribute(x, "causality", row->causality);
        attribute(x, "variability", row->variability);
        optional_attribute(x, "initial", row->initial);
        if (row->type == ZENO_REAL)
            write_real(x, row);
        else
            write_discrete(x, row);
        close_element(x);
    }
    close_element(x);
}

// ---- structure

static bool is_output(const fmi_variable *row) {
    return strcmp(row->causality, "output") == 0;
}

typedef bool (*dependency)(const dependencies *d, const fmi_variable *unknown, const fmi_variable *known);

// What FMI takes as known at the start.
static bool is_known(const fmi_variable *row) {
    return row->quantity == ZENO_INPUT || (row->initial && strcmp(row->initial, "exact") == 0);
}

static bool is_initial_unknown(const fmi_variable *row) {
    return is_output(row) && strcmp(row->initial, "calculated") == 0;
}

// Indices count from 1. The kind is always `dependent`: in contact a force acts on an acceleration by way of the state,
// and modes differ.
static void write_unknown(markup *x, const variable_table *variables, int unknown, const dependencies *d,
                          dependency depends) {
    text list = {0}, kinds = {0};
    for (int i = 0; i < variables->count; i++) {
        const fmi_variable *known = &variables->rows[i];
        if (!is_known(known) || !depends(d, &variables->rows[unknown], known)) continue;
        text_append(&list, list.length > 0 ? " %d" : "%d", i + 1);
        text_append(&kinds, kinds.length > 0 ? " %s" : "%s", "dependent");
    }
    x->failed |= list.failed || kinds.failed;
    open_element(x, "Unknown");
    integer_attribute(x, "index", unknown + 1);
    attribute(x, "dependencies", list.data ? list.data : "");
    optional_attribute(x, "dependenciesKind", kinds.data);
    close_element(x);
    text_free(&list);
    text_free(&kinds);
}

static void write_unknowns(markup *x, const char *element, const variable_table *variables, const dependencies *d,
                           bool (*is_unknown)(const fmi_variable *row), dependency depends) {
    open_element(x, element);
    for (int i = 0; i < variables->count; i++)
        if (is_unknown(&variables->rows[i])) write_unknown(x, variables, i, d, depends);
    close_element(x);
}

static void write_structure(markup *x, const variable_table *variables, const dependencies *d) {
    open_element(x, "ModelStructure");
    write_unknowns(x, "Outputs", variables, d, is_output, dependencies_at_once);
    write_unknowns(x, "InitialUnknowns", variables, d, is_initial_unknown, dependencies_at_start);
    close_element(x);
}

static void write_document(markup *x, const model_file *model, const variable_table *variables, const dependencies *d,
                           const char *guid) {
    xmlTextWriterSetIndent(x->writer, 1);
    xmlTextWriterSetIndentString(x->writer, (const xmlChar *)"  ");
    x->failed |= xmlTextWriterStartDocument(x->writer, NULL, "UTF-8", NULL) < 0;
    open_element(x, "fmiModelDescription");
    write_head(x, model, guid);
    write_capabilities(x, model);
    write_units(x, variables);
    write_types(x, variables);
    write_log_categories(x, model);
    write_experiment(x, model);
    write_variables(x, variables);
    write_structure(x, variables, d);
    close_element(x);
    x->failed |= xmlTextWriterEndDocument(x->writer) < 0;
}

void write_description(const model_file *model, const model_equations *equations, const variable_table *variables,
                       const char *guid, text *out) {
    markup x = {.buffer = xmlBufferCreate()};
    x.writer = x.buffer ? xmlNewTextWriterMemory(x.buffer, 0) : NULL;
    dependencies *d = dependencies_find(model, equations);
    x.failed = !x.writer || !d;
    if (!x.failed) write_document(&x, model, variables, d, guid);
    dependencies_free(d);
    xmlFreeTextWriter(x.writer);
    if (!x.failed) text_append(out, "%s", (const char *)xmlBufferContent(x.buffer));
    out->failed |= x.failed;
    xmlBufferFree(x.buffer);
}
