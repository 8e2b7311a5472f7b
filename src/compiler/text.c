// A text that grows as it is written.

#include "expression.h"

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(text *t, size_t more) {
    if (t->length + more < t->capacity) return true;
    size_t capacity = t->capacity ? t->capacity : 64;
    while (capacity <= t->length + more)
        capacity *= 2;
    char *data = realloc(t->data, capacity);
    if (!data) {
        t->failed = true;
        return false;
    }
    t->data = data;
    t->capacity = capacity;
    return true;
}

void text_append(text *t, const char *format, ...) {
    if (t->failed) return;
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    if (length < 0) t->failed = true;
    if (length >= 0 && reserve(t, (size_t)length)) {
        vsnprintf(t->data + t->length, (size_t)length + 1, format, again);
        t->length += (size_t)length;
    }
    va_end(again);
    va_end(arguments);
}

void text_append_double(text *t, double value) {
    char digits[64];
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value) break;
    }
    // The locale's decimal point may be any string.
    const char *point = localeconv()->decimal_point;
    const char *found = strstr(digits, point);
    if (!found) {
        text_append(t, "%s", digits);
    } else {
        text_append(t, "%.*s.%s", (int)(found - digits), digits, found + strlen(point));
    }
}

void text_free(text *t) {
    free(t->data);
    *t = (text){.data = NULL};
}
