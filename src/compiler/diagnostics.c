// Errors and warnings of the model compiler, and the near name that a message offers.

#include "diagnostics.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

// What a message quotes from a file may be of any length.
enum { LONGEST_MESSAGE = 2000 };

// What follows the first so many bytes of a text is left out, and dots say so. `text` has room for them.
static void cut(char *text, size_t length) {
    while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80)
        length--; // not within a character of UTF-8
    memcpy(text + length, "...", sizeof "...");
}

// A message is one line, whatever it quotes: a blank stands for each line break and other control character.
static void put_on_a_line(char *message) {
    for (char *c = message; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7F) *c = ' ';
}

static void write_message(const diagnostics *d, int line, const char *kind, const char *format, va_list arguments) {
    FILE *stream = d->stream ? d->stream : stderr;
    char message[LONGEST_MESSAGE + sizeof "..."];
    const int length = vsnprintf(message, sizeof message, format, arguments);
    if (length > LONGEST_MESSAGE) cut(message, LONGEST_MESSAGE);
    put_on_a_line(message);
    if (line > 0)
        fprintf(stream, "%s:%d: %s", d->file, line, kind);
    else
        fprintf(stream, "%s: %s", d->file, kind);
    fprintf(stream, "%s\n", message);
}

void report_error(diagnostics *d, int line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    write_message(d, line, "", format, arguments);
    va_end(arguments);
    d->errors++;
}

void report_warning(diagnostics *d, int line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    write_message(d, line, "warning: ", format, arguments);
    va_end(arguments);
}

// Longer names are never offered: it keeps the rows of the distance on the stack.
enum { LONGEST_NAME = 63 };

static int smaller(int a, int b) {
    return a < b ? a : b;
}

// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`; letter case doesn't count.
// [Damerau and Levenshtein; the last three rows of the table are enough]
static int edit_distance(const char *a, const char *b) {
    int rows[3][LONGEST_NAME + 1];
    int *before = rows[0], *above = rows[1], *row = rows[2];
    const int a_length = (int)strlen(a), b_length = (int)strlen(b);
    for (int j = 0; j <= b_length; j++)
        above[j] = j;
    for (int i = 1; i <= a_length; i++) {
        row[0] = i;
        for (int j = 1; j <= b_length; j++) {
            const int same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
            row[j] = smaller(above[j - 1] + !same, smaller(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = smaller(row[j], before[j - 2] + 1);
        }
        int *const oldest = before;
        before = above;
        above = row;
        row = oldest;
    }
    return above[b_length];
}

const char *nearest_name(const char *name, const char *const *candidates, int count) {
    const size_t length = strlen(name);
    if (length > LONGEST_NAME) return NULL;
    // One edit in two letters, two in five: a name of one letter is near to its other case only.
    int least = (int)(length + 1) / 3 + 1;
    const char *nearest = NULL;
    for (int i = 0; i < count; i++) {
        if (strlen(candidates[i]) > LONGEST_NAME) continue;
        const int distance = edit_distance(name, candidates[i]);
        if (distance < least) {
            least = distance;
            nearest = candidates[i];
        }
    }
    return nearest;
}

const char *did_you_mean(const char *near, char hint[HINT_SIZE]) {
    hint[0] = '\0';
    if (near) snprintf(hint, HINT_SIZE, "; did you mean '%s'?", near);
    return hint;
}
