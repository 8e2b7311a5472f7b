// Writes a set of files: each is complete or absent.

#define _POSIX_C_SOURCE 200809L

#include "files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"

// Makes the folders of a path, as far as they are missing.
static bool make_folders(char *path) {
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        const bool made = mkdir(path, 0777) == 0 || errno == EEXIST;
        *slash = '/';
        if (!made) return false;
    }
    return true;
}

static bool write_file(const char *path, const text *content) {
    FILE *file = fopen(path, "wb");
    if (!file) return false;
    const bool written = fwrite(content->data, 1, content->length, file) == content->length;
    const int error = errno;
    const bool closed = fclose(file) == 0;
    if (!written) errno = error;
    return written && closed;
}

static bool save_all(memory *m, char **targets, char **parts, const output_file *files, int count, const char **at) {
    for (int i = 0; i < count; i++) {
        parts[i] = memory_text(m, "%s.%ld.part", targets[i], (long)getpid());
        *at = targets[i];
        if (!make_folders(targets[i]) || !write_file(parts[i], files[i].content)) return false;
    }
    for (int i = 0; i < count; i++) {
        *at = targets[i];
        if (rename(parts[i], targets[i]) != 0) return false;
        parts[i] = targets[i];
    }
    return true;
}

bool files_save(const char *folder, const output_file *files, int count, diagnostics *d) {
    memory m = {0};
    char **targets = memory_take(&m, (size_t)count, sizeof *targets);
    char **parts = memory_take(&m, (size_t)count, sizeof *parts); // what is written, under its present name
    const char *at = folder;
    bool saved = targets && parts;
    for (int i = 0; i < count && saved; i++)
        targets[i] = memory_text(&m, "%s/%s", folder, files[i].name);
    saved = saved && !m.failed && save_all(&m, targets, parts, files, count, &at);
    if (!saved) {
        report_error(d, 0, "'%s' can't be written: %s", at, strerror(errno));
        for (int i = 0; i < count && parts; i++)
            if (parts[i]) unlink(parts[i]);
    }
    memory_release(&m);
    return saved;
}
