// The host's side: checks, memory, log, chance.

#include "host.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Checks

static atomic_int failures;

bool check(bool passed, const char *sentence) {
    if (passed) return true;
    if (atomic_fetch_add(&failures, 1) < 20) fprintf(stderr, "FAILED: %s\n", sentence);
    return false;
}

int failed_checks(void) {
    return failures;
}

int verdict(void) {
    check(blocks_in_use() == 0, "all memory is given back");
    if (failed_checks() > 0) fprintf(stderr, "%d checks failed\n", failed_checks());
    return failed_checks() > 0;
}

// ---- Memory and log

static atomic_long in_use, allocations_left = -1;

static void *allocate(size_t count, size_t size) {
    const long left = allocations_left;
    if (left == 0) return NULL;
    if (left > 0) allocations_left = left - 1;
    void *memory = calloc(count, size);
    if (memory) in_use++;
    return memory;
}

static void release(void *memory) {
    if (memory) in_use--;
    free(memory);
}

void limit_allocations(long count) {
    allocations_left = count;
}

bool no_allocations_left(void) {
    return allocations_left == 0;
}

long blocks_in_use(void) {
    return in_use;
}

long resident(void) {
#if defined __linux__ && !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
    long pages = 0, all;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%ld %ld", &all, &pages) != 2) pages = 0;
    if (file) fclose(file);
    return pages * 4;
#else
    return 0;
#endif
}

static void judge_message(fmi2ComponentEnvironment environment, fmi2String instance, fmi2Status status,
                          fmi2String category, fmi2String format, ...) {
    listener *ear = environment;
    va_list arguments;
    va_start(arguments, format);
    const char *text = va_arg(arguments, const char *);
    check(strcmp(instance, ear->name ? ear->name : "host") == 0, "a message names its instance");
    check(strncmp(category, "log", 3) == 0, "a message has a category");
    check(strcmp(format, "%s") == 0, "a message comes through the format \"%s\"");
    check(strlen(text) < sizeof ear->last_error, "a message has less than 1000 characters");
    ear->messages++;
    if (status == fmi2Error) snprintf(ear->last_error, sizeof ear->last_error, "%s", text);
    va_end(arguments);
}

fmi2CallbackFunctions callbacks_for(listener *ear) {
    return (fmi2CallbackFunctions){judge_message, allocate, release, NULL, ear};
}

// ---- Chance

// Well mixed from the first number on [Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014].
static uint64_t next_random(uint64_t *random) {
    uint64_t z = *random += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

uint64_t chance(uint64_t seed) {
    return seed * 0xD1342543DE82EF95u;
}

unsigned choose(uint64_t *random, unsigned count) {
    return count > 0 ? (unsigned)((next_random(random) >> 32) % count) : 0;
}

double between(uint64_t *random, double least, double most) {
    return least + (most - least) * ((double)(next_random(random) >> 11) * 0x1p-53);
}
