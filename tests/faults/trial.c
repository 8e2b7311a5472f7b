// Trials in child processes: a crash, a hang and a failed check are all seen from outside.

#define _POSIX_C_SOURCE 200809L

#include "trial.h"

#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TIME_LIMIT = 60 };      // s; a trial takes milliseconds
enum { MOST_COMPLAINTS = 20 }; // trials that are told by name

enum { MISSED = 77 }; // the status of a trial whose fault didn't come

static int failed_checks;
static bool missed;
static long trials, failures, misses;

bool check(bool passed, const char *sentence) {
    if (!passed && failed_checks++ < 5) fprintf(stderr, "FAILED: %s\n", sentence);
    return passed;
}

// Without what a process does at its end: it is a copy of another that is still at work. Only what was covered is told.
static _Noreturn void leave(int status) {
#ifdef FAULTS_COVERAGE
    void __gcov_dump(void);
    __gcov_dump();
#endif
    _exit(status);
}

// What the child of this wait status died of; NULL if all went well.
static const char *cause(int status) {
    if (WIFSIGNALED(status)) return WTERMSIG(status) == SIGALRM ? "hangs" : strsignal(WTERMSIG(status));
    return WEXITSTATUS(status) == 0 ? NULL : "fails";
}

void trial(void (*play)(const void *fault), const void *fault, const char *format, ...) {
    int status = -1;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        alarm(TIME_LIMIT);
        play(fault);
        leave(failed_checks > 0 ? 1 : missed ? MISSED : 0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) status = 1 << 8;
    if (WIFEXITED(status) && WEXITSTATUS(status) == MISSED) {
        misses++;
        return;
    }
    trials++;
    const char *why = cause(status);
    if (!why || failures++ >= MOST_COMPLAINTS) return;
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, ": %s\n", why);
}

void trial_missed(void) {
    missed = true;
}

bool read_places(const char *text, places *p) {
    const bool alone = text[0] == '=';
    char *end;
    const long number = strtol(text + alone, &end, 10);
    *p = alone ? (places){number, LONG_MAX / 2} : (places){1, number};
    return number > 0 && *end == '\0';
}

int trials_verdict(void) {
    const bool too_few = misses > trials / 100;
    if (failures > 0) fprintf(stderr, "%ld of %ld faults were not survived\n", failures, trials);
    if (too_few) fprintf(stderr, "%ld faults did not come\n", misses);
    printf("%ld faults injected\n", trials);
    return failures > 0 || too_few;
}
