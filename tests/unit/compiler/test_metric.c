// Distances in glued spaces: closed forms, properties of a metric, and dense sampling of the guards.

#include "expect.h"
#include "metric.h"

#include <stdlib.h>

enum { MOST_STATES = 4, MOST_GLUINGS = 8 };

// A space whose guards, rates and resets are affine:
// guard = normal x + offset, rate = rate_normal x + rate_offset, image = matrix x + shift.
typedef struct affine_gluing {
    double normal[MOST_STATES], offset;
    double rate_normal[MOST_STATES], rate_offset;
    double matrix[MOST_STATES][MOST_STATES], shift[MOST_STATES];
} affine_gluing;

typedef struct affine_space {
    metric_space space;
    metric_gluing gluing[MOST_GLUINGS];
    affine_gluing data[MOST_GLUINGS];
} affine_space;

static double applied(int n, const double *row, const double *x) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += row[i] * x[i];
    return sum;
}

static void cross_affine(void *context, int gluing, const metric_situation *at, const double *x,
                         metric_crossing *crossing) {
    (void)at;
    const affine_space *a = context;
    const affine_gluing *g = &a->data[gluing];
    const int n = a->space.dimension;
    crossing->guard = applied(n, g->normal, x) + g->offset;
    crossing->rate = applied(n, g->rate_normal, x) + g->rate_offset;
    for (int i = 0; i < n; i++) {
        crossing->guard_gradient[i] = g->normal[i];
        crossing->rate_gradient[i] = g->rate_normal[i];
        crossing->image[i] = applied(n, g->matrix[i], x) + g->shift[i];
        for (int j = 0; j < n; j++)
            crossing->jacobian[i * n + j] = g->matrix[i][j];
    }
}

static void affine_space_begin(affine_space *a, int n, int domains) {
    *a = (affine_space){.space = {.dimension = n, .domains = domains, .gluing = a->gluing, .context = a}};
    a->space.cross = cross_affine;
}

// A new gluing, with the identity as reset and always falling.
static affine_gluing *glue(affine_space *a, int from, int to, double offset) {
    affine_gluing *g = &a->data[a->space.gluings];
    a->gluing[a->space.gluings++] = (metric_gluing){.name = "", .from = from, .to = to, .affine = true};
    g->offset = offset;
    g->rate_offset = -1;
    for (int i = 0; i < a->space.dimension; i++)
        g->matrix[i][i] = 1;
    return g;
}

static metric_point at(int domain, const double *x) {
    return (metric_point){.domain = domain, .x = x};
}

static metric_result distance_result(const metric_space *space, metric_point p, metric_point q, int transitions) {
    metric_result result;
    assert_true(metric_distance(space, &p, &q, transitions, &result));
    return result;
}

static double distance_of(const metric_space *space, metric_point p, metric_point q) {
    return distance_result(space, p, q, metric_default_transitions(space)).distance;
}

static double uniform(double low, double high) {
    return low + (high - low) * rand() / RAND_MAX;
}

// ---- the digital control system [Burden, Fig. 1]

static void digital_control(affine_space *a) {
    affine_space_begin(a, 2, 4);
    static const int edges[4][3] = {{0, 1, 0}, {0, 2, 1}, {1, 3, 1}, {2, 3, 0}}; // from, to, which threshold
    for (int i = 0; i < 4; i++) {
        glue(a, edges[i][0], edges[i][1], 0)->normal[edges[i][2]] = -1;
        a->gluing[i].identity = true;
    }
}

static int mode_of(const double *x) {
    return (x[0] >= 0) + 2 * (x[1] >= 0);
}

static void the_digital_control_system_has_the_distance_of_the_plane(void **state) {
    (void)state;
    affine_space a;
    digital_control(&a);
    for (int i = 0; i < 500; i++) {
        const double x[2] = {uniform(-1, 1), uniform(-1, 1)}, y[2] = {uniform(-1, 1), uniform(-1, 1)};
        const metric_point p = at(mode_of(x), x), q = at(mode_of(y), y);
        const metric_result result = distance_result(&a.space, p, q, 2);
        expect_near(result.distance, hypot(x[0] - y[0], x[1] - y[1]), 1e-13);
        assert_int_equal(result.quality, METRIC_EXACT);
    }
}

static void the_shortest_curve_names_its_transitions(void **state) {
    (void)state;
    affine_space a;
    digital_control(&a);
    const double x[2] = {0.1, -0.01}, y[2] = {-0.01, 0.1}; // the line between them passes through mode 3
    const metric_result result = distance_result(&a.space, at(1, x), at(2, y), 2);
    assert_int_equal(result.steps, 2);
    assert_int_equal(result.step[0].gluing, 2);
    assert_false(result.step[0].backward);
    assert_int_equal(result.step[1].gluing, 3);
    assert_true(result.step[1].backward);
}

static void domains_too_many_transitions_apart_are_infinitely_far(void **state) {
    (void)state;
    affine_space a;
    digital_control(&a);
    const double x[2] = {-1, -1}, y[2] = {1, 1};
    const metric_point p = at(0, x), q = at(3, y);
    assert_true(isinf(distance_result(&a.space, p, q, 1).distance));
    assert_int_equal(distance_result(&a.space, p, q, 1).quality, METRIC_EXACT_WITHIN);
    expect_near(distance_result(&a.space, p, q, 2).distance, sqrt(8), 1e-13);
    a.space.domains = 5; // a domain without any transition
    assert_true(isinf(distance_result(&a.space, p, at(4, y), 6).distance));
    assert_int_equal(distance_result(&a.space, p, at(4, y), 6).quality, METRIC_EXACT);
}

static void by_default_all_domains_can_be_reached(void **state) {
    (void)state;
    affine_space a;
    affine_space_begin(&a, 1, 5);
    for (int i = 0; i < 4; i++)
        glue(&a, i + 1, i, 0)->normal[0] = 1; // a row of domains: four transitions from end to end
    assert_int_equal(metric_default_transitions(&a.space), 4);
    a.space.gluings = 1;
    assert_int_equal(metric_default_transitions(&a.space), 2);
}

// ---- one domain with an impact: x <= stop, v -> -c v [Burden, V-B]

static void oscillator(affine_space *a, double stop, double c) {
    affine_space_begin(a, 2, 1);
    affine_gluing *g = glue(a, 0, 0, stop);
    g->normal[0] = -1;
    g->rate_normal[1] = -1;
    g->rate_offset = 0;
    g->matrix[1][1] = -c;
    a->gluing[0].reflection = true;
}

// The least value of a convex function of s >= 0.
static double least(double (*f)(const double *data, double s), const double *data, double high) {
    double low = 0;
    for (int i = 0; i < 200; i++) {
        const double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (f(data, a) < f(data, b))
            high = b;
        else
            low = a;
    }
    return f(data, low);
}

// data: p, q, stop, c. Through the impact at speed s: once, or there at s and back at the speed data[6].
static double once(const double *data, double s) {
    return hypot(data[0] - data[4], data[1] - s) + hypot(data[2] - data[4], data[3] + data[5] * s);
}

static double there_and_back(const double *data, double s) {
    return hypot(data[0] - data[4], data[1] - s) + data[5] * fabs(s - data[6]) +
           hypot(data[2] - data[4], data[3] - data[6]);
}

static double best_way_back(const double *data, double s) {
    const double with_return[7] = {data[0], data[1], data[2], data[3], data[4], data[5], s};
    return least(there_and_back, with_return, 20);
}

static double oscillator_reference(const double *p, const double *q, double stop, double c) {
    const double forward[6] = {p[0], p[1], q[0], q[1], stop, c}, backward[6] = {q[0], q[1], p[0], p[1], stop, c};
    const double impact = fmin(least(once, forward, 20), least(once, backward, 20));
    return fmin(fmin(hypot(p[0] - q[0], p[1] - q[1]), impact), least(best_way_back, forward, 20));
}

static void the_impact_oscillator_agrees_with_minimisation_by_hand(void **state) {
    (void)state;
    affine_space a;
    for (int i = 0; i < 300; i++) {
        const double stop = uniform(-1, 1), c = i % 10 == 0 ? 1 : uniform(0, 1);
        oscillator(&a, stop, c);
        const double x[2] = {stop - uniform(0, 1), uniform(-3, 3)}, y[2] = {stop - uniform(0, 1), uniform(-3, 3)};
        const metric_result result = distance_result(&a.space, at(0, x), at(0, y), 2);
        expect_near(result.distance, oscillator_reference(x, y, stop, c), 1e-12);
        assert_int_equal(result.quality, METRIC_EXACT);
    }
}

// On the stop itself distances are elementary: with speeds a, b > 0 towards it c|a - b|, because the images are
// closer; away from it |a - b|; from one to the other |a - c b|.
static void on_the_stop_the_distance_is_that_of_the_images(void **state) {
    (void)state;
    affine_space s;
    oscillator(&s, 2, 0.5);
    const double towards[2] = {2, 3}, faster[2] = {2, 5}, away[2] = {2, -1}, image[2] = {2, -1.5};
    const metric_point p = at(0, towards);
    expect_near(distance_of(&s.space, p, at(0, faster)), 1, 1e-14);
    expect_near(distance_of(&s.space, p, at(0, away)), 0.5, 1e-14);
    assert_true(distance_of(&s.space, p, at(0, image)) == 0);
    assert_true(distance_of(&s.space, at(0, image), p) == 0);
}

// A guard point and its image are one point, and a state at a distance from one is as far from the other.
static void a_guard_point_and_its_image_are_one_point(void **state) {
    (void)state;
    affine_space a;
    for (int i = 0; i < 200; i++) {
        oscillator(&a, 0.7, 0.8);
        const double v = uniform(0, 4), x[2] = {0.7, v}, y[2] = {0.7, -0.8 * v},
                     z[2] = {uniform(-1, 0.7), uniform(-4, 4)};
        const metric_point guard = at(0, x), image = at(0, y), other = at(0, z);
        assert_true(distance_of(&a.space, guard, image) == 0);
        expect_near(distance_of(&a.space, guard, other), distance_of(&a.space, image, other), 1e-13);
    }
}

static void the_distance_is_a_metric(void **state) {
    (void)state;
    affine_space a;
    oscillator(&a, 0, 0.6);
    for (int i = 0; i < 200; i++) {
        double x[3][2];
        metric_point p[3];
        for (int j = 0; j < 3; j++) {
            x[j][0] = uniform(-1, 0);
            x[j][1] = uniform(-2, 2);
            p[j] = at(0, x[j]);
        }
        const double pq = distance_of(&a.space, p[0], p[1]), qr = distance_of(&a.space, p[1], p[2]);
        const double pr = distance_of(&a.space, p[0], p[2]);
        expect_near(distance_of(&a.space, p[1], p[0]), pq, 1e-13);
        assert_true(pr <= pq + qr + 1e-12);
        assert_true(distance_of(&a.space, p[0], p[0]) == 0);
        assert_true(pq > 0);
    }
}

// Dijkstra over points on the stop, any number of transitions: no curve needs more than two.
static void more_transitions_make_no_curve_shorter_at_an_impact(void **state) {
    (void)state;
    enum { SIDE = 300, NODES = 2 * SIDE + 2 };
    affine_space a;
    const double c = 0.7, most = 3;
    oscillator(&a, 0, c);
    for (int trial = 0; trial < 6; trial++) {
        double x[NODES][2], d[NODES];
        bool done[NODES] = {false};
        for (int i = 0; i < SIDE; i++) {
            const double speed = most * i / (SIDE - 1);
            x[i][0] = x[SIDE + i][0] = 0;
            x[i][1] = speed;
            x[SIDE + i][1] = -c * speed; // glued to node i
        }
        for (int i = 2 * SIDE; i < NODES; i++) {
            x[i][0] = -uniform(0, 0.5);
            x[i][1] = uniform(-2, 2);
        }
        for (int i = 0; i < NODES; i++)
            d[i] = i == NODES - 2 ? 0 : INFINITY;
        for (;;) {
            int nearest = -1;
            for (int i = 0; i < NODES; i++) {
                if (!done[i] && (nearest < 0 || d[i] < d[nearest])) nearest = i;
            }
            if (nearest == NODES - 1) break;
            done[nearest] = true;
            for (int i = 0; i < NODES; i++) {
                const bool glued = i < 2 * SIDE && nearest < 2 * SIDE && i % SIDE == nearest % SIDE;
                const double way = glued ? 0 : hypot(x[i][0] - x[nearest][0], x[i][1] - x[nearest][1]);
                d[i] = fmin(d[i], d[nearest] + way);
            }
        }
        const double found = distance_of(&a.space, at(0, x[NODES - 2]), at(0, x[NODES - 1]));
        assert_true(found <= d[NODES - 1] + 1e-12);
        expect_near(found, d[NODES - 1], 2 * most / SIDE); // two crossings between grid points
    }
}

// ---- random affine spaces

// The least length over guard points around `centre`, by sampling: once coarsely, then closer and closer.
static double sampled(const affine_space *a, const int *chain, int steps, const double *p, const double *q) {
    const int n = a->space.dimension;
    double best = INFINITY, centre[2 * MOST_STATES] = {0}, width = 8;
    for (int round = 0; round < 40; round++, width *= 0.75) {
        double best_here[2 * MOST_STATES];
        memcpy(best_here, centre, sizeof best_here);
        for (int i = 0; i < 3000; i++) {
            double point[2 * MOST_STATES], total = 0, here[MOST_STATES];
            memcpy(here, p, sizeof(double) * (size_t)n);
            bool falls = true;
            for (int step = 0; step < steps; step++) {
                const affine_gluing *g = &a->data[chain[step]];
                double *z = point + step * n, square = 0, image[MOST_STATES];
                for (int j = 0; j < n; j++)
                    z[j] = centre[step * n + j] + uniform(-width, width);
                const double off = applied(n, g->normal, z) + g->offset;
                for (int j = 0; j < n; j++)
                    square += g->normal[j] * g->normal[j];
                for (int j = 0; j < n; j++)
                    z[j] -= off * g->normal[j] / square;
                falls = falls && applied(n, g->rate_normal, z) + g->rate_offset <= 0;
                double way = 0;
                for (int j = 0; j < n; j++) {
                    image[j] = applied(n, g->matrix[j], z) + g->shift[j];
                    way += (z[j] - here[j]) * (z[j] - here[j]);
                }
                total += sqrt(way);
                memcpy(here, image, sizeof(double) * (size_t)n);
            }
            double way = 0;
            for (int j = 0; j < n; j++)
                way += (q[j] - here[j]) * (q[j] - here[j]);
            total += sqrt(way);
            if (!falls || total >= best) continue;
            best = total;
            memcpy(best_here, point, sizeof(double) * (size_t)(steps * n));
        }
        memcpy(centre, best_here, sizeof centre);
    }
    return best;
}

static void affine_gluings_agree_with_sampled_guards(void **state) {
    (void)state;
    affine_space a;
    int attained = 0;
    enum { TRIALS = 30 };
    for (int trial = 0; trial < TRIALS; trial++) {
        const int n = 2 + trial % 2;
        affine_space_begin(&a, n, 3);
        for (int i = 0; i < 2; i++) {
            affine_gluing *g = glue(&a, i, i + 1, uniform(-1, 1));
            for (int j = 0; j < n; j++) {
                g->normal[j] = uniform(-1, 1);
                g->rate_normal[j] = uniform(-1, 1);
                g->shift[j] = uniform(-1, 1);
                for (int k = 0; k < n; k++)
                    g->matrix[j][k] = uniform(-1, 1);
            }
        }
        double x[MOST_STATES], y[MOST_STATES];
        for (int j = 0; j < n; j++) {
            x[j] = uniform(-2, 2);
            y[j] = uniform(-2, 2);
        }
        const metric_result result = distance_result(&a.space, at(0, x), at(2, y), 2);
        const double reference = sampled(&a, (const int[]){0, 1}, 2, x, y);
        assert_int_equal(result.quality, METRIC_EXACT_WITHIN);
        if (!(result.distance <= reference * (1 + 1e-9)))
            fail_msg("%.17g, but a sampled curve has %.17g", result.distance, reference);
        attained += reference <= result.distance * (1 + 1e-2);
    }
    assert_true(attained >= TRIALS * 8 / 10); // random sampling doesn't always find the best corner
}

// ---- guards that are not affine

// Domain 0 glued to domain 1 on the unit circle, by a turn.
static void cross_circle(void *context, int gluing, const metric_situation *at, const double *x,
                         metric_crossing *crossing) {
    (void)gluing, (void)at;
    const double angle = *(const double *)context, c = cos(angle), s = sin(angle);
    crossing->guard = x[0] * x[0] + x[1] * x[1] - 1;
    crossing->rate = -1;
    for (int i = 0; i < 2; i++) {
        crossing->guard_gradient[i] = 2 * x[i];
        crossing->rate_gradient[i] = 0;
    }
    crossing->image[0] = c * x[0] - s * x[1];
    crossing->image[1] = s * x[0] + c * x[1];
    memcpy(crossing->jacobian, (const double[]){c, -s, s, c}, 4 * sizeof(double));
}

static void a_curved_guard_agrees_with_its_dense_sampling(void **state) {
    (void)state;
    enum { SAMPLES = 200000 };
    const double pi = acos(-1);
    for (int trial = 0; trial < 20; trial++) {
        double angle = uniform(-3, 3), reference = INFINITY;
        const metric_gluing gluing = {.name = "", .from = 0, .to = 1};
        const metric_space space = {2, 2, 1, &gluing, NULL, &angle, NULL, cross_circle};
        const double x[2] = {uniform(-2, 2), uniform(-2, 2)}, y[2] = {uniform(-2, 2), uniform(-2, 2)};
        for (int i = 0; i < SAMPLES; i++) {
            const double t = 2 * pi * i / SAMPLES;
            reference = fmin(reference,
                             hypot(x[0] - cos(t), x[1] - sin(t)) + hypot(y[0] - cos(t + angle), y[1] - sin(t + angle)));
        }
        const metric_result result = distance_result(&space, at(0, x), at(1, y), 1);
        assert_true(result.distance <= reference + 1e-12);
        expect_near(result.distance, reference, 4 * pi / SAMPLES); // both lines change at most as fast as the angle
        assert_int_equal(result.quality, METRIC_UPPER_BOUND);
        const metric_result reverse = distance_result(&space, at(1, y), at(0, x), 1);
        expect_near(reverse.distance, result.distance, 1e-10);
    }
}

static bool only_when_held(void *context, int gluing, const metric_situation *at) {
    (void)context, (void)gluing;
    return at->held[0] > 0;
}

// A transition forward sees what the first state holds, one backward what the second holds.
static void a_transition_sees_what_the_state_before_it_holds(void **state) {
    (void)state;
    affine_space a;
    affine_space_begin(&a, 1, 2);
    glue(&a, 0, 1, 0)->normal[0] = 1;
    a.space.enabled = only_when_held;
    const double x = 1, y = -1, yes = 1, no = 0;
    metric_point p = {0, &x, {.held = &yes}}, q = {1, &y, {.held = &no}};
    expect_near(distance_of(&a.space, p, q), 2, 1e-15);
    expect_near(distance_of(&a.space, q, p), 2, 1e-15);
    p.at.held = &no;
    q.at.held = &yes;
    assert_true(isinf(distance_of(&a.space, p, q)));
    assert_true(isinf(distance_of(&a.space, q, p)));
}

static void a_curve_that_reads_what_it_has_set_is_left_out(void **state) {
    (void)state;
    affine_space a;
    affine_space_begin(&a, 1, 3);
    glue(&a, 0, 1, 0)->normal[0] = 1;
    glue(&a, 1, 2, 0)->normal[0] = 1;
    const bool feeds[4] = {false, true, false, false};
    const double x = 1, y = -1;
    const metric_point p = at(0, &x), q = at(2, &y);
    expect_near(distance_of(&a.space, p, q), 2, 1e-15);
    a.space.feeds = feeds;
    const metric_result there = distance_result(&a.space, p, q, 2), back = distance_result(&a.space, q, p, 2);
    assert_true(isinf(there.distance) && isinf(back.distance));
    assert_int_equal(there.quality, METRIC_UPPER_BOUND);
    assert_int_equal(back.quality, METRIC_UPPER_BOUND);
}

static void a_guard_that_never_falls_connects_nothing(void **state) {
    (void)state;
    affine_space a;
    affine_space_begin(&a, 2, 2);
    affine_gluing *g = glue(&a, 0, 1, 0);
    g->normal[0] = 1;
    g->rate_offset = 1;
    const double x[2] = {1, 0}, y[2] = {-1, 0};
    const metric_point p = at(0, x), q = at(1, y);
    assert_true(isinf(distance_of(&a.space, p, q)));
    g->rate_normal[1] = -1; // falls where x[1] >= 1
    expect_near(distance_of(&a.space, p, q), 2 * sqrt(2), 1e-14);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_digital_control_system_has_the_distance_of_the_plane),
        cmocka_unit_test(the_shortest_curve_names_its_transitions),
        cmocka_unit_test(domains_too_many_transitions_apart_are_infinitely_far),
        cmocka_unit_test(by_default_all_domains_can_be_reached),
        cmocka_unit_test(the_impact_oscillator_agrees_with_minimisation_by_hand),
        cmocka_unit_test(on_the_stop_the_distance_is_that_of_the_images),
        cmocka_unit_test(a_guard_point_and_its_image_are_one_point),
        cmocka_unit_test(the_distance_is_a_metric),
        cmocka_unit_test(more_transitions_make_no_curve_shorter_at_an_impact),
        cmocka_unit_test(affine_gluings_agree_with_sampled_guards),
        cmocka_unit_test(a_curved_guard_agrees_with_its_dense_sampling),
        cmocka_unit_test(a_transition_sees_what_the_state_before_it_holds),
        cmocka_unit_test(a_curve_that_reads_what_it_has_set_is_left_out),
        cmocka_unit_test(a_guard_that_never_falls_connects_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
