// DoublePendulum by hand: two uniform rods, theta2 >= 0.

#include <math.h>

#include "bare.h"

static const double m1 = 1, m2 = 1, L1 = 1, L2 = 1, g = 1;

// M and b of M a + b = 0.
typedef struct equations {
    double M11, M12, M22, determinant, b1, b2;
} equations;

static equations evaluate(const double *y) {
    const double theta1 = y[Q], theta2 = y[Q + 1], omega1 = y[V], omega2 = y[V + 1];
    const double c2 = cos(theta2), k = m2 * L1 * L2 * sin(theta2) / 2, both = m2 * L2 * g * sin(theta1 + theta2) / 2;
    equations e = {.M11 = m1 * L1 * L1 / 3 + m2 * (L1 * L1 + L2 * L2 / 3 + L1 * L2 * c2),
                   .M12 = m2 * (3 * L1 * L2 * c2 + 2 * L2 * L2) / 6,
                   .M22 = m2 * L2 * L2 / 3,
                   .b1 = -k * (2 * omega1 + omega2) * omega2 + (m1 / 2 + m2) * L1 * g * sin(theta1) + both,
                   .b2 = k * omega1 * omega1 + both};
    e.determinant = e.M11 * e.M22 - e.M12 * e.M12;
    return e;
}

static double free1(const equations *e) {
    return (e->M12 * e->b2 - e->M22 * e->b1) / e->determinant;
}

static double free2(const equations *e) {
    return (e->M12 * e->b1 - e->M11 * e->b2) / e->determinant;
}

static double gap_acceleration(const double *y) {
    const equations e = evaluate(y);
    return free2(&e);
}

static bare_normal normal(const double *y) {
    const equations e = evaluate(y);
    return (bare_normal){.J = {0, 1}, .w = {-e.M12 / e.determinant, e.M11 / e.determinant}, .W = e.M11 / e.determinant};
}

static double force(const double *y) {
    const equations e = evaluate(y);
    return -free2(&e) * e.determinant / e.M11;
}

static double height(const double *y) {
    return y[Q + 1];
}

static void flight(const double *y, double *dy) {
    const equations e = evaluate(y);
    dy[Q] = y[V];
    dy[Q + 1] = y[V + 1];
    dy[V] = free1(&e);
    dy[V + 1] = free2(&e);
    dy[GAP] = y[GAP_RATE];
    dy[GAP_RATE] = dy[V + 1];
}

static void contact(const double *y, double *dy) {
    const equations e = evaluate(y);
    const double lambda = -free2(&e) * e.determinant / e.M11;
    dy[Q] = y[V];
    dy[Q + 1] = y[V + 1];
    dy[V] = free1(&e) - lambda * e.M12 / e.determinant;
    dy[V + 1] = 0;
    dy[GAP] = lambda;
    dy[GAP_RATE] = 0;
}

const bare_system bare_double_pendulum = {
    .start = {30 * 3.14159265358979323846 / 180, 25 * 3.14159265358979323846 / 180, 0, 0},
    .gap = 25 * 3.14159265358979323846 / 180,
    .gap_rate = 0,
    .restitution = 0.5,
    .flight = flight,
    .contact = contact,
    .gap_acceleration = gap_acceleration,
    .force = force,
    .normal = normal,
    .height = height,
};
