// zenofmu-compiler: checks a model file, or turns it into C, FMI's modelDescription.xml and a documentation page, or
// compares two executions of it.

#include <errno.h>
#include <libxml/parser.h>
#include <stdlib.h>
#include <string.h>

#include "../engine/engine.h"
#include "distance_command.h"
#include "files.h"
#include "guid.h"
#include "write.h"

enum { EXIT_OK = 0, EXIT_MODEL = 1, EXIT_USAGE = 2 };

static const char USAGE[] = "usage: zenofmu-compiler check MODEL.xml [--equations] [--schema XSD]\n"
                            "       zenofmu-compiler generate MODEL.xml --output FOLDER [--schema XSD]\n"
                            "       " DISTANCE_USAGE;

typedef struct options {
    const char *command, *model, *output, *schema;
    bool equations;
} options;

// A model and all that is derived from it.
typedef struct compilation {
    model_file *model;
    model_equations *equations;
    variable_table *variables;
} compilation;

static bool compile(const options *o, compilation *c, diagnostics *d) {
    c->model = model_file_read(o->model, o->schema, d);
    c->equations = c->model ? equations_derive(c->model, d) : NULL;
    c->variables = c->equations ? variables_make(c->model, d) : NULL;
    return c->variables && d->errors == 0;
}

static void compilation_free(compilation *c) {
    variables_free(c->variables);
    equations_free(c->equations);
    model_file_free(c->model);
}

// ---- commands

static bool run_check(const options *o, const compilation *c, diagnostics *d) {
    text out = {0};
    write_summary(c->model, c->variables, &out);
    if (o->equations) {
        text_append(&out, "\nequations\n");
        write_equations(c->model, c->equations, &out);
    }
    if (out.failed)
        report_error(d, 0, "out of memory");
    else if (fputs(out.data, stdout) == EOF || fflush(stdout) != 0)
        report_error(d, 0, "what was found can't be printed: %s", strerror(errno));
    text_free(&out);
    return d->errors == 0;
}

// The C and the XML with an empty GUID say all that the FMU is: from them comes the GUID.
static void make_guid(const compilation *c, char guid[GUID_SIZE], text *source, text *description) {
    write_c(c->model, c->equations, c->variables, "", source);
    write_description(c->model, c->equations, c->variables, "", description);
    if (source->failed || description->failed) return;
    const char *const parts[] = {ZENO_ENGINE_VERSION, source->data, description->data};
    guid_make(parts, sizeof parts / sizeof parts[0], guid);
}

static bool run_generate(const options *o, const compilation *c, diagnostics *d) {
    text source = {0}, description = {0}, page = {0}, anonymous_source = {0}, anonymous_description = {0};
    char guid[GUID_SIZE] = "";
    make_guid(c, guid, &anonymous_source, &anonymous_description);
    write_c(c->model, c->equations, c->variables, guid, &source);
    write_description(c->model, c->equations, c->variables, guid, &description);
    write_documentation(c->model, c->equations, c->variables, &page);
    const output_file files[] = {
        {"model.c", &source}, {"modelDescription.xml", &description}, {"documentation/index.html", &page}};
    if (anonymous_source.failed || anonymous_description.failed || source.failed || description.failed || page.failed)
        report_error(d, 0, "out of memory");
    else
        files_save(o->output, files, sizeof files / sizeof files[0], d);
    text *const texts[] = {&source, &description, &page, &anonymous_source, &anonymous_description};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        text_free(texts[i]);
    return d->errors == 0;
}

// ---- libxml2's memory
//
// libxml2 (2.9.14) doesn't survive everywhere that memory is short, least of all where it reads a schema. It is only
// used before anything is written: the program can end.

static void *or_end(void *block) {
    if (block) return block;
    fputs("zenofmu: out of memory\n", stderr);
    exit(EXIT_MODEL);
}

static void *take(size_t size) {
    return or_end(malloc(size > 0 ? size : 1));
}

static void *resize(void *block, size_t size) {
    return or_end(realloc(block, size > 0 ? size : 1));
}

static char *duplicate(const char *string) {
    const size_t size = strlen(string) + 1;
    return memcpy(take(size), string, size);
}

// ---- the command line

typedef bool (*command)(const options *o, const compilation *c, diagnostics *d);

static command find_command(const char *name) {
    static const struct {
        const char *name;
        command run;
    } commands[] = {{"check", run_check}, {"generate", run_generate}};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(commands[i].name, name) == 0) return commands[i].run;
    return NULL;
}

// Where the value of an option that has one goes; NULL for other arguments.
static const char **option_value(options *o, const char *argument) {
    if (strcmp(argument, "--output") == 0) return &o->output;
    if (strcmp(argument, "--schema") == 0) return &o->schema;
    return NULL;
}

// False when the arguments make no sense.
static bool read_options(int count, char **arguments, options *o) {
    *o = (options){.command = count > 1 ? arguments[1] : "", .schema = ZENOFMU_SCHEMA};
    for (int i = 2; i < count; i++) {
        const char **value = option_value(o, arguments[i]);
        if (value && i + 1 < count)
            *value = arguments[++i];
        else if (strcmp(arguments[i], "--equations") == 0)
            o->equations = true;
        else if (arguments[i][0] != '-' && !o->model)
            o->model = arguments[i];
        else
            return false;
    }
    const bool generates = strcmp(o->command, "generate") == 0, checks = strcmp(o->command, "check") == 0;
    return o->model && generates == (o->output != NULL) && (checks || !o->equations);
}

// It has files and options of its own.
static int run_distance(int count, char **arguments) {
    static const int exits[] = {
        [DISTANCE_FOUND] = EXIT_OK, [DISTANCE_FAILED] = EXIT_MODEL, [DISTANCE_USAGE_WRONG] = EXIT_USAGE};
    const distance_outcome outcome = distance_command(count, arguments);
    if (outcome == DISTANCE_USAGE_WRONG) fputs(USAGE, stderr);
    xmlCleanupParser();
    return exits[outcome];
}

int main(int count, char **arguments) {
    xmlMemSetup(free, take, resize, duplicate);
    if (count > 1 && strcmp(arguments[1], "distance") == 0) return run_distance(count - 2, arguments + 2);
    options o;
    const bool readable = read_options(count, arguments, &o);
    const command run = find_command(o.command);
    if (!readable || !run) {
        fputs(USAGE, stderr);
        return EXIT_USAGE;
    }
    diagnostics d = {.file = o.model};
    compilation c = {0};
    const bool good = compile(&o, &c, &d) && run(&o, &c, &d);
    compilation_free(&c);
    xmlCleanupParser();
    return good ? EXIT_OK : EXIT_MODEL;
}
