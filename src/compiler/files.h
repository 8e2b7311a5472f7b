// Writes a set of files: each is complete or absent.

#ifndef ZENOFMU_FILES_H
#define ZENOFMU_FILES_H

#include "diagnostics.h"
#include "expression.h"

typedef struct output_file {
    const char *name; // inside the folder; may have folders of its own
    const text *content;
} output_file;

// Each file is written beside its target, and all are renamed when all are written. Folders are made as needed. On
// error, which is reported, what was written is removed.
bool files_save(const char *folder, const output_file *files, int count, diagnostics *d);

#endif
