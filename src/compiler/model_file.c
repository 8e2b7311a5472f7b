// Reads a model file: document, schema, declarations, expressions.

#include "model_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document.h"
#include "model_reader.h"

void read_elements(model_reader *r, const xmlNode *parent, const element_reader *table, int count) {
    for (xmlNode *node = parent->children; node; node = node->next) {
        if (node->type != XML_ELEMENT_NODE) continue;
        for (int i = 0; i < count; i++)
            if (strcmp((const char *)node->name, table[i].element) == 0) table[i].read(r, node);
    }
}

static size_t count_elements(const xmlNode *parent) {
    size_t count = 0;
    for (const xmlNode *node = parent->children; node; node = node->next)
        if (node->type == XML_ELEMENT_NODE) count += 1 + count_elements(node);
    return count;
}

// Room for as many things of each kind as there are elements.
static bool prepare(model_reader *r) {
    model_file *model = r->model;
    memory *m = &model->memory;
    const size_t count = count_elements(r->root);
    model->kind = strcmp((const char *)r->root->name, "hybridSystem") == 0 ? MODEL_HYBRID : MODEL_LAGRANGIAN;
    model->parameters = memory_take(m, count, sizeof *model->parameters);
    model->inputs = memory_take(m, count, sizeof *model->inputs);
    model->definitions = memory_take(m, count, sizeof *model->definitions);
    model->outputs = memory_take(m, count, sizeof *model->outputs);
    model->coordinates = memory_take(m, count, sizeof *model->coordinates);
    model->constraints = memory_take(m, count, sizeof *model->constraints);
    model->states = memory_take(m, count, sizeof *model->states);
    model->held = memory_take(m, count, sizeof *model->held);
    model->modes = memory_take(m, count, sizeof *model->modes);
    const name_scope scope = model->kind == MODEL_HYBRID ? NAMES_OF_SYSTEM : NAMES_OF_LAGRANGIAN;
    names_prepare(&r->names, scope, 2 * (int)count, m); // a coordinate brings two names
    names_prepare(&r->modes, NAMES_OF_MODES, (int)count, m);
    model->initial_mode = -1;
    model->graph = expr_graph_create();
    model->kinetic_energy = model->potential_energy = EXPR_NONE;
    return !m->failed && model->graph;
}

static model_file *read_model(const xmlNode *root, diagnostics *d) {
    model_reader r = {.model = calloc(1, sizeof(model_file)), .root = root, .d = d};
    const int errors = d->errors;
    if (r.model && prepare(&r)) {
        read_declarations(&r);
        read_expressions(&r);
    }
    if (!r.model || r.model->memory.failed || !r.model->graph || expr_graph_failed(r.model->graph))
        report_error(d, 0, "out of memory");
    if (d->errors == errors) {
        finish_modes(&r);
        return r.model;
    }
    model_file_free(r.model);
    return NULL;
}

model_file *model_file_read(const char *path, const char *schema_path, diagnostics *d) {
    xmlDoc *document = document_read(path, d);
    if (!document) return NULL;
    const int errors = d->errors;
    document_validate(document, schema_path, d);
    model_file *model = d->errors == errors ? read_model(xmlDocGetRootElement(document), d) : NULL;
    xmlFreeDoc(document);
    return model;
}

void model_file_free(model_file *model) {
    if (!model) return;
    expr_graph_destroy(model->graph);
    memory_release(&model->memory);
    free(model);
}

const char *model_symbol_name(const model_file *model, expr_symbol symbol) {
    switch (symbol.class) {
    case SYMBOL_TIME:
        return "time";
    case SYMBOL_PARAMETER:
        return model->parameters[symbol.index].about.name;
    case SYMBOL_INPUT:
        return model->inputs[symbol.index].about.name;
    case SYMBOL_COORDINATE:
        return model->coordinates[symbol.index].about.name;
    case SYMBOL_RATE:
        return model->coordinates[symbol.index].rate;
    case SYMBOL_ACCELERATION:
        return model->coordinates[symbol.index].acceleration;
    case SYMBOL_FORCE:
        return model->constraints[symbol.index].force;
    case SYMBOL_STATE:
        return model->states[symbol.index].about.name;
    case SYMBOL_HELD:
        return model->held[symbol.index].about.name;
    default:
        return "?"; // seeds of directional derivatives: no model has names for them
    }
}

double model_start_value(void *model, expr_symbol symbol) {
    const model_file *m = model;
    switch (symbol.class) {
    case SYMBOL_TIME:
        return m->start_time;
    case SYMBOL_PARAMETER:
        return m->parameters[symbol.index].value;
    case SYMBOL_INPUT:
        return m->inputs[symbol.index].start;
    case SYMBOL_COORDINATE:
        return m->coordinates[symbol.index].start;
    case SYMBOL_RATE:
        return m->coordinates[symbol.index].rate_start;
    case SYMBOL_STATE:
        return m->states[symbol.index].start;
    case SYMBOL_HELD:
        return m->held[symbol.index].start;
    default:
        return NAN;
    }
}
