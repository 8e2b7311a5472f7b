// Which variables reach which others at once.

#include <stdlib.h>

#include "dependencies_impl.h"

// ---- sets

int place_of_symbol(const dependencies *d, expr_symbol symbol) {
    const model_file *model = d->model;
    const int inputs = model->parameter_count, first = inputs + model->input_count;
    switch (symbol.class) {
    case SYMBOL_PARAMETER:
        return symbol.index;
    case SYMBOL_INPUT:
        return inputs + symbol.index;
    case SYMBOL_COORDINATE:
    case SYMBOL_STATE:
        return first + symbol.index;
    case SYMBOL_RATE:
        return first + model->coordinate_count + symbol.index;
    case SYMBOL_HELD:
        return first + model->state_count + symbol.index;
    default:
        return NO_PLACE;
    }
}

static int place_of_variable(const dependencies *d, const fmi_variable *row) {
    switch (row->quantity) {
    case ZENO_PARAMETER:
        return place_of_symbol(d, (expr_symbol){SYMBOL_PARAMETER, row->index});
    case ZENO_INPUT:
        return place_of_symbol(d, (expr_symbol){SYMBOL_INPUT, row->index});
    case ZENO_COORDINATE:
        return place_of_symbol(d, (expr_symbol){SYMBOL_COORDINATE, row->index});
    case ZENO_RATE:
        return place_of_symbol(d, (expr_symbol){SYMBOL_RATE, row->index});
    case ZENO_STATE:
        return place_of_symbol(d, (expr_symbol){SYMBOL_STATE, row->index});
    case ZENO_HELD:
        return place_of_symbol(d, (expr_symbol){SYMBOL_HELD, row->index});
    case ZENO_SETTING:
        return d->places - 1;
    default:
        return NO_PLACE;
    }
}

void unite(const dependencies *d, bool *set, const bool *with) {
    for (int i = 0; i < d->places; i++)
        set[i] |= with[i];
}

bool *new_set(dependencies *d) {
    return memory_take(&d->memory, (size_t)d->places, sizeof(bool));
}

reach new_reach(dependencies *d) {
    return (reach){new_set(d), new_set(d)};
}

reach *new_reaches(dependencies *d, int count) {
    reach *all = memory_take(&d->memory, (size_t)count, sizeof *all);
    for (int i = 0; all && i < count; i++)
        all[i] = new_reach(d);
    return all;
}

// ---- variables

dependencies *dependencies_find(const model_file *model, const model_equations *equations) {
    dependencies *d = calloc(1, sizeof *d);
    if (!d) return NULL;
    d->model = model;
    d->places = model->parameter_count + model->input_count + 2 * model->coordinate_count + model->state_count +
                model->held_count + 1;
    d->events = new_set(d);
    d->outputs = new_reaches(d, model->output_count);
    if (model->kind == MODEL_HYBRID)
        find_mode_dependencies(d, equations);
    else
        find_lagrangian_dependencies(d, equations);
    if (!d->memory.failed) return d;
    dependencies_free(d);
    return NULL;
}

void dependencies_free(dependencies *d) {
    if (!d) return;
    memory_release(&d->memory);
    free(d);
}

// What has no expression of its own but counts and measures events gets the events' set.
static reach reach_of(const dependencies *d, const fmi_variable *unknown) {
    const int i = unknown->index;
    switch (unknown->quantity) {
    case ZENO_OUTPUT:
        return d->outputs[i];
    case ZENO_ACCELERATION:
        return d->accelerations[d->group[i]];
    case ZENO_GAP:
        return d->gaps[i];
    case ZENO_GAP_ACCELERATION:
    case ZENO_FORCE:
    case ZENO_STABLE_POSITION:
    case ZENO_STABLE_VELOCITY:
        return d->forces[i];
    case ZENO_KINETIC_ENERGY:
        return d->kinetic;
    case ZENO_POTENTIAL_ENERGY:
        return d->potential;
    default:
        return (reach){NULL, d->events};
    }
}

bool dependencies_at_once(const dependencies *d, const fmi_variable *unknown, const fmi_variable *known) {
    const bool *set = reach_of(d, unknown).at_once;
    const int place = place_of_variable(d, known);
    return known->quantity == ZENO_INPUT && set && place != NO_PLACE && set[place];
}

bool dependencies_at_start(const dependencies *d, const fmi_variable *unknown, const fmi_variable *known) {
    const int place = place_of_variable(d, known);
    return place != NO_PLACE && reach_of(d, unknown).at_start[place];
}
