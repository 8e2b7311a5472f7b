// The model compiler on model files: whatever a file says, it is refused with a message or turned into C, a model
// description and a documentation page.

#define _GNU_SOURCE // memfd_create

#include <libxml/parser.h>
#include <libxml/xmlschemas.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "write.h"

// The compiler reads files: this one is in memory.
static int file;
static char path[32];

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count, (void)arguments;
    file = memfd_create("model.xml", 0);
    promise(file >= 0, "there is a file in memory");
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return 0;
}

// The schema is the same for all inputs, and parsing it would take longer than all the rest: the linker leads these
// calls of the compiler here (cmake/Fuzz.cmake).
static xmlDoc *schema_document;
static xmlSchema *schema;

xmlDoc *__real_xmlReadIO(xmlInputReadCallback read, xmlInputCloseCallback close, void *from, const char *name,
                         const char *encoding, int options);
xmlDoc *__wrap_xmlReadIO(xmlInputReadCallback read, xmlInputCloseCallback close, void *from, const char *name,
                         const char *encoding, int options);
void __real_xmlFreeDoc(xmlDoc *document);
void __wrap_xmlFreeDoc(xmlDoc *document);
xmlSchema *__real_xmlSchemaParse(xmlSchemaParserCtxt *parser);
xmlSchema *__wrap_xmlSchemaParse(xmlSchemaParserCtxt *parser);
void __wrap_xmlSchemaFree(xmlSchema *unused);

xmlDoc *__wrap_xmlReadIO(xmlInputReadCallback read, xmlInputCloseCallback close, void *from, const char *name,
                         const char *encoding, int options) {
    if (schema_document)
        close(from);
    else
        schema_document = __real_xmlReadIO(read, close, from, name, encoding, options);
    return schema_document;
}

void __wrap_xmlFreeDoc(xmlDoc *document) {
    if (document != schema_document) __real_xmlFreeDoc(document);
}

xmlSchema *__wrap_xmlSchemaParse(xmlSchemaParserCtxt *parser) {
    if (!schema) schema = __real_xmlSchemaParse(parser);
    return schema;
}

void __wrap_xmlSchemaFree(xmlSchema *unused) {
    (void)unused;
}

static void fill_file(const uint8_t *data, size_t size) {
    promise(ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == (ssize_t)size, "the file can be written");
}

// Nothing listens to the parser, so it builds no tree.
static void promise_well_formed(const text *document, const char *sentence) {
    xmlSAXHandler nobody = {.initialized = XML_SAX2_MAGIC};
    promise(xmlSAXUserParseMemory(&nobody, NULL, document->data, (int)document->length) == 0, sentence);
}

// What of the C can be told without compiling it: strings end in their line, and parentheses match.
static void promise_balanced(const text *source) {
    int depth = 0;
    bool quoted = false;
    for (const char *c = source->data; *c != '\0'; c++) {
        if (quoted && *c == '\\' && c[1] != '\0') {
            c++;
        } else if (*c == '"') {
            quoted = !quoted;
        } else if (quoted) {
            promise(*c != '\n', "a string of the C file ends in its line");
        } else if (c[0] == '/' && c[1] == '/') {
            c += strcspn(c, "\n") - 1;
        } else {
            depth += strchr("({[", *c) ? 1 : strchr(")}]", *c) ? -1 : 0;
            promise(depth >= 0, "every parenthesis of the C file is opened");
        }
    }
    promise(depth == 0 && !quoted, "every parenthesis of the C file is closed");
}

static void write_all(const model_file *model, const model_equations *equations, const variable_table *variables) {
    text summary = {0}, source = {0}, description = {0}, page = {0};
    write_summary(model, variables, &summary);
    write_equations(model, equations, &summary);
    write_c(model, equations, variables, "", &source);
    write_description(model, equations, variables, "", &description);
    write_documentation(model, equations, variables, &page);
    promise(!summary.failed && !source.failed && !description.failed && !page.failed, "a model can be written");
    promise_balanced(&source);
    promise_well_formed(&description, "the model description is well-formed XML");
    promise_well_formed(&page, "the documentation page is well-formed XML");
    text *const texts[] = {&summary, &source, &description, &page};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        text_free(texts[i]);
}

static void compile(diagnostics *d) {
    model_file *model = model_file_read(path, ZENOFMU_SCHEMA, d);
    promise((model != NULL) == (d->errors == 0), "a model is read or an error is told");
    model_equations *equations = model ? equations_derive(model, d) : NULL;
    variable_table *variables = equations ? variables_make(model, d) : NULL;
    promise((variables != NULL) == (d->errors == 0), "a model is derived or an error is told");
    if (variables) write_all(model, equations, variables);
    variables_free(variables);
    equations_free(equations);
    model_file_free(model);
}

static void promise_messages(const diagnostics *d, const char *messages) {
    promise(d->errors == 0 || messages[0] != '\0', "an error has a message");
    for (const char *line = messages; *line != '\0'; line = strchr(line, '\n') + 1) {
        promise(strncmp(line, "m.xml:", strlen("m.xml:")) == 0, "a message is one line and names the file");
        promise(strchr(line, '\n') != NULL, "a message ends with its line");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *messages = NULL;
    size_t length = 0;
    diagnostics d = {.file = "m.xml", .stream = open_memstream(&messages, &length)};
    fill_file(data, size);
    compile(&d);
    fclose(d.stream);
    promise_messages(&d, messages);
    free(messages);
    xmlResetLastError();
    return 0;
}
