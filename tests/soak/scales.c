// Other sizes, the same motion: with all masses, lengths or times multiplied, a run shows the same numbers in the
// multiplied units.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "soak.h"

static const double TOLERANCE = 1e-12;

typedef enum quantity { MASS, LENGTH, TIME } quantity;

// Which quantities a model leaves to its parameters. A ball on y = sin x has a length of its own, an oscillator of unit
// mass a mass, and the units of Hunt and Crossley's k and c depend on n.
static const struct {
    const char *name;
    bool scalable[3];
} scalable[] = {
    {"BouncingBall", {true, true, true}},      {"BouncingRod", {true, true, true}},
    {"BallOnSine", {true, false, true}},       {"BallOnSine3D", {true, false, true}},
    {"CartPendulum", {true, true, true}},      {"DoublePendulum", {true, true, true}},
    {"SphericalPendulum", {true, true, true}}, {"ImpactOscillator", {false, true, true}},
    {"SpringImpact", {true, true, true}},      {"KelvinVoigtImpact", {true, true, true}},
    {"Pronker", {true, true, true}},           {"DigitalControl", {false, false, true}},
};
enum { SCALABLE = sizeof scalable / sizeof *scalable, POINTS = 60 };

typedef struct sizing {
    const dimensions *unit;
    quantity what;
    double factor;
} sizing;

static double factor_of(const sizing *s, fmi2ValueReference i) {
    return pow(s->factor, s->unit->exponent[i][s->what]);
}

// A coordinate, a rate, a state or a held variable: it has a start and can't be set later.
static bool is_state(const found_variable *variable) {
    return variable->type == A_REAL && variable->settable[INSTANTIATED] && !variable->settable[STEP_COMPLETE] &&
           strcmp(variable->name, "solver.tolerance") != 0;
}

static void put_sizes(subject *x, const sizing *s) {
    const loaded_fmu *fmu = x->fmu;
    for (fmi2ValueReference i = 0; i < fmu->variables; i++) {
        const found_variable *variable = &fmu->variable[i];
        if (variable->type == A_REAL && variable->settable[INSTANTIATED] && s->unit->exponent[i][s->what] != 0)
            put(x, variable->name, variable->start * factor_of(s, i));
    }
}

static void compare(const subject *x, const subject *reference, const sizing *s, double *largest, double *worst) {
    for (fmi2ValueReference i = 0; i < x->fmu->variables; i++) {
        if (!is_state(&x->fmu->variable[i])) continue;
        const double expected = read_value(x->fmu, reference->component, i);
        const double seen = read_value(x->fmu, x->component, i) / factor_of(s, i);
        largest[i] = fmax(largest[i], fabs(expected));
        worst[i] = fmax(worst[i], fabs(seen - expected));
    }
}

// A state is held to the tolerance of its size or of 1, whichever is more, so the smallest is known least and decides
// how well the others are known that depend on it.
static double smallest_factor(const loaded_fmu *fmu, const sizing *s) {
    double smallest = 1;
    for (fmi2ValueReference i = 0; i < fmu->variables; i++)
        if (is_state(&fmu->variable[i])) smallest = fmin(smallest, factor_of(s, i));
    return smallest;
}

static void run_scaled(const loaded_fmu *fmu, const sizing *s) {
    subject reference = summon(fmu), x = summon(fmu);
    double largest[MOST_VARIABLES] = {0}, worst[MOST_VARIABLES] = {0};
    put_sizes(&x, s);
    put(&x, "solver.tolerance", TOLERANCE);
    put(&reference, "solver.tolerance", TOLERANCE);
    const double second = s->what == TIME ? s->factor : 1;
    bool going = expect(&x, begin(&x) && begin(&reference), "a run can start");
    for (int k = 1; k <= POINTS && going; k++) {
        const double time = k * fmu->stop_time / POINTS;
        going = go_to(&reference, time) && go_to(&x, time * second);
        compare(&x, &reference, s, largest, worst);
    }
    const double resolution = 1 / smallest_factor(fmu, s);
    for (fmi2ValueReference i = 0; i < fmu->variables; i++)
        expect_near(&x, fmu->variable[i].name, worst[i], 0, 100 * TOLERANCE * (largest[i] + resolution));
    dismiss(&reference);
    dismiss(&x);
}

void soak_scales(const company *all, long trials) {
    (void)trials;
    static const double factor[][4] = {
        [MASS] = {1e-12, 1e-6, 1e6, 1e12}, [LENGTH] = {1e-6, 1e-3, 1e3, 1e6}, [TIME] = {1e-6, 1e-3, 1e3, 1e6}};
    static dimensions unit;
    for (int i = 0; i < all->fmus; i++) {
        const loaded_fmu *fmu = &all->fmu[i];
        if (!read_dimensions(&unit, fmu, all->files[2 * i + 1])) return;
        for (int k = 0; k < SCALABLE; k++) {
            if (!is_called(fmu, scalable[k].name)) continue;
            for (quantity what = MASS; what <= TIME; what++)
                for (int f = 0; f < 4 && scalable[k].scalable[what]; f++)
                    run_scaled(fmu, &(sizing){&unit, what, factor[what][f]});
        }
    }
}
