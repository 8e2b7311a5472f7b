// A ball at the edge against its closed form: masses over 24 orders, heights and gravities over twelve, restitutions up
// to 1, all tolerances, steps from a billionth to thousands of its first fall.

#include <math.h>
#include <stdio.h>

#include "soak.h"

// Dropped from rest; without gravity, thrown down.
typedef struct ball {
    double mass, height, gravity, restitution, tolerance;
    double speed, fall; // at the first impact, and how long it takes until then
} ball;

static ball random_ball(uint64_t *random) {
    static const double restitution[] = {0, 1e-12, 0.5, 0.7, 0.95, 1 - 1e-6, 1 - 1e-12, 1};
    ball b = {.mass = pow(10, between(random, -12, 12)),
              .height = pow(10, between(random, -6, 6)),
              .gravity = choose(random, 8) == 0 ? 0 : pow(10, between(random, -6, 6)),
              .restitution = restitution[choose(random, sizeof restitution / sizeof *restitution)],
              .tolerance = pow(10, -between(random, 3, 12))};
    b.speed = b.gravity > 0 ? sqrt(2 * b.gravity * b.height) : pow(10, between(random, -6, 6));
    b.fall = b.gravity > 0 ? b.speed / b.gravity : b.height / b.speed;
    return b;
}

// The conditions of truncation are asked in the ball's own measures.
static const double TRUNCATION = 1e-7;

static bool drop(subject *x, const ball *b) {
    put(x, "m", b->mass);
    put(x, "g", b->gravity);
    put(x, "e", b->restitution);
    put(x, "y", b->height);
    put(x, "vx", 0);
    put(x, "vy", b->gravity > 0 ? 0 : -b->speed);
    put(x, "solver.tolerance", b->tolerance);
    put(x, "truncation.epsilon_q", TRUNCATION * b->height);
    put(x, "truncation.epsilon_v", TRUNCATION * b->speed);
    put(x, "truncation.epsilon_t", TRUNCATION * b->fall);
    return begin(x);
}

// Flights last 2 e^k u/g: k is how many impacts there have been, and what is left of the time is within one flight.
static double height_at(const ball *b, double time, double *impacts) {
    const double e = b->restitution, g = b->gravity;
    double left = time - b->fall, rise = e * b->speed;
    *impacts = left >= 0;
    if (left < 0) return g > 0 ? b->height - g * time * time / 2 : b->height - b->speed * time;
    if (g == 0) return rise * left;
    if (left >= 2 * rise / (g * (1 - e))) return 0;
    for (; left > 2 * rise / g; rise *= e, ++*impacts)
        left -= 2 * rise / g;
    return left * (rise - g * left / 2);
}

// What the tolerance makes of each flight, n of them: speeds differ by a part of n of it, and times by the sum.
static double allowance(const ball *b, double impacts) {
    const double flights = impacts + 1;
    return b->tolerance * flights * flights + 10 * TRUNCATION;
}

static bool check_ball(const subject *x, const ball *b) {
    double impacts;
    const double height = height_at(b, x->time, &impacts), allowed = allowance(b, impacts);
    bool passed = expect_near(x, "gap", get(x, "gap"), height, allowed * b->height);
    if (allowed < 0.01 && get(x, "zeno.count") == 0 && height > 0)
        passed &= expect_near(x, "impacts", get(x, "impacts"), impacts, 1);
    if (get(x, "zeno.count") > 0 && b->restitution < 1)
        passed &=
            expect_near(x, "zeno.time", get(x, "zeno.time"), b->fall * (1 + 2 * b->restitution / (1 - b->restitution)),
                        get(x, "zeno.timeBound") + allowed * b->fall);
    return passed && expect_sense(x, 100 * b->tolerance * b->height);
}

static void describe(const ball *b) {
    fprintf(stderr, "a ball with m = %.17g, y = %.17g, g = %.17g, e = %.17g, vy = %.17g, tolerance %.17g\n", b->mass,
            b->height, b->gravity, b->restitution, b->speed, b->tolerance);
}

void soak_bounces(const company *all, long trials) {
    const loaded_fmu *fmu = fmu_named(all, "BouncingBall");
    uint64_t random = chance(5);
    for (long i = 0; i < trials && failed_checks() < 10 && fmu; i++) {
        const ball b = random_ball(&random);
        subject x = summon(fmu);
        bool going = expect(&x, drop(&x, &b), "any ball can start");
        for (int step = 0; step < 40 && going; step++)
            going = go_to(&x, x.time + b.fall * pow(10, between(&random, -9, 0.5))) && check_ball(&x, &b);
        going = going && go_to(&x, b.fall * pow(10, between(&random, 0, 1.5))) && check_ball(&x, &b);
        if (!going) describe(&b);
        dismiss(&x);
    }
}
