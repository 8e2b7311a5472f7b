// Every parameter and every start of every FMU, one at a time, a thousand and a million times as large and as small,
// and with the other sign; restitutions up to 1: what can start goes on, stays finite and above its constraints, and
// keeps its energy with what impacts take.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "soak.h"

static double energy(const subject *x) {
    return has(x, "totalEnergy") ? get(x, "totalEnergy")
                                 : get(x, "energy.kinetic") + get(x, "energy.potential") + get(x, "energy.dissipated");
}

static double size_of_energy(const subject *x) {
    if (has(x, "totalEnergy")) return fabs(get(x, "totalEnergy"));
    return fabs(get(x, "energy.kinetic")) + fabs(get(x, "energy.potential")) + get(x, "energy.dissipated");
}

static void watch(subject *x, double tolerance) {
    enum { STEPS = 200 };
    static const double PATIENCE = 0.05; // seconds: a motion of very many impacts or turns is seen as far as it comes
    const double before = energy(x), began = seconds();
    double scale = size_of_energy(x), off = 0;
    // An oscillator that is driven and damped doesn't keep its energy.
    const bool keeps = !has(x, "amplitude") && (has(x, "energy.kinetic") || has(x, "totalEnergy"));
    for (int step = 0; step < STEPS && seconds() - began < PATIENCE; step++) {
        if (!expect(x, go_on(x, x->fmu->stop_time / STEPS), "a step can be done") || !expect_sense(x, 1e-7)) return;
        scale = fmax(scale, size_of_energy(x));
        off = fmax(off, fabs(energy(x) - before));
    }
    if (keeps) expect_near(x, "the energy's change", off, 0, 1000 * tolerance * scale);
}

static void try_range(const loaded_fmu *fmu, fmi2ValueReference i, double value) {
    subject x = summon(fmu);
    put(&x, fmu->variable[i].name, value);
    if (begin(&x))
        watch(&x, 1e-8);
    else
        expect(&x, x.ear.last_error[0] != '\0', "a refusal says why");
    if (failed_checks() > 0) fprintf(stderr, "with %s = %.17g\n", fmu->variable[i].name, value);
    dismiss(&x);
}

static void try_all_ranges(const loaded_fmu *fmu, fmi2ValueReference i) {
    static const double factor[] = {-1, 0, 1e-6, 1e-3, 1e3, 1e6}, restitution[] = {1e-12, 1 - 1e-12, 1};
    const found_variable *variable = &fmu->variable[i];
    for (size_t k = 0; k < sizeof factor / sizeof *factor; k++)
        try_range(fmu, i, variable->start * factor[k]);
    if (strcmp(variable->name, "e") != 0) return;
    for (size_t k = 0; k < sizeof restitution / sizeof *restitution; k++)
        try_range(fmu, i, restitution[k]);
}

void soak_ranges(const company *all, long trials) {
    (void)trials;
    for (int k = 0; k < all->fmus; k++) {
        const loaded_fmu *fmu = &all->fmu[k];
        for (fmi2ValueReference i = 0; i < fmu->variables && failed_checks() == 0; i++) {
            const found_variable *variable = &fmu->variable[i];
            if (variable->type == A_REAL && variable->settable[INSTANTIATED] && !variable->is_input)
                try_all_ranges(fmu, i);
        }
    }
}
