// The shortest curve through k given guards: with guard points g_1 ... g_k as unknowns,
//
//     minimise |in(g_1) - p| + |in(g_2) - out(g_1)| + ... + |q - out(g_k)|   where guard(g_i) = 0, rate(g_i) <= 0
//
// A transition that is taken forward has in(g) = g and out(g) = R(g), one that is taken backward the other way round.
//
// Newton's method on the guards: each step is made in the tangent spaces, with the Hessian of the Lagrangian there, and
// then lands on the guards again, so that every place is a connecting curve. A length |r| has a kink at r = 0, where
// curves often end (a state on the guard); sqrt(|r|^2 + mu^2) takes its place, with mu decreasing to the rounding
// errors. Rates that end up above 0 are held at 0: all choices of such guards are tried. Where guards and resets are
// affine, the problem is convex, and what is found is the minimum; else it is a local one, the best of several starts.

#include "metric_chain.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../engine/linear.h"

enum { MOST_CONSTRAINTS = 2 }; // of a guard point: on the guard, and at rate 0

// A choice of guard points, and what follows from it.
typedef struct place {
    double *z;                                         // [steps x n] the guard points
    double *r;                                         // [legs x n] the straight lines between them
    metric_crossing crossing[METRIC_MOST_TRANSITIONS]; // at the guard points
} place;

typedef struct search {
    const metric_chain *chain;
    int n, legs;
    unsigned active; // bit i: the guard of step i is held at rate 0
    place here, trial;
    metric_crossing probe;

    // The tangent space of step i has freedom[i] dimensions; its vectors stand in rows from n*n*i on.
    int freedom[METRIC_MOST_TRANSITIONS];
    double *tangent;
    double *into, *out; // where they lead: the directions in which in(g_i) and out(g_i) move
    double *y;          // [legs + 1 x n] unit vectors along the lines (smoothed); 0 for the line that there isn't
    int unknowns;
    double *hessian, *factor, *gradient, *direction;
    double *scratch; // [4 n]
    double *points;  // [steps x n] guard points of the shortest curve so far; NULL: not wanted
    double limit;    // a curve that is known, of this chain or another
    double bend;     // greatest entry of the Hessian's part from the curvature of guards and resets
} search;

// ---- evaluation

static bool all_finite(int count, const double *values) {
    for (int i = 0; i < count; i++) {
        if (!isfinite(values[i])) return false;
    }
    return true;
}

static bool look(search *s, int step, const double *z, metric_crossing *crossing) {
    const metric_chain *chain = s->chain;
    const metric_space *space = chain->space;
    space->cross(space->context, chain->step[step].gluing, chain->at[step], z, crossing);
    return isfinite(crossing->guard) && isfinite(crossing->rate) && all_finite(s->n, crossing->guard_gradient) &&
           all_finite(s->n, crossing->rate_gradient) && all_finite(s->n, crossing->image) &&
           all_finite(s->n * s->n, crossing->jacobian);
}

// Where the curve comes to step i, and where it goes on.
static const double *in(const search *s, const place *x, int i) {
    return s->chain->step[i].backward ? x->crossing[i].image : x->z + i * s->n;
}

static const double *out(const search *s, const place *x, int i) {
    return s->chain->step[i].backward ? x->z + i * s->n : x->crossing[i].image;
}

static void measure(const search *s, place *x) {
    for (int leg = 0; leg < s->legs; leg++) {
        const double *from = leg == 0 ? s->chain->begin : out(s, x, leg - 1);
        const double *to = leg == s->chain->steps ? s->chain->end : in(s, x, leg);
        for (int i = 0; i < s->n; i++)
            x->r[leg * s->n + i] = to[i] - from[i];
    }
}

static double length(const search *s, const place *x, double mu) {
    double sum = 0;
    for (int leg = 0; leg < s->legs; leg++)
        sum += hypot(zeno_norm(s->n, x->r + leg * s->n), mu);
    return sum;
}

static void copy_place(const search *s, const place *from, place *to) {
    const int n = s->n;
    memcpy(to->z, from->z, sizeof(double) * (size_t)(s->chain->steps * n));
    memcpy(to->r, from->r, sizeof(double) * (size_t)(s->legs * n));
    for (int i = 0; i < s->chain->steps; i++) {
        const metric_crossing *a = &from->crossing[i];
        metric_crossing *b = &to->crossing[i];
        b->guard = a->guard;
        b->rate = a->rate;
        memcpy(b->guard_gradient, a->guard_gradient, sizeof(double) * (size_t)n);
        memcpy(b->rate_gradient, a->rate_gradient, sizeof(double) * (size_t)n);
        memcpy(b->image, a->image, sizeof(double) * (size_t)n);
        memcpy(b->jacobian, a->jacobian, sizeof(double) * (size_t)(n * n));
    }
}

// ---- the guards

// The constraints of a guard point: their values, and their gradients C.
typedef struct constraints {
    int count;
    double value[MOST_CONSTRAINTS];
    const double *gradient[MOST_CONSTRAINTS];
} constraints;

static constraints constraints_of(const search *s, int step, const metric_crossing *crossing) {
    const bool resting = s->active >> step & 1;
    return (constraints){
        resting ? 2 : 1, {crossing->guard, crossing->rate}, {crossing->guard_gradient, crossing->rate_gradient}};
}

// Solves C C' x = x. False when the gradients are 0 or parallel: then there is no guard here.
static bool solve_normal(int n, const constraints *c, double x[MOST_CONSTRAINTS]) {
    double A[MOST_CONSTRAINTS * MOST_CONSTRAINTS], scale[MOST_CONSTRAINTS];
    for (int i = 0; i < c->count; i++)
        scale[i] = zeno_norm(n, c->gradient[i]);
    for (int i = 0; i < c->count; i++) {
        if (!(scale[i] > 0)) return false;
        for (int j = 0; j < c->count; j++)
            A[i * c->count + j] = zeno_dot(n, c->gradient[i], c->gradient[j]) / scale[i] / scale[j];
        x[i] /= scale[i];
    }
    if (!zeno_cholesky_factor(c->count, A)) return false;
    zeno_cholesky_solve(c->count, A, x);
    for (int i = 0; i < c->count; i++)
        x[i] /= scale[i];
    return true;
}

// Moves guard point i onto its guard: Newton's method with the shortest steps.
static bool land(search *s, place *x, int i) {
    enum { MOST_ITERATIONS = 40 };
    const int n = s->n;
    double *z = x->z + i * n;
    double last = INFINITY;
    for (int iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
        if (!look(s, i, z, &x->crossing[i])) return false;
        const constraints c = constraints_of(s, i, &x->crossing[i]);
        double multiplier[MOST_CONSTRAINTS] = {c.value[0], c.value[1]};
        if (!solve_normal(n, &c, multiplier)) return false;
        double *correction = s->scratch;
        memset(correction, 0, sizeof(double) * (size_t)n);
        for (int j = 0; j < c.count; j++)
            zeno_add(n, -multiplier[j], c.gradient[j], correction);
        const double size = zeno_norm(n, correction);
        const double rounding = DBL_EPSILON * (zeno_norm(n, z) + zeno_norm(n, s->chain->begin));
        if (size <= rounding) return true;
        // At the rounding errors of the guard itself the steps no longer shrink.
        if (size <= 1e4 * rounding && size >= last / 2) return true;
        zeno_add(n, 1, correction, z);
        last = size;
    }
    return false;
}

static bool land_all(search *s, place *x) {
    for (int i = 0; i < s->chain->steps; i++) {
        if (!land(s, x, i)) return false;
    }
    measure(s, x);
    return true;
}

// A rate of 0 within what is left of the optimum's errors counts as falling.
static bool all_fall(const search *s, const place *x) {
    for (int i = 0; i < s->chain->steps; i++) {
        const metric_crossing *c = &x->crossing[i];
        const double size = zeno_norm(s->n, c->rate_gradient) * (1 + zeno_norm(s->n, x->z + i * s->n));
        if (!(s->active >> i & 1) && c->rate > 1e-12 * size) return false;
    }
    return true;
}

// ---- tangent spaces

// x -= 2 u (u x), for a unit vector u
static void reflect(int n, const double *u, double *x) {
    zeno_add(n, -2 * zeno_dot(n, u, x), u, x);
}

// Tangent vectors of the constraints: the last columns of Q in the QR factorisation of their gradients (Householder).
static void find_tangents(search *s, int step) {
    const int n = s->n;
    const constraints c = constraints_of(s, step, &s->here.crossing[step]);
    double *mirror = s->scratch; // [count x n]
    for (int j = 0; j < c.count; j++) {
        double *u = mirror + j * n;
        memcpy(u, c.gradient[j], sizeof(double) * (size_t)n);
        for (int k = 0; k < j; k++)
            reflect(n, mirror + k * n, u);
        memset(u, 0, sizeof(double) * (size_t)j);
        u[j] += copysign(zeno_norm(n, u), u[j]);
        const double size = zeno_norm(n, u);
        for (int i = j; i < n && size > 0; i++)
            u[i] /= size;
    }
    s->freedom[step] = n - c.count;
    for (int j = 0; j < s->freedom[step]; j++) {
        double *t = s->tangent + (step * n + j) * n;
        memset(t, 0, sizeof(double) * (size_t)n);
        t[c.count + j] = 1;
        for (int k = c.count - 1; k >= 0; k--)
            reflect(n, mirror + k * n, t);
    }
}

// The images of the tangent vectors under in() and out().
static void push_tangents(search *s, int step) {
    const int n = s->n;
    const bool backward = s->chain->step[step].backward;
    double *image = backward ? s->into : s->out, *same = backward ? s->out : s->into;
    for (int j = 0; j < s->freedom[step]; j++) {
        const int row = (step * n + j) * n;
        memcpy(same + row, s->tangent + row, sizeof(double) * (size_t)n);
        for (int i = 0; i < n; i++)
            image[row + i] = zeno_dot(n, s->here.crossing[step].jacobian + i * n, s->tangent + row);
    }
}

// ---- derivatives of the length

// The gradient in guard point i: in'(g)^T y_i - out'(g)^T y_(i+1), with the Jacobian in `crossing`.
static void pull_back(const search *s, int step, const metric_crossing *crossing, double *gradient) {
    const int n = s->n;
    const bool backward = s->chain->step[step].backward;
    const double *arriving = s->y + step * n, *leaving = arriving + n;
    const double *through = backward ? arriving : leaving, *plain = backward ? leaving : arriving;
    const double sign = backward ? 1 : -1;
    for (int i = 0; i < n; i++)
        gradient[i] = -sign * plain[i];
    for (int k = 0; k < n; k++)
        zeno_add(n, sign * through[k], crossing->jacobian + k * n, gradient);
}

// The gradient of the Lagrangian: that of the length minus C' lambda.
static void lagrangian_gradient(const search *s, int step, const metric_crossing *crossing, const double *lambda,
                                double *gradient) {
    pull_back(s, step, crossing, gradient);
    const constraints c = constraints_of(s, step, crossing);
    for (int j = 0; j < c.count; j++)
        zeno_add(s->n, -lambda[j], c.gradient[j], gradient);
}

// What the curvature of guard and reset adds to the Hessian: differences of the Lagrangian's gradient along the
// tangents, with y and lambda held. (Unlike the lengths themselves it has no kinks, so that differences are good
// enough.)
static bool add_curvature(search *s, int step, int first) {
    if (s->chain->space->gluing[s->chain->step[step].gluing].affine) return true;
    const int n = s->n;
    const double *z = s->here.z + step * n;
    double *base = s->scratch, *moved = base + n, *shifted = moved + n;
    const constraints c = constraints_of(s, step, &s->here.crossing[step]);
    pull_back(s, step, &s->here.crossing[step], base);
    double lambda[MOST_CONSTRAINTS] = {0};
    for (int j = 0; j < c.count; j++)
        lambda[j] = zeno_dot(n, c.gradient[j], base);
    if (!solve_normal(n, &c, lambda)) return false;
    lagrangian_gradient(s, step, &s->here.crossing[step], lambda, base);
    const double difference = 1e-6 * (1 + zeno_norm(n, z));
    for (int j = 0; j < s->freedom[step]; j++) {
        memcpy(shifted, z, sizeof(double) * (size_t)n);
        zeno_add(n, difference, s->tangent + (step * n + j) * n, shifted);
        if (!look(s, step, shifted, &s->probe)) return false;
        lagrangian_gradient(s, step, &s->probe, lambda, moved);
        zeno_add(n, -1, base, moved);
        for (int i = 0; i < s->freedom[step]; i++) {
            const double value = zeno_dot(n, s->tangent + (step * n + i) * n, moved) / difference;
            s->bend = fmax(s->bend, fabs(value));
            s->hessian[(first + i) * s->unknowns + first + j] += value / 2;
            s->hessian[(first + j) * s->unknowns + first + i] += value / 2;
        }
    }
    return true;
}

// One line's share of the Hessian between two sets of directions: sign * a (1 - r r'/rho^2)/rho b'.
static void add_line(search *s, const double *r, double rho, double sign, const double *a, int a_count, int a_first,
                     const double *b, int b_count, int b_first) {
    const int n = s->n;
    for (int j = 0; j < b_count; j++) {
        double *projected = s->scratch;
        memcpy(projected, b + j * n, sizeof(double) * (size_t)n);
        zeno_add(n, -zeno_dot(n, r, projected) / rho / rho, r, projected);
        for (int i = 0; i < a_count; i++)
            s->hessian[(a_first + i) * s->unknowns + b_first + j] += sign * zeno_dot(n, a + i * n, projected) / rho;
    }
}

static void add_lines(search *s, double mu, const int *first) {
    const int n = s->n;
    for (int leg = 0; leg < s->legs; leg++) {
        const double *r = s->here.r + leg * n;
        const double rho = hypot(zeno_norm(n, r), mu);
        const double *from = s->out + (leg - 1) * n * n, *to = s->into + leg * n * n;
        const bool begins = leg > 0, ends = leg < s->chain->steps;
        if (begins)
            add_line(s, r, rho, 1, from, s->freedom[leg - 1], first[leg - 1], from, s->freedom[leg - 1],
                     first[leg - 1]);
        if (ends) add_line(s, r, rho, 1, to, s->freedom[leg], first[leg], to, s->freedom[leg], first[leg]);
        if (!begins || !ends) continue;
        add_line(s, r, rho, -1, from, s->freedom[leg - 1], first[leg - 1], to, s->freedom[leg], first[leg]);
        add_line(s, r, rho, -1, to, s->freedom[leg], first[leg], from, s->freedom[leg - 1], first[leg - 1]);
    }
}

// Gradient and Hessian of the smoothed length at `here`, in the tangent spaces.
static bool differentiate(search *s, double mu) {
    const int n = s->n, steps = s->chain->steps;
    int first[METRIC_MOST_TRANSITIONS + 1] = {0};
    memset(s->y, 0, sizeof(double) * (size_t)((steps + 1) * n));
    for (int leg = 0; leg < s->legs; leg++)
        zeno_add(n, 1 / hypot(zeno_norm(n, s->here.r + leg * n), mu), s->here.r + leg * n, s->y + leg * n);
    for (int step = 0; step < steps; step++) {
        find_tangents(s, step);
        push_tangents(s, step);
        first[step + 1] = first[step] + s->freedom[step];
        pull_back(s, step, &s->here.crossing[step], s->scratch);
        for (int j = 0; j < s->freedom[step]; j++)
            s->gradient[first[step] + j] = zeno_dot(n, s->tangent + (step * n + j) * n, s->scratch);
    }
    s->bend = 0;
    s->unknowns = first[steps];
    memset(s->hessian, 0, sizeof(double) * (size_t)(s->unknowns * s->unknowns));
    add_lines(s, mu, first);
    for (int step = 0; step < steps; step++) {
        if (!add_curvature(s, step, first[step])) return false;
    }
    return true;
}

// ---- Newton's method

// The Newton direction, with as much of the identity added to the Hessian as makes it positive definite. Its product
// with the negative gradient: about twice what the step will gain.
static double find_direction(search *s) {
    const int d = s->unknowns;
    double largest = 0;
    for (int i = 0; i < d; i++)
        largest = fmax(largest, fabs(s->hessian[i * d + i]));
    double shift = 0;
    for (int attempt = 0; attempt < 40; attempt++) {
        memcpy(s->factor, s->hessian, sizeof(double) * (size_t)(d * d));
        for (int i = 0; i < d; i++)
            s->factor[i * d + i] += shift;
        if (zeno_cholesky_factor(d, s->factor)) break;
        shift = shift > 0 ? 10 * shift : 1e-12 * largest + DBL_MIN;
    }
    for (int i = 0; i < d; i++)
        s->direction[i] = -s->gradient[i];
    zeno_cholesky_solve(d, s->factor, s->direction);
    return all_finite(d, s->direction) ? -zeno_dot(d, s->gradient, s->direction) : NAN;
}

// `trial` becomes `here` moved along the direction and landed.
static bool move(search *s, double fraction) {
    const int n = s->n;
    copy_place(s, &s->here, &s->trial);
    for (int step = 0, unknown = 0; step < s->chain->steps; step++) {
        for (int j = 0; j < s->freedom[step]; j++, unknown++)
            zeno_add(n, fraction * s->direction[unknown], s->tangent + (step * n + j) * n, s->trial.z + step * n);
    }
    return land_all(s, &s->trial);
}

// One step with a line search. False when none makes the length any smaller.
static bool advance(search *s, double mu, double gain) {
    const double before = length(s, &s->here, mu);
    for (int halvings = 0; halvings < 27; halvings++) {
        const double fraction = ldexp(1, -halvings);
        if (!move(s, fraction)) continue;
        const double after = length(s, &s->trial, mu);
        if (after <= before - 1e-4 * fraction * gain && after < before) {
            const place here = s->here;
            s->here = s->trial;
            s->trial = here;
            return true;
        }
    }
    return false;
}

// Minimises the length smoothed by `mu`, until a step would gain no more than `enough`. True when it got there.
static bool descend(search *s, double mu, double enough, int *iterations) {
    for (; *iterations > 0; --*iterations) {
        if (!differentiate(s, mu)) return false;
        if (s->unknowns == 0) return true;
        const double gain = find_direction(s);
        if (!(gain > enough)) return !isnan(gain);
        if (!advance(s, mu, gain)) return false;
    }
    return false;
}

static double shortest_line(const search *s) {
    double least = INFINITY;
    for (int leg = 0; leg < s->legs; leg++)
        least = fmin(least, zeno_norm(s->n, s->here.r + leg * s->n));
    return least;
}

// From `here`, which is on the guards, to a minimum. True when it was reached to within rounding, or when it can't be
// below the limit: sqrt(|r|^2 + mu^2) <= |r| + mu.
static bool minimize(search *s) {
    const double size = zeno_norm(s->n, s->chain->begin) + zeno_norm(s->n, s->here.z) + length(s, &s->here, 0);
    const double least = 4 * DBL_EPSILON * size;
    int iterations = 300;
    double mu = fmax(0.1 * length(s, &s->here, 0), least);
    for (;;) {
        const double enough = fmax(0.01 * mu, least);
        const bool reached = descend(s, mu, enough, &iterations);
        const double last = fmax(1e-14 * length(s, &s->here, 0), least);
        if (mu <= last || iterations == 0) return reached;
        if (reached && length(s, &s->here, mu) - s->legs * mu - enough >= s->limit) return true;
        // Without a kink nearby the smoothing has hardly any effect left.
        mu = shortest_line(s) > 100 * mu ? last : fmax(0.1 * mu, last);
    }
}

// ---- starts

static bool land_near(search *s, int step, const double *x, double spread, unsigned *random) {
    for (int i = 0; i < s->n; i++) {
        *random = *random * 1664525u + 1013904223u; // Numerical Recipes' generator: any will do
        s->here.z[step * s->n + i] = x[i] + spread * ((double)(*random >> 8) / (1 << 23) - 1);
    }
    return land(s, &s->here, step);
}

// Where a search begins: forward transitions follow the curve from its beginning, backward ones from its end, each from
// the nearest guard point; `spread` moves what the guard points are sought from by random amounts of that size.
static bool begin(search *s, double spread, unsigned *random) {
    const int steps = s->chain->steps;
    const double *arrival = s->chain->begin;
    for (int i = 0; i < steps; i++) {
        if (s->chain->step[i].backward) continue;
        if (!land_near(s, i, arrival, spread, random)) return false;
        arrival = s->here.crossing[i].image;
    }
    arrival = s->chain->end ? s->chain->end : s->chain->begin;
    for (int i = steps - 1; i >= 0; i--) {
        if (!s->chain->step[i].backward) continue;
        if (!land_near(s, i, arrival, spread, random)) return false;
        arrival = s->here.crossing[i].image;
    }
    measure(s, &s->here);
    return true;
}

// The same, but the guard points at the far ends of the first and last line from where these are shortest.
static bool begin_at_hints(search *s) {
    unsigned unused = 0;
    const int last = s->chain->steps - 1;
    const bool first_known = s->chain->near_begin && s->chain->step[0].backward;
    const bool last_known = s->chain->near_end && !s->chain->step[last].backward;
    if (!first_known && !last_known) return false; // no other start
    if (!begin(s, 0, &unused)) return false;
    if (first_known && !land_near(s, 0, s->chain->near_begin, 0, &unused)) return false;
    if (last_known && !land_near(s, last, s->chain->near_end, 0, &unused)) return false;
    measure(s, &s->here);
    return true;
}

// ---- the whole search

static bool convex(const metric_chain *chain) {
    for (int i = 0; i < chain->steps; i++) {
        if (!chain->space->gluing[chain->step[i].gluing].affine) return false;
    }
    return true;
}

// What a search has found.
typedef struct finding {
    double falling; // the shortest curve through falling guards
    double any;     // the shortest curve
    bool sure;      // `any` is certainly the minimum
} finding;

static void note(search *s, finding *found) {
    const double now = length(s, &s->here, 0);
    if (s->points && now < found->any) memcpy(s->points, s->here.z, sizeof(double) * (size_t)(s->chain->steps * s->n));
    found->any = fmin(found->any, now);
    if (!all_fall(s, &s->here)) return;
    found->falling = fmin(found->falling, now);
    s->limit = fmin(s->limit, now);
}

// How much two vectors differ, relative to the second.
static double change(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum) / (zeno_norm(n, b) + DBL_MIN);
}

// The other end of the line that the curve has on the guard's side of a step; NULL where it has none.
static const double *across(const search *s, int step) {
    const bool backward = s->chain->step[step].backward;
    const int other = backward ? step + 1 : step - 1;
    if (other < 0) return s->chain->begin;
    if (other == s->chain->steps) return s->chain->end;
    return backward ? in(s, &s->here, other) : out(s, &s->here, other);
}

// Whether guards and resets are as good as affine on the scale of the curve: then there is no other minimum nearby.
static bool nearly_convex(search *s) {
    if (s->bend * length(s, &s->here, 0) > 1e-3) return false;
    for (int i = 0; i < s->chain->steps; i++) {
        const double *x = across(s, i);
        if (!x || !look(s, i, x, &s->probe)) return false;
        if (change(s->n, s->probe.guard_gradient, s->here.crossing[i].guard_gradient) > 1e-3) return false;
    }
    return true;
}

// The best of several starts with the guards `active` held at rate 0.
static finding search_from_starts(search *s, int starts) {
    static const double spreads[] = {2, 1, 0.3};
    finding found = {INFINITY, INFINITY, false};
    const bool unique = convex(s->chain);
    unsigned random = 1;
    for (int start = 0; start < (unique ? 1 : starts); start++) {
        const double known = fmin(found.any, s->limit);
        const double size = isfinite(known) ? known : 1 + zeno_norm(s->n, s->chain->begin);
        const bool begun =
            start == 1 ? begin_at_hints(s) : begin(s, start == 0 ? 0 : spreads[start % 3] * size, &random);
        if (!begun) continue;
        note(s, &found);
        found.sure = minimize(s) && unique;
        note(s, &found);
        if (nearly_convex(s)) break;
    }
    return found;
}

static metric_length search_all(search *s, int starts) {
    const finding free = search_from_starts(s, starts);
    if (!s->chain->end) return (metric_length){free.any, free.sure}; // a lower bound: the rates don't matter
    metric_length best = {free.falling, free.sure};
    if (free.falling <= free.any || free.any >= s->chain->limit) return best;
    // In a convex problem the minimum is that of one of these, where the guards that it has at rate 0 are held there.
    for (s->active = 1; s->active < 1u << s->chain->steps; s->active++) {
        const finding held = search_from_starts(s, starts);
        if (held.falling < best.length) best = (metric_length){held.falling, held.sure};
    }
    return best;
}

// ---- memory

static double *take(double **next, int count) {
    double *taken = *next;
    *next += count;
    return taken;
}

static void take_crossing(double **next, int n, metric_crossing *c) {
    c->guard_gradient = take(next, n);
    c->rate_gradient = take(next, n);
    c->image = take(next, n);
    c->jacobian = take(next, n * n);
}

static void take_place(double **next, const search *s, place *x) {
    x->z = take(next, s->chain->steps * s->n);
    x->r = take(next, s->legs * s->n);
    for (int i = 0; i < s->chain->steps; i++)
        take_crossing(next, s->n, &x->crossing[i]);
}

bool metric_chain_minimize(const metric_chain *chain, int starts, double *points, metric_length *result) {
    const int n = chain->space->dimension, k = chain->steps;
    search s = {.chain = chain, .n = n, .legs = chain->end ? k + 1 : k, .points = points, .limit = chain->limit};
    const int crossing = 3 * n + n * n, placed = (2 * k + 1) * n + k * crossing;
    const int total = 2 * placed + crossing + 3 * k * n * n + (k + 1) * n + 2 * k * n * k * n + 2 * k * n + 4 * n;
    double *memory = malloc(sizeof(double) * (size_t)total), *next = memory;
    if (!memory) return false;
    take_place(&next, &s, &s.here);
    take_place(&next, &s, &s.trial);
    take_crossing(&next, n, &s.probe);
    s.tangent = take(&next, k * n * n);
    s.into = take(&next, k * n * n);
    s.out = take(&next, k * n * n);
    s.y = take(&next, (k + 1) * n);
    s.hessian = take(&next, k * n * k * n);
    s.factor = take(&next, k * n * k * n);
    s.gradient = take(&next, k * n);
    s.direction = take(&next, k * n);
    s.scratch = take(&next, 4 * n);
    *result = search_all(&s, starts);
    free(memory);
    return true;
}
