// The one name space of a model.

#include "names.h"

#include <stdlib.h>
#include <string.h>

// Functions, what expressions know beside the model's own names, and the prefixes of variables that every FMU has.
static const char *const RESERVED[] = {
    "sin",   "cos", "tan", "asin", "acos", "atan", "sinh", "cosh",   "tanh",       "exp",        "log",       "sqrt",
    "atan2", "min", "max", "abs",  "time", "pi",   "der",  "energy", "truncation", "relaxation", "stability", "solver"};

void names_prepare(name_space *names, int capacity, memory *m) {
    names->entries = memory_take(m, (size_t)capacity, sizeof(name_entry));
    names->capacity = names->entries ? capacity : 0;
    names->count = 0;
}

const char *name_kind_word(name_kind kind) {
    static const char *const words[] = {"parameter",  "coordinate", "rate",  "input",
                                        "definition", "constraint", "output"};
    return words[kind];
}

static bool is_reserved(const char *name) {
    for (size_t i = 0; i < sizeof RESERVED / sizeof RESERVED[0]; i++)
        if (strcmp(name, RESERVED[i]) == 0) return true;
    return false;
}

void names_declare(name_space *names, name_entry entry, diagnostics *d) {
    const name_entry *first = names_find(names, entry.name);
    if (first) {
        report_error(d, entry.line, "the name '%s' of this %s is taken: it is the %s of line %d", entry.name,
                     name_kind_word(entry.kind), name_kind_word(first->kind), first->line);
        return;
    }
    if (is_reserved(entry.name))
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
