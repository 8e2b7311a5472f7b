// Reads a model file: document, schema, declarations, expressions.

#include "model_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document.h"
#include "model_reader.h"

void read_elements(model_reader *r, const element_reader *table, int count) {
    for (xmlNode *node = r->root->children; node; node = node->next) {
        if (node->type != XML_ELEMENT_NODE) continue;
        for (int i = 0; i < count; i++)
            if (strcmp((const char *)node->name, table[i].element) == 0) table[i].read(r, node);
    }
}

// Room for as many things of each kind as there are elements.
static bool prepare(model_reader *r) {
    model_file *model = r->model;
    memory *m = &model->memory;
    const size_t count = xmlChildElementCount((xmlNode *)r->root);
    model->parameters = memory_take(m, count, sizeof *model->parameters);
    model->coordinates = memory_take(m, count, sizeof *model->coordinates);
    model->inputs = memory_take(m, count, sizeof *model->inputs);
    model->constraints = memory_take(m, count, sizeof *model->constraints);
    model->definitions = memory_take(m, count, sizeof *model->definitions);
    model->outputs = memory_take(m, count, sizeof *model->outputs);
    names_prepare(&r->names, 2 * (int)count, m); // a coordinate brings two names
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
    if (d->errors == errors) return r.model;
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
    default:
        return NAN;
    }
}
