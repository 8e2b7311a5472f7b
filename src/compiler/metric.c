// The distance as the shortest of all chains of transitions, from none to the most that are allowed.
//
// Most chains need no search: any curve that takes transitions goes from `p` to the first one's guard (or image) and
// from the last one's to `q`. When these two ways alone are as long as a curve that is known, the chain is left out.

#include "metric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../engine/linear.h"
#include "metric_chain.h"

enum { STARTS = 8, REACH_STARTS = 8 };

// The least way to a transition; for one whose guard or reset isn't affine it may be a local minimum: half of it is
// then taken as a bound.
typedef struct reach {
    double length;
    bool sure;
    double *point; // the guard point; NULL where none was found
} reach;

typedef struct exploration {
    const metric_space *space;
    const metric_point *p, *q;
    reach *from_p, *to_q; // [gluings x 2] for a transition taken forward, backward
    double *points;       // [4 x gluings x dimension] their guard points
    metric_chain chain;
    metric_result *best;
    bool sure; // every chain that was not minimised certainly is no shorter, and every other one has its minimum
    bool starved;
} exploration;

static double straight(const exploration *e) {
    double sum = 0;
    for (int i = 0; i < e->space->dimension; i++)
        sum += (e->q->x[i] - e->p->x[i]) * (e->q->x[i] - e->p->x[i]);
    return sqrt(sum);
}

// ---- transitions

static int before(const metric_space *space, metric_step step) {
    return step.backward ? space->gluing[step.gluing].to : space->gluing[step.gluing].from;
}

static int after(const metric_space *space, metric_step step) {
    step.backward = !step.backward;
    return before(space, step);
}

static const metric_situation *seen_by(const exploration *e, metric_step step) {
    return step.backward ? &e->q->at : &e->p->at;
}

static bool enabled(const exploration *e, metric_step step) {
    const metric_space *space = e->space;
    return !space->enabled || space->enabled(space->context, step.gluing, seen_by(e, step));
}

static int row(metric_step step) {
    return 2 * step.gluing + step.backward;
}

// A transition right after another that makes no curve shorter. Through identities there and back is a detour. At a
// reflection R, with the rates a, b >= 0 of two points, |R x - R y| <= |x - y|, so that back and forth can be left out;
// and |a - e b| <= a + b, so that from R x to R y it is no farther than from R x to y: neither are two forward, nor two
// backward.
static bool pointless(const metric_space *space, metric_step last, metric_step next) {
    if (last.gluing != next.gluing) return false;
    const metric_gluing *gluing = &space->gluing[last.gluing];
    if (gluing->identity) return last.backward != next.backward;
    return gluing->reflection && !(next.backward && !last.backward);
}

// Whether a transition of the chain reads a held variable that an earlier one has set.
static bool reads_what_was_set(const metric_space *space, const metric_chain *chain) {
    for (int i = 0; space->feeds && i < chain->steps; i++) {
        for (int j = 0; j < i; j++) {
            const metric_step early = chain->step[j], late = chain->step[i];
            if (early.backward != late.backward) continue;
            const metric_step first = early.backward ? late : early, second = early.backward ? early : late;
            if (space->feeds[first.gluing * space->gluings + second.gluing]) return true;
        }
    }
    return false;
}

// ---- bounds

static bool find_reach(exploration *e, metric_step step, const double *x, const metric_situation *at, reach *result) {
    const metric_chain chain = {
        .space = e->space, .begin = x, .steps = 1, .step = {step}, .at = {at}, .limit = e->best->distance};
    double *point = e->points + (result - e->from_p) * e->space->dimension;
    metric_length found;
    if (!metric_chain_minimize(&chain, REACH_STARTS, point, &found)) return false;
    const bool any = isfinite(found.length); // else nothing is known
    const double known = any ? found.length : 0;
    *result = (reach){found.minimal ? found.length : known / 2, found.minimal, any ? point : NULL};
    return true;
}

// The ways from `p` to all transitions that can be the first, and to `q` from all that can be the last.
static bool find_reaches(exploration *e) {
    for (int i = 0; i < 2 * e->space->gluings; i++) {
        const metric_step step = {i / 2, i % 2}, reverse = {i / 2, !(i % 2)};
        if (!enabled(e, step)) continue;
        const metric_situation *at = seen_by(e, step);
        if (before(e->space, step) == e->p->domain && !find_reach(e, step, e->p->x, at, &e->from_p[i])) return false;
        if (after(e->space, step) == e->q->domain && !find_reach(e, reverse, e->q->x, at, &e->to_q[i])) return false;
    }
    return true;
}

static reach least(reach a, reach b) {
    return (reach){fmin(a.length, b.length), a.sure && b.sure, NULL};
}

// Any curve with transitions is at least as long as the shortest way to one and from one. True when even that is no
// shorter than what is known; then nothing has to be searched.
static bool out_of_reach(const exploration *e) {
    reach first = {INFINITY, true, NULL}, last = {INFINITY, true, NULL};
    for (int i = 0; i < 2 * e->space->gluings; i++) {
        const metric_step step = {i / 2, i % 2};
        if (!enabled(e, step)) continue;
        if (before(e->space, step) == e->p->domain) first = least(first, e->from_p[i]);
        if (after(e->space, step) == e->q->domain) last = least(last, e->to_q[i]);
    }
    return first.sure && last.sure && first.length + last.length >= e->best->distance;
}

// ---- all chains

static bool all_identities(const metric_space *space) {
    for (int i = 0; i < space->gluings; i++) {
        if (!space->gluing[i].identity) return false;
    }
    return true;
}

// Where no reset changes the state, no curve is shorter than the straight line.
static bool as_short_as_possible(const exploration *e) {
    return all_identities(e->space) && e->best->distance <= straight(e) * (1 + 1e-12);
}

static void minimize(exploration *e) {
    metric_chain *chain = &e->chain;
    const metric_step first = chain->step[0], last = chain->step[chain->steps - 1];
    const reach from = e->from_p[row(first)], to = e->to_q[row(last)];
    if (reads_what_was_set(e->space, chain)) {
        e->sure = false;
        return;
    }
    if (from.length + to.length >= e->best->distance) {
        e->sure = e->sure && from.sure && to.sure;
        return;
    }
    metric_length found;
    chain->limit = e->best->distance;
    chain->near_begin = from.point;
    chain->near_end = to.point;
    if (!metric_chain_minimize(chain, STARTS, NULL, &found)) {
        e->starved = true;
        return;
    }
    e->sure = e->sure && found.minimal;
    if (!(found.length < e->best->distance)) return;
    e->best->distance = found.length;
    e->best->steps = chain->steps;
    memcpy(e->best->step, chain->step, sizeof chain->step);
}

// All chains of `steps` transitions that begin with the first `done` of `chain`.
static void explore(exploration *e, int done, int steps) {
    if (e->starved || as_short_as_possible(e)) return;
    metric_chain *chain = &e->chain;
    const int domain = done == 0 ? e->p->domain : after(e->space, chain->step[done - 1]);
    if (done == steps) {
        chain->steps = steps;
        if (domain == e->q->domain) minimize(e);
        return;
    }
    for (int i = 0; i < 2 * e->space->gluings; i++) {
        const metric_step step = {i / 2, i % 2};
        if (before(e->space, step) != domain || !enabled(e, step)) continue;
        if (done > 0 && pointless(e->space, chain->step[done - 1], step)) continue;
        chain->step[done] = step;
        chain->at[done] = seen_by(e, step);
        explore(e, done + 1, steps);
    }
}

// ---- what is known of the result

// With one reflection no curve needs more than two transitions: see pointless().
static bool one_reflection(const metric_space *space) {
    return space->domains == 1 && space->gluings == 1 && space->gluing[0].reflection;
}

static bool search(exploration *e, int transitions) {
    if (as_short_as_possible(e) || e->best->distance == 0) return true;
    if (!find_reaches(e)) return false;
    if (out_of_reach(e)) return true;
    for (int steps = 1; steps <= transitions; steps++) {
        explore(e, 0, steps);
        if (e->starved) return false;
        if (as_short_as_possible(e)) return true;
    }
    if (!e->sure)
        e->best->quality = METRIC_UPPER_BOUND;
    else if (!one_reflection(e->space) || transitions < 2)
        e->best->quality = METRIC_EXACT_WITHIN;
    return true;
}

bool metric_distance(const metric_space *space, const metric_point *p, const metric_point *q, int transitions,
                     metric_result *result) {
    exploration e = {.space = space, .p = p, .q = q, .best = result, .sure = true};
    e.chain = (metric_chain){.space = space, .begin = p->x, .end = q->x};
    const size_t count = 4 * (size_t)space->gluings;
    e.from_p = calloc(count + 1, sizeof *e.from_p);
    e.points = malloc((count * (size_t)space->dimension + 1) * sizeof *e.points);
    e.to_q = e.from_p ? e.from_p + 2 * space->gluings : NULL;
    *result = (metric_result){.distance = p->domain == q->domain ? straight(&e) : INFINITY, .quality = METRIC_EXACT};
    const bool good = e.from_p && e.points && search(&e, transitions);
    free(e.from_p);
    free(e.points);
    return good;
}

// ---- how many transitions

// How many transitions it takes from `domain` to the farthest other one that can be reached at all.
static int farthest(const metric_space *space, int domain, int *distance) {
    int most = 0;
    for (int i = 0; i < space->domains; i++)
        distance[i] = i == domain ? 0 : -1;
    for (int round = 0; round < space->domains; round++) {
        for (int i = 0; i < space->gluings; i++) {
            const int a = space->gluing[i].from, b = space->gluing[i].to;
            if (distance[a] == round && distance[b] < 0) distance[b] = most = round + 1;
            if (distance[b] == round && distance[a] < 0) distance[a] = most = round + 1;
        }
    }
    return most;
}

int metric_default_transitions(const metric_space *space) {
    int most = 2;
    int *distance = malloc(((size_t)space->domains + 1) * sizeof *distance);
    for (int i = 0; distance && i < space->domains; i++) {
        const int needed = farthest(space, i, distance);
        most = needed > most ? needed : most;
    }
    free(distance);
    return most < METRIC_MOST_TRANSITIONS ? most : METRIC_MOST_TRANSITIONS;
}
