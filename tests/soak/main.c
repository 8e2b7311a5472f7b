// The long runs: one process, all FMUs in it. See README.md here.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "soak.h"

static const struct {
    const char *name, *count;
    void (*act)(const company *all, long count);
} runs[] = {
    {"steps", "STEPS", soak_steps},       // very many, with flat memory
    {"impacts", "IMPACTS", soak_impacts}, // very many, against closed forms
    {"year", "DAYS", soak_year},          // a long time
    {"edges", "TRIALS", soak_edges},      // values far from the ordinary
    {"inputs", "CHANGES", soak_inputs},   // that jump at every step, or can't be used
};
enum { RUNS = sizeof runs / sizeof *runs };

static int usage(void) {
    fprintf(stderr,
            "usage: soak RUN COUNT LIBRARY DESCRIPTION [LIBRARY DESCRIPTION ...], where RUN and COUNT are one of\n");
    for (int i = 0; i < RUNS; i++)
        fprintf(stderr, "           %s %s\n", runs[i].name, runs[i].count);
    return 2;
}

int main(int count, char **arguments) {
    static loaded_fmu fmus[MOST_FMUS];
    const company all = {.fmus = (count - 3) / 2, .fmu = fmus, .files = arguments + 3};
    if (count < 5 || count % 2 != 1 || all.fmus > MOST_FMUS) return usage();
    for (int i = 0; i < RUNS; i++) {
        if (strcmp(arguments[1], runs[i].name) != 0) continue;
        for (int k = 0; k < all.fmus; k++)
            if (!load(&fmus[k], arguments[3 + 2 * k], arguments[4 + 2 * k])) return verdict();
        runs[i].act(&all, strtol(arguments[2], NULL, 10));
        return verdict();
    }
    return usage();
}
