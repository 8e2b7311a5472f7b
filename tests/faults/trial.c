// Trials in child processes: a crash, a hang and a failed check are all seen from outside.

#define _POSIX_C_SOURCE 200809L

#include "trial.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TIME_LIMIT = 60 };      // s; a trial takes milliseconds
enum { MOST_COMPLAINTS = 20 }; // trials that are told by name

static int failed_checks;
static long trials, failures;

bool check(bool passed, const char *sentence) {
    if (!passed && failed_checks++ < 5) fprintf(stderr, "FAILED: %s\n", sentence);
    return passed;
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
        _exit(failed_checks > 0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) status = 1 << 8;
    trials++;
    const char *why = cause(status);
    if (!why || failures++ >= MOST_COMPLAINTS) return;
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, ": %s\n", why);
}

int trials_verdict(void) {
    if (failures > 0) fprintf(stderr, "%ld of %ld faults were not survived\n", failures, trials);
    printf("%ld faults injected\n", trials);
    return failures > 0;
}
