// What the model compiler writes of a model of a few lines, for tests.

#define _POSIX_C_SOURCE 200809L

#include "written_model.h"

// cmocka wants these before it.
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>
#include <libxml/parser.h>
#include <stdlib.h>
#include <string.h>

#include "sample_model.h"

char *written(const char *content, writer write) {
    sample s = read_good(content);
    diagnostics d = {.file = "m.xml"};
    model_equations *equations = equations_derive(s.model, &d);
    variable_table *variables = variables_make(s.model, &d);
    assert_non_null(equations);
    assert_non_null(variables);
    text out = {0};
    write(s.model, equations, variables, &out);
    assert_false(out.failed);
    variables_free(variables);
    equations_free(equations);
    sample_free(&s);
    return out.data;
}

void describe(const model_file *model, const model_equations *equations, const variable_table *variables, text *out) {
    write_description(model, equations, variables, "{guid}", out);
}

void write_source(const model_file *model, const model_equations *equations, const variable_table *variables,
                  text *out) {
    write_c(model, equations, variables, "{guid}", out);
}

void assert_contains(const char *document, const char *part) {
    if (!strstr(document, part)) fail_msg("%s\nis not in\n%s", part, document);
}

void assert_lacks(const char *document, const char *part) {
    if (strstr(document, part)) fail_msg("%s\nis in\n%s", part, document);
}

static xmlDoc *parse(const char *document) {
    xmlDoc *parsed = xmlReadMemory(document, (int)strlen(document), NULL, NULL, XML_PARSE_NONET);
    assert_non_null(parsed);
    return parsed;
}

void assert_well_formed(const char *document) {
    xmlFreeDoc(parse(document));
}

// ---- dependencies

static xmlNode *child(xmlNode *parent, const char *element) {
    xmlNode *node = xmlFirstElementChild(parent);
    while (node && strcmp((const char *)node->name, element) != 0)
        node = xmlNextElementSibling(node);
    assert_non_null(node);
    return node;
}

static const char *attribute(const xmlNode *node, const char *name) {
    const xmlAttr *found = xmlHasProp((xmlNode *)node, (const xmlChar *)name);
    return found && found->children ? (const char *)found->children->content : "";
}

// Variables are numbered from 1 in their order.
static const char *variable_name(xmlNode *variables, int index) {
    xmlNode *node = xmlFirstElementChild(variables);
    for (int i = 1; node && i < index; i++)
        node = xmlNextElementSibling(node);
    assert_non_null(node);
    return attribute(node, "name");
}

static void append_names(xmlNode *variables, const char *indices, text *out) {
    for (char *end; *indices != '\0'; indices = end) {
        const int index = (int)strtol(indices, &end, 10);
        text_append(out, out->length > 0 ? " %s" : "%s", variable_name(variables, index));
    }
}

void assert_dependencies(const char *description, const char *list, const char *name, const char *expected) {
    xmlDoc *document = parse(description);
    xmlNode *root = xmlDocGetRootElement(document), *variables = child(root, "ModelVariables");
    xmlNode *node = xmlFirstElementChild(child(child(root, "ModelStructure"), list));
    while (node && strcmp(variable_name(variables, atoi(attribute(node, "index"))), name) != 0)
        node = xmlNextElementSibling(node);
    if (!node) fail_msg("'%s' is not in %s", name, list);
    assert_non_null(xmlHasProp(node, (const xmlChar *)"dependencies")); // without, it depends on everything
    text names = {0};
    append_names(variables, attribute(node, "dependencies"), &names);
    const char *found = names.data ? names.data : "";
    if (strcmp(found, expected) != 0) fail_msg("%s of '%s' are '%s', expected '%s'", list, name, found, expected);
    const char *kinds = attribute(node, "dependenciesKind");
    for (const char *c = attribute(node, "dependencies"); *c != '\0'; c += strcspn(c, " "), c += *c == ' ') {
        assert_int_equal(strncmp(kinds, "dependent", 9), 0);
        kinds += strcspn(kinds, " ");
        kinds += *kinds == ' ';
    }
    assert_string_equal(kinds, "");
    text_free(&names);
    xmlFreeDoc(document);
}
