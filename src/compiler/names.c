// The name spaces of a model.

#include "names.h"

#include <stdlib.h>
#include <string.h>

// Functions and what expressions know beside the model's own names.
#define OF_EXPRESSIONS                                                                                                 \
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "atan2", "min", "max",  \
        "abs", "if", "and", "or", "not", "time", "pi", "der"

// With them, the variables that every FMU of a kind has, or their prefixes.
static const char *const OF_LAGRANGIAN[] = {OF_EXPRESSIONS, "energy", "truncation", "relaxation",
                                            "stability",    "solver", NULL};
static const char *const OF_SYSTEM[] = {OF_EXPRESSIONS, "mode",   "transitions", "lastTransitionTime",
                                        "relaxation",   "solver", NULL};
static const char *const OF_MODES[] = {NULL};

void names_prepare(name_space *names, name_scope scope, int capacity, memory *m) {
    static const char *const *const reserved[] = {
        [NAMES_OF_LAGRANGIAN] = OF_LAGRANGIAN, [NAMES_OF_SYSTEM] = OF_SYSTEM, [NAMES_OF_MODES] = OF_MODES};
    names->reserved = reserved[scope];
    names->entries = memory_take(m, (size_t)capacity, sizeof(name_entry));
    names->capacity = names->entries ? capacity : 0;
    names->count = 0;
}

const char *name_kind_word(name_kind kind) {
    static const char *const words[] = {[NAME_PARAMETER] = "parameter",
                                        [NAME_COORDINATE] = "coordinate",
                                        [NAME_RATE] = "rate",
                                        [NAME_INPUT] = "input",
                                        [NAME_DEFINITION] = "definition",
                                        [NAME_CONSTRAINT] = "constraint",
                                        [NAME_OUTPUT] = "output",
                                        [NAME_STATE] = "state",
                                        [NAME_HELD] = "held variable",
                                        [NAME_CHOICE] = "choice",
                                        [NAME_MODE] = "mode"};
    return words[kind];
}

static bool is_reserved(const name_space *names, const char *name) {
    for (const char *const *reserved = names->reserved; *reserved; reserved++)
        if (strcmp(name, *reserved) == 0) return true;
    return false;
}

void names_declare(name_space *names, name_entry entry, diagnostics *d) {
    const name_entry *first = names_find(names, entry.name);
    if (first) {
        report_error(d, entry.line, "the name '%s' of this %s is taken: it is the %s of line %d", entry.name,
                     name_kind_word(entry.kind), name_kind_word(first->kind), first->line);
        return;
    }
    if (is_reserved(names, entry.name))
        report_error(d, entry.line, "the name '%s' of this %s is reserved; expected another name", entry.name,
                     name_kind_word(entry.kind));
    if (names->count < names->capacity) names->entries[names->count++] = entry;
}

const name_entry *names_find(const name_space *names, const char *name) {
    for (int i = 0; i < names->count; i++)
        if (strcmp(names->entries[i].name, name) == 0) return &names->entries[i];
    return NULL;
}

const char *names_nearest(const name_space *names, const char *name, bool (*wanted)(const name_entry *entry)) {
    const char **candidates = malloc((size_t)(names->count + 1) * sizeof *candidates);
    if (!candidates) return NULL; // then no name is offered
    int count = 0;
    for (int i = 0; i < names->count; i++)
        if (!wanted || wanted(&names->entries[i])) candidates[count++] = names->entries[i].name;
    const char *nearest = nearest_name(name, candidates, count);
    free(candidates);
    return nearest;
}
