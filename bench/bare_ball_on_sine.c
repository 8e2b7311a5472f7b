// BallOnSine by hand: a point mass above y = sin x.

#include <math.h>

#include "bare.h"

static const double m = 1, g = 1;

static double gap_acceleration(const double *y) {
    return -g + sin(y[Q]) * y[V] * y[V];
}

static bare_normal normal(const double *y) {
    const double slope = cos(y[Q]);
    return (bare_normal){.J = {-slope, 1}, .w = {-slope / m, 1 / m}, .W = (1 + slope * slope) / m};
}

static double force(const double *y) {
    return -gap_acceleration(y) / normal(y).W;
}

static double height(const double *y) {
    return y[Q + 1] - sin(y[Q]);
}

static void flight(const double *y, double *dy) {
    dy[Q] = y[V];
    dy[Q + 1] = y[V + 1];
    dy[V] = 0;
    dy[V + 1] = -g;
    dy[GAP] = y[GAP_RATE];
    dy[GAP_RATE] = gap_acceleration(y);
}

static void contact(const double *y, double *dy) {
    const bare_normal n = normal(y);
    const double lambda = -gap_acceleration(y) / n.W;
    dy[Q] = y[V];
    dy[Q + 1] = y[V + 1];
    dy[V] = lambda * n.w[0];
    dy[V + 1] = lambda * n.w[1] - g;
    dy[GAP] = lambda;
    dy[GAP_RATE] = 0;
}

const bare_system bare_ball_on_sine = {
    .start = {0, 2, 1.5, 0},
    .gap = 2,
    .gap_rate = -1.5,
    .restitution = 0.5,
    .flight = flight,
    .contact = contact,
    .gap_acceleration = gap_acceleration,
    .force = force,
    .normal = normal,
    .height = height,
};
