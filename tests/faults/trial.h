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

// To be called in a trial whose fault didn't come: it doesn't count. Few may be like that.
void trial_missed(void);

// Which of the places where a fault can be are taken.
typedef struct places {
    long first, step;
} places;

// "7": every seventh from the first on; "=7": the seventh alone. False for other words.
bool read_places(const char *text, places *p);

// Says how many trials there were, and how many failed: what main returns.
int trials_verdict(void);

#endif
