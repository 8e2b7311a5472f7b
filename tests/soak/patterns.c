// Steps of any size, at any tolerance: what is seen at a time does not depend on how a host came there.

#include <math.h>
#include <stdio.h>

#include "soak.h"

static void expect_bits_of_one_step(const loaded_fmu *fmu, const subject *many, double tolerance) {
    subject one = summon(fmu);
    put(&one, "solver.tolerance", tolerance);
    expect(&one, begin(&one), "a run can start");
    go_to(&one, many->time);
    expect(many, fingerprint(fmu, one.component) == fingerprint(fmu, many->component), "any steps give the same bits");
    dismiss(&one);
}

// From steps of a billionth of a second on; at the end one of 10 000 s, as far as that is little work.
static void try_pattern(const loaded_fmu *fmu, uint64_t *random, double tolerance) {
    subject many = summon(fmu);
    put(&many, "solver.tolerance", tolerance);
    bool going = expect(&many, begin(&many), "a run can start");
    while (going && many.time < fmu->stop_time) {
        going =
            expect(&many, go_on(&many, pow(10, between(random, -9, log10(fmu->stop_time / 5)))), "a step can be done");
        if (choose(random, 20) == 0) expect_bits_of_one_step(fmu, &many, tolerance);
    }
    if (choose(random, 10) == 0) going = expect(&many, go_on(&many, 1e4), "a step of hours can be done");
    expect_bits_of_one_step(fmu, &many, tolerance);
    expect_sense(&many, 1000 * tolerance);
    dismiss(&many);
}

void soak_patterns(const company *all, long trials) {
    uint64_t random = chance(6);
    for (int k = 0; k < all->fmus; k++)
        for (long i = 0; i < trials / 100 && failed_checks() == 0; i++)
            try_pattern(&all->fmu[k], &random, pow(10, -between(&random, 3, 12)));
}
