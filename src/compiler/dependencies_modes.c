// What reaches the variables of a hybrid system: while it moves, what the modes' expressions contain.
//
// At the start transitions that are due may have been taken, so that any mode may be the present one and what they
// reset may have changed: what decides on them reaches what differs from mode to mode, and what their resets contain
// reaches what they reset. Modes that can't be reached don't count.

#include "dependencies_impl.h"

typedef struct mark {
    const dependencies *d;
    bool *set;
} mark;

static void mark_symbol(void *context, expr_symbol symbol) {
    const mark *m = context;
    const int place = place_of_symbol(m->d, symbol);
    if (place != NO_PLACE) m->set[place] = true;
}

static void mark_expression(dependencies *d, expr x, bool *set) {
    mark m = {d, set};
    if (x != EXPR_NONE) d->memory.failed |= !expr_symbols(d->model->graph, x, mark_symbol, &m);
}

static int size(const dependencies *d, const bool *set) {
    int count = 0;
    for (int i = 0; i < d->places; i++)
        count += set[i];
    return count;
}

// Adds what a transition may have made of the set's members: what its resets of them contain, and what decides on it.
static void add_resets(dependencies *d, const expr *values, int count, symbol_class class, bool *set) {
    for (int i = 0; i < count; i++) {
        if (values[i] == EXPR_NONE || !set[place_of_symbol(d, (expr_symbol){class, i})]) continue;
        mark_expression(d, values[i], set);
        unite(d, set, d->events);
    }
}

// The same for all transitions, until nothing new is found.
static void add_all_resets(dependencies *d, bool *set) {
    const model_file *model = d->model;
    for (int before = -1; before < size(d, set) && !d->memory.failed;) {
        before = size(d, set);
        for (int i = 0; i < model->mode_count; i++) {
            const model_mode *mode = &model->modes[i];
            for (int k = 0; k < mode->transition_count && mode->reachable; k++) {
                add_resets(d, mode->transitions[k].states, model->state_count, SYMBOL_STATE, set);
                add_resets(d, mode->transitions[k].held, model->held_count, SYMBOL_HELD, set);
            }
        }
    }
}

// A transition is due when its guard is 0 and falls.
static void find_events(dependencies *d, const model_equations *equations) {
    for (int i = 0; i < d->model->mode_count; i++) {
        const model_mode *mode = &d->model->modes[i];
        for (int k = 0; k < mode->transition_count && mode->reachable; k++) {
            mark_expression(d, equations->modes[i].guards[k], d->events);
            mark_expression(d, equations->modes[i].guard_rates[k], d->events);
            d->events[d->places - 1] = true;
        }
    }
    add_all_resets(d, d->events);
}

static void find_output(dependencies *d, int index) {
    const model_file *model = d->model;
    const reach to = d->outputs[index];
    for (int i = 0; i < model->mode_count; i++) {
        const model_mode *mode = &model->modes[i];
        if (!mode->reachable) continue;
        mark_expression(d, mode->outputs[index], to.at_once);
        if (mode->outputs[index] != model->modes[model->initial_mode].outputs[index]) unite(d, to.at_start, d->events);
    }
    unite(d, to.at_start, to.at_once);
    add_all_resets(d, to.at_start);
}

void find_mode_dependencies(dependencies *d, const model_equations *equations) {
    if (d->memory.failed) return;
    find_events(d, equations);
    for (int i = 0; i < d->model->output_count; i++)
        find_output(d, i);
}
