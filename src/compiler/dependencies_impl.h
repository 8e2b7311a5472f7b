// What the files that find dependencies share: sets of what can be known, and what reaches an expression.

#ifndef ZENOFMU_DEPENDENCIES_IMPL_H
#define ZENOFMU_DEPENDENCIES_IMPL_H

#include "dependencies.h"

// What reaches a variable or an expression: two sets with one place for each parameter, input and start value, and a
// last one for all settings.
typedef struct reach {
    bool *at_once;
    bool *at_start; // also by way of what happens at the start
} reach;

struct dependencies {
    memory memory;
    const model_file *model;
    int places;
    bool *events;   // what decides on an impact or a transition at the start, and on its outcome
    reach *outputs; // [outputs]

    // Of a hybrid Lagrangian.
    int *group;           // [coordinates] coordinates with the same number hang together
    bool *in_contact;     // [coordinates] of those that hang together with a constraint
    reach *accelerations; // [coordinates] of the coordinates of a group
    reach *gaps;          // [constraints]
    reach *forces;        // [constraints]
    reach kinetic, potential;
};

enum { NO_PLACE = -1 };
int place_of_symbol(const dependencies *d, expr_symbol symbol); // NO_PLACE for what is none of these
void unite(const dependencies *d, bool *set, const bool *with);
bool *new_set(dependencies *d); // NULL when memory is short
reach new_reach(dependencies *d);
reach *new_reaches(dependencies *d, int count);

// Each fills its part of `d`; shortage of memory is remembered there. (dependencies_lagrangian.c, dependencies_modes.c)
void find_lagrangian_dependencies(dependencies *d, const model_equations *equations);
void find_mode_dependencies(dependencies *d, const model_equations *equations);

#endif
