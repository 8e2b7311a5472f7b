// Compliant contacts, soft and hard, of light and heavy bodies, against their closed forms [Notes, Eq. (5.7)-(5.12)].

#include <math.h>
#include <stdio.h>

#include "soak.h"

static const double TOLERANCE = 1e-12;
// How far a contact's results may be off, by their size. The position is held to TOLERANCE of 0.01 m at best.
static double allowance(double deformation) {
    return 1000 * TOLERANCE * (1 + 0.01 / deformation);
}

static bool strike(subject *x, double m, double k, double c, double duration) {
    put(x, "m", m);
    put(x, "k", k);
    if (has(x, "c")) put(x, "c", c);
    put(x, "solver.tolerance", TOLERANCE);
    return expect(x, begin(x), "a contact can begin") && go_to(x, 2 * duration) &&
           expect(x, get(x, "mode") == 0 && get(x, "transitions") == 2, "the contact is over");
}

static void near(const subject *x, const char *name, double expected, double allowed) {
    expect_near(x, name, get(x, name), expected, allowed * fabs(expected));
}

// Half an oscillation.
static void strike_spring(const loaded_fmu *fmu, double m, double k) {
    subject x = summon(fmu);
    const double deformation = sqrt(m / k), duration = acos(-1) * sqrt(m / k), allowed = allowance(deformation);
    if (strike(&x, m, k, 0, duration)) {
        near(&x, "duration", duration, allowed);
        near(&x, "deformation", deformation, allowed);
        near(&x, "restitution", 1, allowed);
        expect_sense(&x, 0);
    }
    dismiss(&x);
}

// Half a damped oscillation.
static void strike_kelvin_voigt(const loaded_fmu *fmu, double m, double k, double damping) {
    subject x = summon(fmu);
    const double omega = sqrt(k / m), slower = sqrt(1 - damping * damping), pi = acos(-1);
    const double duration = pi / (omega * slower);
    const double deepest = exp(-damping / slower * acos(damping)) / omega, allowed = allowance(deepest);
    if (strike(&x, m, k, 2 * damping * sqrt(k) * sqrt(m), duration)) {
        near(&x, "duration", duration, allowed);
        near(&x, "deformation", deepest, allowed);
        near(&x, "restitution", exp(-damping * pi / slower), allowed);
        expect_sense(&x, 0);
    }
    dismiss(&x);
}

// m u du/dp = -p^n (k + c u) for the penetration p and its rate u: with l = c/k, l (1 + r) = ln((1 + l)/(1 - l r)) for
// the restitution r after an approach at 1 m/s, and deepest^(n+1)/(n+1) = m/(k l) (1 - ln(1 + l)/l).
static void strike_hunt_crossley(const loaded_fmu *fmu, double m, double k, double l, double n) {
    subject x = summon(fmu);
    const double deepest = pow((n + 1) * m / (k * l) * (1 - log1p(l) / l), 1 / (n + 1));
    const double allowed = allowance(deepest);
    put(&x, "n", n);
    if (strike(&x, m, k, l * k, 5 * deepest)) {
        const double r = get(&x, "restitution");
        near(&x, "deformation", deepest, allowed);
        expect_near(&x, "restitution's equation", l * (1 + r), log1p(l) - log1p(-l * r),
                    allowed * (1 + l) / (1 - l * r));
        expect_sense(&x, 0);
    }
    dismiss(&x);
}

void soak_contacts(const company *all, long trials) {
    (void)trials;
    const loaded_fmu *spring = fmu_named(all, "SpringImpact"), *kelvin = fmu_named(all, "KelvinVoigtImpact"),
                     *hunt = fmu_named(all, "HuntCrossleyImpact");
    if (!spring || !kelvin || !hunt) return;
    for (double m = 1e-12; m < 2e12; m *= 1000)
        for (double k = 1e-6; k < 2e12; k *= 1000) {
            if (m / k < 1e-14) continue; // deformations of less than 1e-7 m are not resolved
            strike_spring(spring, m, k);
            strike_kelvin_voigt(kelvin, m, k, 0.01);
            strike_kelvin_voigt(kelvin, m, k, 0.9);
            for (double n = 1; n < 100; n *= 3) {
                strike_hunt_crossley(hunt, m, k, 0.1, n);
                strike_hunt_crossley(hunt, m, k, 3, n);
            }
        }
}
