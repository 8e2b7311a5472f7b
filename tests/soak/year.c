// A year, in steps of hours: what rests, what is kicked once a day, what swings once a day, what switches all the time.

#include <math.h>
#include <stdio.h>

#include "soak.h"

static const double HOUR = 3600, DAY = 86400, TOLERANCE = 1e-10;

// Memory, before and after.
typedef struct footprint {
    long blocks, kilobytes;
    double began;
} footprint;

static footprint tread(void) {
    return (footprint){blocks_in_use(), resident(), seconds()};
}

static void report(const subject *x, const char *what, const footprint *first, const footprint *warm) {
    const long kilobytes = resident() - warm->kilobytes, blocks = blocks_in_use() - warm->blocks;
    printf("%6.1f days of %s, %s: %.1f s, %ld kB and %ld blocks more\n", x->time / DAY, name_of(x->fmu), what,
           seconds() - first->began, kilobytes, blocks);
    fflush(stdout);
    expect(x, kilobytes <= 64 && blocks == 0, "memory stays flat");
}

// After its cascade a ball slides on at its speed of 1 m/s.
static void rest(const loaded_fmu *fmu, long days) {
    subject x = summon(fmu);
    const footprint first = tread();
    footprint warm = first;
    put(&x, "solver.tolerance", TOLERANCE);
    expect(&x, begin(&x), "a ball can start");
    for (long hour = 1; hour <= 24 * days && failed_checks() == 0; hour++) {
        go_to(&x, (double)hour * HOUR);
        expect_near(&x, "x", get(&x, "x"), x.time, 1e-12 * x.time);
        expect(&x, get(&x, "y") == 0 && get(&x, "vy") == 0 && get(&x, "closed") == 1, "what rests rests");
        if (hour == 1) warm = tread();
    }
    expect(&x, get(&x, "zeno.count") == 1 && get(&x, "releases") == 0, "once and for all");
    report(&x, "at rest", &first, &warm);
    dismiss(&x);
}

// Each day at noon a force of 2 m g lifts the ball for a second. It then rises at g*1s from g/2*1s^2, falls back at
// u = sqrt(2) g*1s after 1 + sqrt(2) seconds, and comes to rest after another 2 e u/(g (1 - e)).
static void kick(const loaded_fmu *fmu, long days) {
    subject x = summon(fmu);
    const footprint first = tread();
    footprint warm = first;
    const double g = 9.81, e = 0.7, landing = 2 + sqrt(2), rest_after = landing + 2 * e * sqrt(2) / (1 - e);
    double impacts = 0;
    put(&x, "solver.tolerance", TOLERANCE);
    put(&x, "y", 0);
    put(&x, "vx", 0);
    expect(&x, begin(&x), "a ball can lie");
    for (long day = 0; day < days && failed_checks() == 0; day++) {
        const double noon = ((double)day + 0.5) * DAY;
        go_to(&x, noon);
        expect(&x, get(&x, "closed") == 1 && get(&x, "y") == 0, "it lies at noon");
        put(&x, "Fy", 2 * g);
        go_to(&x, noon + 1);
        expect_near(&x, "y", get(&x, "y"), g / 2, 1e-8); // times are known to 4e-9 s at the end of a year
        expect_near(&x, "vy", get(&x, "vy"), g, 1e-8);
        put(&x, "Fy", 0);
        go_to(&x, noon + HOUR);
        expect_near(&x, "zeno.time", get(&x, "zeno.time") - noon, rest_after, get(&x, "zeno.timeBound") + 1e-7);
        expect(&x, get(&x, "zeno.certified") == 1, "it is certain when it comes to rest");
        if (day == 0) impacts = get(&x, "impacts");
        expect_near(&x, "impacts", get(&x, "impacts"), (double)(day + 1) * impacts, 0);
        expect(&x, get(&x, "zeno.count") == (double)day + 1 && get(&x, "releases") == (double)day + 1, "once a day");
        go_to(&x, (double)(day + 1) * DAY);
        if (day == 0) warm = tread();
    }
    report(&x, "kicked once a day", &first, &warm);
    dismiss(&x);
}

// Driven once a day the oscillator follows its force, x = A cos(f t - d) with A = 1/sqrt((1 - f^2)^2 + (2 a f)^2) and
// tan d = 2 a f/(1 - f^2), while the stop does not hold it at xmax = -0.8; from there it is released where
// cos(f t) = -0.8.
static void swing(const loaded_fmu *fmu, long days) {
    subject x = summon(fmu);
    const footprint first = tread();
    footprint warm = first;
    const double a = 0.95, f = 2 * acos(-1) / DAY, amplitude = 1 / hypot(1 - f * f, 2 * a * f);
    const double delay = atan2(2 * a * f, 1 - f * f), release = acos(-0.8) / f;
    put(&x, "frequency", f);
    put(&x, "solver.tolerance", TOLERANCE);
    expect(&x, begin(&x), "an oscillator can start");
    for (long hour = 1; hour <= 24 * days && failed_checks() == 0; hour++) {
        const double day = floor((double)(hour - 1) / 24);
        go_to(&x, (double)hour * HOUR);
        const double hours = (double)hour - 24 * day, free = amplitude * cos(f * x.time - delay);
        expect_near(&x, "x", get(&x, "x"), fmin(free, -0.8), 1e-8);
        const bool released = hours * HOUR > release;
        expect_near(&x, "releases", get(&x, "releases"), day + released, 0);
        if (hour == 24) warm = tread();
    }
    report(&x, "driven once a day", &first, &warm);
    dismiss(&x);
}

// Between 19 and 21 degrees, with 5 outside and 25 in reach of the heater: a saw-tooth of two exponentials.
static void switch_on_and_off(const loaded_fmu *fmu, long days) {
    subject x = summon(fmu);
    const footprint first = tread();
    footprint warm = first;
    const double tau = 600, cooling = tau * log(16.0 / 14.0), heating = tau * log(6.0 / 4.0);
    const double first_on = tau * log(15.0 / 14.0);
    put(&x, "solver.tolerance", TOLERANCE);
    expect(&x, begin(&x), "a thermostat can start");
    for (long hour = 1; hour <= 24 * days && failed_checks() == 0; hour++) {
        go_to(&x, (double)hour * HOUR);
        const double cycles = floor((x.time - first_on) / (cooling + heating));
        const double on = first_on + cycles * (cooling + heating);
        const double late = 100 * TOLERANCE * x.time; // a part of the tolerance in every cycle
        const double transitions = 2 * cycles + 1 + (x.time > on + heating);
        if (fabs(x.time - on) > late && fabs(x.time - on - heating) > late) {
            expect_near(&x, "transitions", get(&x, "transitions"), transitions, 0);
            expect_near(&x, "switchedOn", get(&x, "switchedOn"), on, late);
        }
        if (hour > 1) expect_near(&x, "lastOn", get(&x, "lastOn"), heating, 1e-6);
        if (hour == 24) warm = tread();
    }
    report(&x, "switched on and off", &first, &warm);
    dismiss(&x);
}

void soak_year(const company *all, long days) {
    const loaded_fmu *ball = fmu_named(all, "BouncingBall"), *oscillator = fmu_named(all, "ImpactOscillator"),
                     *thermostat = fmu_named(all, "Thermostat");
    if (!ball || !oscillator || !thermostat) return;
    rest(ball, days);
    kick(ball, days);
    swing(oscillator, days);
    switch_on_and_off(thermostat, days);
}
