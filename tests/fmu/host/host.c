// A host in C: loads the libraries of FMUs and puts them through plays that look for what crashes, leaks, races or
// gives other bits than it should. Built with sanitizers it finds what is undefined.

#include "host.h"

#include <inttypes.h>
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

// ---- Another SUNDIALS, as some hosts carry one

#define FOREIGN(name)                                                                                                  \
    __attribute__((visibility("default"))) int name(void);                                                             \
    int name(void) {                                                                                                   \
        return check(false, "the FMU keeps to its own " #name);                                                        \
    }
FOREIGN(CVode)
FOREIGN(CVodeCreate)
FOREIGN(CVodeFree)
FOREIGN(N_VNew_Serial)
FOREIGN(SUNContext_Create)

// ---- The command

static const struct {
    const char *name, *argument;
    void (*act)(loaded_fmu *fmu, const char *argument);
} plays[] = {
    {"instances", "", play_instances},    // of any name, from anywhere, ended anyhow
    {"calls", "SEQUENCES", play_calls},   // random legal and illegal calls
    {"rollback", "PLAYS", play_rollback}, // random runs, repeated from saved states
    {"save", "FILE", play_save},          // states for another process
    {"resume", "FILE", play_resume},      // which goes on from them
    {"damage", "", play_damage},          // states with a changed byte, too short, too long
    {"memory", "RESETS", play_memory},    // that runs short, or should stay flat
    {"steps", "STEPS", play_steps},       // impossible ones and very many
    {"run", "STEP", play_run},            // a plain run: prints all values
};
enum { PLAYS = sizeof plays / sizeof *plays, MOST_FMUS = 32 };

static int usage(void) {
    fprintf(stderr, "usage: host PLAY LIBRARY DESCRIPTION [ARGUMENT], where PLAY and ARGUMENT are one of\n");
    for (int i = 0; i < PLAYS; i++)
        fprintf(stderr, "           %s %s\n", plays[i].name, plays[i].argument);
    fprintf(stderr, "       host threads LIBRARY DESCRIPTION [LIBRARY DESCRIPTION ...]\n");
    return 2;
}

static int verdict(void) {
    check(blocks_in_use() == 0, "all memory is given back");
    if (failed_checks() > 0) fprintf(stderr, "%d checks failed\n", failed_checks());
    return failed_checks() > 0;
}

static int host_threads(int count, char **files) {
    static loaded_fmu fmus[MOST_FMUS];
    if (count < 2 || count % 2 != 0 || count / 2 > MOST_FMUS) return usage();
    for (int i = 0; i < count / 2; i++)
        if (!load(&fmus[i], files[2 * i], files[2 * i + 1])) return verdict();
    play_threads(fmus, count / 2);
    return verdict();
}

int main(int count, char **arguments) {
    static loaded_fmu fmu;
    if (count >= 2 && strcmp(arguments[1], "threads") == 0) return host_threads(count - 2, arguments + 2);
    for (int i = 0; i < PLAYS && count >= 4; i++) {
        const int expected = plays[i].argument[0] ? 5 : 4;
        if (strcmp(arguments[1], plays[i].name) != 0 || count != expected) continue;
        if (load(&fmu, arguments[2], arguments[3])) plays[i].act(&fmu, count == 5 ? arguments[4] : NULL);
        return verdict();
    }
    return usage();
}
