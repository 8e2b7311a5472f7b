// The C library's allocator with ours before it. Where a sanitizer has its own before the C library's, the linker turns
// the calls of this program's objects to ours (--wrap); else ours has the C library's names, and whatever is loaded
// uses it, the C library included.

#include "allocations.h"

#include <stdlib.h>
#include <string.h>

#ifdef FAULTS_WRAPPED
#define OURS(name) __wrap_##name
#define THEIRS(name) __real_##name
#else
#define OURS(name) name
#define THEIRS(name) __libc_##name
#endif
#define VISIBLE __attribute__((visibility("default")))

void *THEIRS(malloc)(size_t size);
void *THEIRS(calloc)(size_t count, size_t size);
void *THEIRS(realloc)(void *block, size_t size);
void THEIRS(free)(void *block);

VISIBLE void *OURS(malloc)(size_t size);
VISIBLE void *OURS(calloc)(size_t count, size_t size);
VISIBLE void *OURS(realloc)(void *block, size_t size);
VISIBLE void OURS(free)(void *block);
VISIBLE char *OURS(strdup)(const char *text);

static long made, blocks, fails;
static bool fails_for_ever, failed;

void allocations_watch(long which, bool for_ever) {
    made = 0;
    failed = false;
    fails = which;
    fails_for_ever = for_ever;
}

void allocations_relent(void) {
    fails = 0;
}

long allocations_made(void) {
    return made;
}

bool allocation_failed(void) {
    return failed;
}

long blocks_in_use(void) {
    return blocks;
}

static bool is_short(void) {
    made++;
    const bool now = fails > 0 && (fails_for_ever ? made >= fails : made == fails);
    failed |= now;
    return now;
}

static void *count(void *block) {
    blocks += block != NULL;
    return block;
}

void *OURS(malloc)(size_t size) {
    return is_short() ? NULL : count(THEIRS(malloc)(size));
}

void *OURS(calloc)(size_t items, size_t size) {
    return is_short() ? NULL : count(THEIRS(calloc)(items, size));
}

void *OURS(realloc)(void *block, size_t size) {
    if (is_short()) return NULL;
    void *moved = THEIRS(realloc)(block, size);
    return block ? moved : count(moved);
}

void OURS(free)(void *block) {
    blocks -= block != NULL;
    THEIRS(free)(block);
}

char *OURS(strdup)(const char *text) {
    const size_t size = strlen(text) + 1;
    char *copy = OURS(malloc)(size);
    return copy ? memcpy(copy, text, size) : NULL;
}
