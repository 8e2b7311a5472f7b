#include "fuzz.h"

const char *__asan_default_options(void);

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Allocations are what most targets spend their time with: little is kept of those that were given back, and about
// where they were made. For more of it, give these in ASAN_OPTIONS.
const char *__asan_default_options(void) {
    return "quarantine_size_mb=1:thread_local_quarantine_size_kb=64:malloc_context_size=2:max_malloc_fill_size=0";
}

void promise(bool kept, const char *sentence) {
    if (kept) return;
    fprintf(stderr, "broken: %s\n", sentence);
    abort();
}

unsigned take_byte(fuzz_input *input) {
    if (input->size == 0) return 0;
    input->size--;
    return *input->data++;
}

unsigned take_choice(fuzz_input *input, unsigned count) {
    unsigned value = take_byte(input);
    if (count > 256) value = value << 8 | take_byte(input);
    return value % count;
}

static double take_bits(fuzz_input *input) {
    uint64_t bits = 0;
    double value;
    for (int i = 0; i < 8; i++)
        bits |= (uint64_t)take_byte(input) << 8 * i;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double take_double(fuzz_input *input) {
    static const double values[] = {
        0,     1,    -1,       0.5,       2,           0.1,      -0.1,    1e-3,      10,        -10,       3,     100,
        -0.0,  NAN,  INFINITY, -INFINITY, DBL_MAX,     -DBL_MAX, DBL_MIN, 5e-324,    1e-300,    1e300,     1e-12, 1e12,
        -1e12, 1e-6, 1e6,      1e16,      -1e16,       1e-16,    1e150,   -1e150,    1e-150,    1 - 1e-12, 0.9,   0.99,
        1e-9,  1e-5, 0.01,     0.05,      DBL_EPSILON, 1e100,    1e-100,  INT32_MAX, INT32_MIN, 0x1p53,    9.81,  4};
    enum { VALUES = sizeof values / sizeof *values };
    const unsigned chosen = take_byte(input);
    return chosen < VALUES ? values[chosen] : take_bits(input);
}

unsigned choose(fuzz_chance *chance, unsigned count) {
    *chance = *chance * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*chance >> 33) % count;
}
