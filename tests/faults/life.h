// The life of an instance of the FMU that is linked into this program, through all functions of FMI that need the
// solver or memory: undisturbed, and with a fault in it.

#ifndef LIFE_H
#define LIFE_H

#include <stdbool.h>

// How a fault is put into a life: `injected` tells whether it has come, `relent` ends it.
typedef struct life_fault {
    bool (*injected)(void);
    void (*relent)(void);
    bool changes_the_motion; // what is recovered from it is the motion within the tolerance, not to the bit
} life_fault;

// An undisturbed life, from which the values that others must have are taken. `words`, ended by NULL, must be in its
// log: it goes through all that they stand for. False if it is not so.
bool life_record(const char *const *words);

// A life with a fault: what fails says so, and afterwards states can be restored, the instance can be reset and
// another one gives the bits of the undisturbed life.
void life_with(const life_fault *fault);

#endif
