// Values far from the ordinary; what each part looks at stands in its file.

#include <stdio.h>

#include "soak.h"

static const struct {
    const char *name;
    void (*act)(const company *all, long trials);
} parts[] = {
    {"scales", soak_scales}, {"contacts", soak_contacts}, {"bounces", soak_bounces},
    {"ranges", soak_ranges}, {"patterns", soak_patterns},
};

void soak_edges(const company *all, long trials) {
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const double began = seconds();
        parts[i].act(all, trials);
        printf("%-10s %6.1f s\n", parts[i].name, seconds() - began);
        fflush(stdout);
    }
}
