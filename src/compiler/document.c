// Reads a model file as XML. A document type, and with it every entity, is refused before it is looked at.

#include "document.h"

#include <errno.h>
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { SMALLEST_BUFFER = 1 << 14 };
enum { LARGEST_FILE = 1 << 24 }; // 16 MB: no model is that long, and /dev/zero is longer

// What the file has, in a buffer that grows with it up to the largest size; false when memory is short.
static bool take_bytes(FILE *file, char **bytes, size_t *size) {
    size_t room = 0;
    *size = 0;
    do {
        room = room == 0 ? SMALLEST_BUFFER : 2 * room;
        char *larger = realloc(*bytes, room);
        if (!larger) return false;
        *bytes = larger;
        *size += fread(*bytes + *size, 1, room - *size, file);
    } while (*size == room && room < LARGEST_FILE);
    return true;
}

// The file's bytes; NULL on error, which is reported.
static char *read_bytes(FILE *file, size_t *size, diagnostics *d) {
    char *bytes = NULL;
    if (!take_bytes(file, &bytes, size))
        report_error(d, 0, "out of memory");
    else if (ferror(file))
        report_error(d, 0, "can't be read: %s", strerror(errno));
    else if (*size == 0)
        report_error(d, 0, "the file is empty; expected a model");
    else if (*size == LARGEST_FILE)
        report_error(d, 0, "the file is larger than %d MB; expected a model", LARGEST_FILE >> 20);
    else
        return bytes;
    free(bytes);
    return NULL;
}

// Only the first error is told: those that follow from it would be noise.
static void hear_error(void *context, document_error error) {
    const xmlParserCtxt *parser = context;
    diagnostics *d = parser->_private;
    if (error->level < XML_ERR_ERROR || d->errors > 0) return;
    const char *message = error->message ? error->message : "unknown error\n";
    report_error(d, error->line, "not well-formed XML: %.*s", (int)strcspn(message, "\n"), message);
}

static void refuse_document_type(void *context, const xmlChar *name, const xmlChar *public_id,
                                 const xmlChar *system_id) {
    (void)name, (void)public_id, (void)system_id;
    xmlParserCtxt *parser = context;
    report_error(
        parser->_private, xmlSAX2GetLineNumber(parser),
        "a document type (<!DOCTYPE ...>) is refused, and entities with it; expected the model's root element");
    xmlStopParser(parser);
}

static xmlDoc *parse_bytes(const char *bytes, size_t size, diagnostics *d) {
    xmlParserCtxt *parser = xmlNewParserCtxt();
    if (!parser) {
        report_error(d, 0, "out of memory");
        return NULL;
    }
    diagnostics heard = {.file = d->file, .stream = d->stream};
    parser->_private = &heard;
    parser->sax->serror = hear_error;
    parser->sax->internalSubset = refuse_document_type;
    xmlDoc *document = xmlCtxtReadMemory(parser, bytes, (int)size, NULL, NULL,
                                         XML_PARSE_NONET | XML_PARSE_NOCDATA | XML_PARSE_BIG_LINES);
    xmlFreeParserCtxt(parser);
    if (!document && heard.errors == 0) report_error(&heard, 0, "not well-formed XML");
    d->errors += heard.errors;
    if (heard.errors == 0) return document;
    xmlFreeDoc(document);
    return NULL;
}

xmlDoc *document_read(const char *path, diagnostics *d) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        report_error(d, 0, "can't be opened: %s", strerror(errno));
        return NULL;
    }
    size_t size;
    char *bytes = read_bytes(file, &size, d);
    fclose(file);
    xmlDoc *document = bytes ? parse_bytes(bytes, size, d) : NULL;
    free(bytes);
    return document;
}
