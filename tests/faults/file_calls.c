// The linker turns the compiler's calls of these functions to ours (--wrap, cmake/Faults.cmake).

#define _POSIX_C_SOURCE 200809L

#include "file_calls.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

FILE *__real_fopen(const char *path, const char *mode);
size_t __real_fwrite(const void *from, size_t size, size_t count, FILE *file);
int __real_fclose(FILE *file);
int __real_mkdir(const char *path, mode_t mode);
int __real_rename(const char *from, const char *to);

FILE *__wrap_fopen(const char *path, const char *mode);
size_t __wrap_fwrite(const void *from, size_t size, size_t count, FILE *file);
int __wrap_fclose(FILE *file);
int __wrap_mkdir(const char *path, mode_t mode);
int __wrap_rename(const char *from, const char *to);

static long made, fails;
static bool fails_for_ever, failed;

void files_watch(long which, bool for_ever) {
    made = 0;
    failed = false;
    fails = which;
    fails_for_ever = for_ever;
}

long file_calls_made(void) {
    return made;
}

bool file_call_failed(void) {
    return failed;
}

static bool fails_now(void) {
    made++;
    const bool now = fails > 0 && (fails_for_ever ? made >= fails : made == fails);
    failed |= now;
    if (now) errno = ENOSPC;
    return now;
}

FILE *__wrap_fopen(const char *path, const char *mode) {
    return fails_now() ? NULL : __real_fopen(path, mode);
}

// Half of it finds room.
size_t __wrap_fwrite(const void *from, size_t size, size_t count, FILE *file) {
    if (!fails_now()) return __real_fwrite(from, size, count, file);
    const size_t written = __real_fwrite(from, size, count / 2, file);
    errno = ENOSPC;
    return written;
}

int __wrap_fclose(FILE *file) {
    const bool fails_here = fails_now();
    const int result = __real_fclose(file);
    if (fails_here) errno = ENOSPC;
    return fails_here ? EOF : result;
}

int __wrap_mkdir(const char *path, mode_t mode) {
    return fails_now() ? -1 : __real_mkdir(path, mode);
}

int __wrap_rename(const char *from, const char *to) {
    return fails_now() ? -1 : __real_rename(from, to);
}
