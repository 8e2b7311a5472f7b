// Dimensions of variables, from the description's units.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "soak.h"

// The element that begins with `head`, up to `end`. False where there is none.
static bool copy_element(const char *text, const char *head, const char *end, char *element, size_t size) {
    const char *from = strstr(text, head), *to = from ? strstr(from, end) : NULL;
    if (to) snprintf(element, size, "%.*s", (int)(to - from), from);
    return check(to, head);
}

static void read_unit(const char *text, const char *unit, int *exponent) {
    static const char *const base[] = {" kg=\"", " m=\"", " s=\""};
    char head[100], element[400], number[20];
    snprintf(head, sizeof head, "<Unit name=\"%s\">", unit);
    if (!copy_element(text, head, "</Unit>", element, sizeof element)) return;
    for (int k = 0; k < 3; k++) {
        copy_attribute(element, base[k], number, sizeof number);
        exponent[k] = atoi(number);
    }
}

bool read_dimensions(dimensions *d, const loaded_fmu *fmu, const char *description_path) {
    char head[100], element[2000], unit[50];
    char *text = read_text(description_path);
    *d = (dimensions){0};
    if (!check(text, "the description can be read")) return false;
    for (fmi2ValueReference i = 0; i < fmu->variables; i++) {
        snprintf(head, sizeof head, "<ScalarVariable name=\"%s\"", fmu->variable[i].name);
        if (!copy_element(text, head, "</ScalarVariable>", element, sizeof element)) continue;
        copy_attribute(element, " unit=\"", unit, sizeof unit);
        if (unit[0]) read_unit(text, unit, d->exponent[i]);
    }
    free(text);
    return true;
}
