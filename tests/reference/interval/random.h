// Reproducible random numbers for the campaigns: splitmix64 [Steele, Lea, Flood, OOPSLA 2014].

#ifndef RANDOM_H
#define RANDOM_H

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef struct generator {
    uint64_t state;
} generator;

static inline uint64_t random_bits(generator *g) {
    uint64_t z = g->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static inline int random_below(generator *g, int count) {
    return (int)(random_bits(g) % (uint64_t)count);
}

static inline double random_unit(generator *g) {
    return (double)(random_bits(g) >> 11) * 0x1p-53;
}

static inline double random_between(generator *g, double lo, double hi) {
    return lo + (hi - lo) * random_unit(g);
}

// A double of either sign, its exponent uniform from `smallest` to `largest`.
static inline double random_scaled(generator *g, int smallest, int largest) {
    const double x = ldexp(1 + random_unit(g), smallest + random_below(g, largest - smallest + 1));
    return random_bits(g) & 1 ? -x : x;
}

// Any double but NaN: every bit pattern is as likely, so are subnormals and huge numbers.
static inline double random_pattern(generator *g) {
    for (;;) {
        const uint64_t bits = random_bits(g);
        double x;
        memcpy(&x, &bits, sizeof x);
        if (!isnan(x)) return x;
    }
}

#endif
