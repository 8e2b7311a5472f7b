// Very many impacts in one run, against closed forms.

#include <math.h>
#include <stdio.h>

#include "soak.h"

static const double TOLERANCE = 1e-12;

// How far things may be off after so many flights, where each is good to the tolerance: the speed by their sum, by its
// size; the count of impacts by the sum of those sums, and by none where that is far less than one.
static double speed_allowance(double flights) {
    return TOLERANCE * flights;
}
static double count_allowance(double flights) {
    const double late = TOLERANCE * flights * flights / 2;
    return late < 0.1 ? 0 : ceil(late);
}

static void report(const subject *x, double began) {
    printf("%10.0f impacts of %s in %.1f s\n", get(x, "impacts"), name_of(x->fmu), seconds() - began);
    fflush(stdout);
}

static bool start_ball(subject *x, double restitution) {
    put(x, "e", restitution);
    put(x, "vx", 0);
    put(x, "solver.tolerance", TOLERANCE);
    return expect(x, begin(x), "a ball can start");
}

// e = 1: from 1 m it is back at 1 m every 2 sqrt(2/g), for ever.
static void bounce_for_ever(const loaded_fmu *fmu, long impacts) {
    subject x = summon(fmu);
    const double began = seconds(), fall = sqrt(2 / 9.81), speed = sqrt(2 * 9.81);
    bool going = start_ball(&x, 1);
    for (int part = 1; part <= 10 && going; part++) {
        const double count = ceil((double)impacts * part / 10);
        going = go_to(&x, 2 * count * fall);
        expect_near(&x, "impacts", get(&x, "impacts"), count, count_allowance(count));
        expect_near(&x, "lastImpactSpeed", get(&x, "lastImpactSpeed"), speed, speed_allowance(count) * speed);
        expect_near(&x, "energy", get(&x, "energy.kinetic") + get(&x, "energy.potential"), 9.81,
                    2 * speed_allowance(count) * 9.81);
        expect_near(&x, "energy.dissipated", get(&x, "energy.dissipated"), 0, 0);
        expect(&x, get(&x, "zeno.count") == 0, "what bounces for ever comes to no Zeno point");
    }
    report(&x, began);
    dismiss(&x);
}

// e just below 1: impact k is at speed u e^(k-1), and impacts pile up only after very many.
static void bounce_for_long(const loaded_fmu *fmu, long impacts) {
    subject x = summon(fmu);
    const double began = seconds(), fall = sqrt(2 / 9.81), speed = sqrt(2 * 9.81), e = 1 - 1.0 / (double)impacts;
    // Midway between impact n and the next: fall (1 + 2 (e + e^2 + ... + e^(n-1)) + e^n).
    const double n = (double)impacts, faded = pow(e, n);
    const double time = fall * (1 + 2 * (e - faded) / (1 - e) + faded);
    if (start_ball(&x, e) && go_to(&x, time)) {
        expect_near(&x, "impacts", get(&x, "impacts"), n, count_allowance(n));
        expect_near(&x, "lastImpactSpeed", get(&x, "lastImpactSpeed"), speed * pow(e, get(&x, "impacts") - 1),
                    speed_allowance(n) * speed);
        expect(&x, get(&x, "zeno.count") == 0, "the Zeno point is far");
    }
    report(&x, began);
    dismiss(&x);
}

// A spring against a stop where it is at its length: an impact each half period, at any speed.
static void oscillate_for_ever(const loaded_fmu *fmu, long impacts) {
    subject x = summon(fmu);
    const double began = seconds(), pi = acos(-1);
    put(&x, "a", 0);
    put(&x, "amplitude", 0);
    put(&x, "xmax", 0);
    put(&x, "x", -1);
    put(&x, "e", 1);
    put(&x, "solver.tolerance", TOLERANCE);
    expect(&x, begin(&x), "an oscillator can start");
    for (int part = 1; part <= 10 && failed_checks() == 0; part++) {
        const double count = ceil((double)impacts * part / 10);
        go_to(&x, count * pi); // at its farthest
        expect_near(&x, "impacts", get(&x, "impacts"), count, 0);
        expect_near(&x, "x", get(&x, "x"), -1, 100 * speed_allowance(count));
        expect_near(&x, "energy", get(&x, "energy.kinetic") + get(&x, "energy.potential"), 0.5,
                    100 * speed_allowance(count));
    }
    report(&x, began);
    dismiss(&x);
}

void soak_impacts(const company *all, long impacts) {
    const loaded_fmu *ball = fmu_named(all, "BouncingBall"), *oscillator = fmu_named(all, "ImpactOscillator");
    if (!ball || !oscillator) return;
    bounce_for_ever(ball, impacts);
    bounce_for_long(ball, impacts);
    oscillate_for_ever(oscillator, impacts);
}
