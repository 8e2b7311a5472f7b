// Reads sampled executions from CSV files.

#include "trajectory.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// What is being read.
typedef struct csv {
    trajectory *result;
    diagnostics *d;
    char *next; // of the text, which is cut into fields as it is read
    char separator;
    int line;
} csv;

// ---- text

// The whole file, NUL-terminated, and its length; NULL when it can't be read.
static char *read_all(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    size_t capacity = 1 << 16;
    char *content = file ? calloc(capacity, 1) : NULL;
    *length = 0;
    while (content && !feof(file)) {
        *length += fread(content + *length, 1, capacity - *length - 1, file);
        const bool full = *length + 1 == capacity;
        char *larger = ferror(file) ? NULL : realloc(content, full ? capacity *= 2 : capacity);
        if (!larger) free(content);
        content = larger;
    }
    if (content) content[*length] = '\0';
    const int error = errno;
    if (file) fclose(file);
    errno = error;
    return content;
}

// The same; NULL on error, which is reported.
static char *read_text(const char *path, diagnostics *d) {
    size_t length;
    char *content = read_all(path, &length);
    if (!content) {
        report_error(d, 0, "can't be read: %s", strerror(errno));
        return NULL;
    }
    if (strlen(content) == length) return content;
    report_error(d, 0, "is no text: expected comma-separated values");
    free(content);
    return NULL;
}

// The next line without its end; NULL after the last. Lines that are empty are passed over.
static char *next_line(csv *c) {
    while (c->next) {
        char *line = c->next, *end = strchr(line, '\n');
        c->next = end ? end + 1 : NULL;
        c->line++;
        if (end) *end = '\0';
        const size_t length = strlen(line);
        if (length > 0 && line[length - 1] == '\r') line[length - 1] = '\0';
        if (line[strspn(line, " \t")] != '\0') return line;
    }
    return NULL;
}

// Cuts the next field off `*rest`, without its quotes and the space around it; NULL after the last.
static char *next_field(char **rest, char separator) {
    char *field = *rest;
    if (!field) return NULL;
    while (*field == ' ')
        field++;
    char *end;
    if (*field == '"') {
        char *write = ++field;
        for (end = field; *end && !(end[0] == '"' && end[1] != '"'); end++) {
            if (*end == '"') end++;
            *write++ = *end;
        }
        end += *end == '"';
        char *after = strchr(end, separator);
        *write = '\0';
        *rest = after ? after + 1 : NULL;
        return field;
    }
    end = strchr(field, separator);
    *rest = end ? end + 1 : NULL;
    if (end) *end = '\0';
    for (end = field + strlen(field); end > field && end[-1] == ' ';)
        *--end = '\0';
    return field;
}

static char find_separator(const char *header) {
    bool quoted = false;
    for (; *header; header++) {
        quoted ^= *header == '"';
        if (!quoted && strchr(",;\t", *header)) return *header;
    }
    return ',';
}

static double parse_number(const char *field) {
    if (strcmp(field, "True") == 0 || strcmp(field, "true") == 0) return 1;
    if (strcmp(field, "False") == 0 || strcmp(field, "false") == 0) return 0;
    char *end;
    const double value = strtod(field, &end);
    return *field && *end == '\0' ? value : NAN;
}

// ---- header and rows

static bool read_header(csv *c) {
    trajectory *t = c->result;
    static const char mark[] = "\xEF\xBB\xBF"; // of UTF-8
    if (strncmp(c->next, mark, 3) == 0) c->next += 3;
    char *line = next_line(c);
    if (!line) {
        report_error(c->d, 0, "is empty: expected a header with the names of the variables");
        return false;
    }
    c->separator = find_separator(line);
    int most = 1;
    for (const char *at = line; *at; at++)
        most += *at == c->separator;
    t->names = memory_take(&t->memory, (size_t)most, sizeof *t->names);
    if (!t->names) {
        report_error(c->d, 0, "out of memory");
        return false;
    }
    for (char *field = next_field(&line, c->separator); field; field = next_field(&line, c->separator))
        t->names[t->columns++] = memory_text(&t->memory, "%s", field);
    if (t->memory.failed || trajectory_column(t, "time") >= 0) return true;
    report_error(c->d, c->line, "there is no column 'time'");
    return false;
}

// Whether the row's time follows on the one before; a row at the same time takes that one's place.
static bool place_in_time(csv *c, double time) {
    trajectory *t = c->result;
    if (!isfinite(time)) {
        report_error(c->d, c->line, "the time is no finite number");
        return false;
    }
    const double last = t->rows > 0 ? t->times[t->rows - 1] : -INFINITY;
    if (time < last) {
        report_error(c->d, c->line, "time %.17g comes after %.17g: expected ascending times", time, last);
        return false;
    }
    if (time == last) {
        t->rows--;
        double *row = t->values + (size_t)t->rows * (size_t)t->columns;
        memmove(row, row + t->columns, (size_t)t->columns * sizeof *row);
    }
    t->times[t->rows] = time;
    t->lines[t->rows] = c->line;
    t->rows++;
    return true;
}

static bool read_row(csv *c, char *line, int time) {
    trajectory *t = c->result;
    double *row = t->values + (size_t)t->rows * (size_t)t->columns;
    int fields = 0;
    for (char *field = next_field(&line, c->separator); field; field = next_field(&line, c->separator)) {
        if (fields < t->columns) row[fields] = parse_number(field);
        fields++;
    }
    if (fields == t->columns) return place_in_time(c, row[time]);
    report_error(c->d, c->line, "%d fields, expected %d as in the header", fields, t->columns);
    return false;
}

static bool read_rows(csv *c) {
    trajectory *t = c->result;
    size_t most = 2;
    for (const char *at = c->next; at && *at; at++)
        most += *at == '\n';
    t->values = memory_take(&t->memory, most * (size_t)t->columns, sizeof *t->values);
    t->times = memory_take(&t->memory, most, sizeof *t->times);
    t->lines = memory_take(&t->memory, most, sizeof *t->lines);
    if (t->memory.failed) {
        report_error(c->d, 0, "out of memory");
        return false;
    }
    const int time = trajectory_column(t, "time");
    for (char *line = next_line(c); line; line = next_line(c)) {
        if (!read_row(c, line, time)) return false;
    }
    if (t->rows == 0) report_error(c->d, 0, "has a header but no samples");
    return t->rows > 0;
}

trajectory *trajectory_read(const char *path, diagnostics *d) {
    diagnostics here = {.file = path, .stream = d->stream};
    char *content = read_text(path, &here);
    trajectory *t = content ? calloc(1, sizeof *t) : NULL;
    csv c = {.result = t, .d = &here, .next = content};
    if (content && !t) report_error(&here, 0, "out of memory");
    if (t) t->path = memory_text(&t->memory, "%s", path);
    if (t && !(read_header(&c) && read_rows(&c))) {
        trajectory_free(t);
        t = NULL;
    }
    free(content);
    d->errors += here.errors;
    return t;
}

void trajectory_free(trajectory *t) {
    if (!t) return;
    memory_release(&t->memory);
    free(t);
}

int trajectory_column(const trajectory *t, const char *name) {
    for (int i = 0; i < t->columns; i++) {
        if (strcmp(t->names[i], name) == 0) return i;
    }
    return -1;
}
