// What reaches the variables of a hybrid Lagrangian. Coordinates, rates and what is made of them alone answer to inputs
// only through the motion; accelerations and contact forces solve M a + b = J' lambda, in which coordinates hang
// together by the elements of M and J that aren't 0.
//
// At the start a contact may be closed, and an impact that is due then changes the rates that hang together with it;
// its truncation asks for bounds over the whole motion. So what these rates reach, all that is in M, b, J, h and the
// restitution reaches too, by way of that. Coordinates jump by no more than their rounding.

#include "dependencies_impl.h"

static bool is_zero(const dependencies *d, expr x) {
    return expr_is_constant(d->model->graph, x, 0);
}

// ---- groups

static void join_groups(const dependencies *d, int i, int j) {
    const int joined = d->group[i], old = d->group[j];
    for (int k = 0; k < d->model->coordinate_count; k++)
        if (d->group[k] == old) d->group[k] = joined;
}

// Joins the coordinates on which a constraint depends; the first of them.
static int join_constraint(const dependencies *d, const model_equations *e, int c) {
    int first = -1;
    for (int i = 0; i < e->n; i++) {
        if (is_zero(d, e->J[c * e->n + i])) continue;
        if (first < 0) first = i;
        join_groups(d, first, i);
    }
    return first;
}

static void find_groups(const dependencies *d, const model_equations *e) {
    for (int i = 0; i < e->n; i++)
        d->group[i] = i;
    for (int i = 0; i < e->n; i++)
        for (int j = 0; j < i; j++)
            if (!is_zero(d, e->M[i * e->n + j])) join_groups(d, i, j);
    for (int c = 0; c < e->m; c++)
        join_constraint(d, e, c);
    for (int c = 0; c < e->m; c++) {
        const int first = join_constraint(d, e, c);
        for (int i = 0; i < e->n; i++)
            d->in_contact[i] |= first >= 0 && d->group[i] == d->group[first];
    }
}

// ---- expressions

typedef struct mark {
    const dependencies *d;
    reach to;
} mark;

static void unite_reach(const mark *m, reach with) {
    unite(m->d, m->to.at_once, with.at_once);
    unite(m->d, m->to.at_start, with.at_start);
}

static void mark_symbol(void *context, expr_symbol symbol) {
    const mark *m = context;
    const dependencies *d = m->d;
    const int place = place_of_symbol(d, symbol);
    if (place != NO_PLACE) m->to.at_once[place] = m->to.at_start[place] = true;
    if (symbol.class == SYMBOL_RATE && d->in_contact[symbol.index]) unite(d, m->to.at_start, d->events);
    if (symbol.class == SYMBOL_ACCELERATION) unite_reach(m, d->accelerations[d->group[symbol.index]]);
    if (symbol.class == SYMBOL_FORCE) unite_reach(m, d->forces[symbol.index]);
}

static void mark_expressions(dependencies *d, const expr *x, int count, reach to) {
    mark m = {d, to};
    for (int i = 0; i < count && !d->memory.failed; i++)
        d->memory.failed |= !expr_symbols(d->model->graph, x[i], mark_symbol, &m);
}

static void find_events(dependencies *d, const model_equations *e) {
    const reach events = {new_set(d), d->events};
    const int first = d->model->parameter_count + d->model->input_count;
    if (d->memory.failed) return;
    mark_expressions(d, e->M, e->n * e->n, events);
    mark_expressions(d, e->b, e->n, events);
    mark_expressions(d, e->J, e->m * e->n, events);
    mark_expressions(d, e->h, e->m, events);
    mark_expressions(d, e->curvature, e->m, events);
    for (int c = 0; c < e->m; c++)
        mark_expressions(d, &d->model->constraints[c].restitution, 1, events);
    for (int i = first; i < d->places; i++) // coordinates and rates by the norms, and the settings
        d->events[i] = true;
}

static void find_accelerations(dependencies *d, const model_equations *e) {
    for (int i = 0; i < e->n; i++) {
        const reach to = d->accelerations[d->group[i]];
        mark_expressions(d, &e->M[i * e->n], e->n, to);
        mark_expressions(d, &e->b[i], 1, to);
        if (d->in_contact[i]) unite(d, to.at_start, d->events);
    }
}

static void find_contacts(dependencies *d, const model_equations *e) {
    for (int c = 0; c < e->m; c++) {
        mark_expressions(d, &e->h[c], 1, d->gaps[c]);
        mark m = {d, d->forces[c]};
        for (int i = 0; i < e->n; i++)
            if (!is_zero(d, e->J[c * e->n + i])) unite_reach(&m, d->accelerations[d->group[i]]);
        mark_expressions(d, &e->J[c * e->n], e->n, d->forces[c]);
        mark_expressions(d, &e->curvature[c], 1, d->forces[c]);
        unite(d, d->forces[c].at_start, d->events);
    }
}

void find_lagrangian_dependencies(dependencies *d, const model_equations *e) {
    d->group = memory_take(&d->memory, (size_t)e->n, sizeof *d->group);
    d->in_contact = memory_take(&d->memory, (size_t)e->n, sizeof *d->in_contact);
    d->accelerations = new_reaches(d, e->n);
    d->gaps = new_reaches(d, e->m);
    d->forces = new_reaches(d, e->m);
    d->kinetic = new_reach(d);
    d->potential = new_reach(d);
    if (d->memory.failed) return;
    find_groups(d, e);
    find_events(d, e);
    find_accelerations(d, e);
    find_contacts(d, e);
    mark_expressions(d, &d->model->kinetic_energy, 1, d->kinetic);
    mark_expressions(d, &d->model->potential_energy, 1, d->potential);
    for (int i = 0; i < d->model->output_count; i++)
        mark_expressions(d, &d->model->outputs[i].value, 1, d->outputs[i]);
}
