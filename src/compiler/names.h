// The name spaces of a model: what each name stands for and where it was declared. All that expressions and hosts see
// is in one; modes have their own.

#ifndef ZENOFMU_NAMES_H
#define ZENOFMU_NAMES_H

#include "diagnostics.h"
#include "memory.h"

typedef enum name_kind {
    NAME_PARAMETER,
    NAME_COORDINATE,
    NAME_RATE,
    NAME_INPUT,
    NAME_DEFINITION,
    NAME_CONSTRAINT,
    NAME_OUTPUT,
    NAME_STATE,
    NAME_HELD,
    NAME_CHOICE,
    NAME_MODE
} name_kind;

typedef struct name_entry {
    const char *name;
    name_kind kind;
    int index; // among its kind; a rate has its coordinate's; a choice is counted from 1, as its value
    int line;
} name_entry;

typedef struct name_space {
    name_entry *entries;
    int count, capacity;
    const char *const *reserved; // ends with NULL
} name_space;

// Which names are reserved: those that expressions and the variables of every FMU of that kind use; of modes none.
typedef enum name_scope { NAMES_OF_LAGRANGIAN, NAMES_OF_SYSTEM, NAMES_OF_MODES } name_scope;

// Room for `capacity` names.
void names_prepare(name_space *names, name_scope scope, int capacity, memory *m);

// Reports a name that is reserved or was used before. It is entered even if reserved, so that its uses are no errors
// too.
void names_declare(name_space *names, name_entry entry, diagnostics *d);

const name_entry *names_find(const name_space *names, const char *name); // NULL when unknown
// The name nearest to `name`, of those that `wanted` takes (all when it is NULL); NULL when none is near.
const char *names_nearest(const name_space *names, const char *name, bool (*wanted)(const name_entry *entry));

// "parameter", "coordinate", ...
const char *name_kind_word(name_kind kind);

#endif
