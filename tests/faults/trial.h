// A trial: something is done with a fault in it, in a process of its own, so that whatever happens shows.

#ifndef TRIAL_H
#define TRIAL_H

#include <stdbool.h>

// Says what should be so and is not, and counts it.
bool check(bool passed, const char *sentence);

// Runs `play` in a process of its own. It must come to its end within a minute without a failed check; else the name
// of the trial is told.
void trial(void (*play)(const void *fault), const void *fault, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Says how many trials there were, and how many failed: what main returns.
int trials_verdict(void);

#endif
