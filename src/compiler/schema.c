// Checks a document by the schema and says in plain words what doesn't fit. Near names for what is misspelt are looked
// up in the schema itself, where each element has a type of the same name.

#include <libxml/parser.h>
#include <libxml/xmlschemas.h>
#include <stdbool.h>
#include <string.h>

#include "document.h"

typedef struct schema_check {
    const xmlNode *schema;             // root of the schema
    const xmlNode *misspelt_attribute; // the last element that had one
    diagnostics *d;
} schema_check;

// ---- names in the schema

enum { MOST_NAMES = 32 };

typedef struct name_list {
    const char *names[MOST_NAMES];
    int count;
} name_list;

static const char *attribute_text(const xmlNode *node, const char *name) {
    for (const xmlAttr *a = node->properties; a; a = a->next)
        if (strcmp((const char *)a->name, name) == 0 && a->children) return (const char *)a->children->content;
    return NULL;
}

static bool is_element(const xmlNode *node, const char *name) {
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

// Adds the names of the children of `node`, or of all its descendants, of one kind: "element" or "attribute".
static void collect_names(const xmlNode *node, const char *kind, bool deeply, name_list *list) {
    for (const xmlNode *child = node->children; child; child = child->next) {
        const char *name = is_element(child, kind) ? attribute_text(child, "name") : NULL;
        if (name && list->count < MOST_NAMES) list->names[list->count++] = name;
        if (deeply) collect_names(child, kind, deeply, list);
    }
}

// The names of the elements or attributes that the element `owner` may have; without owner, of the root elements.
static name_list allowed_names(const schema_check *check, const char *owner, const char *kind) {
    name_list list = {.count = 0};
    if (!owner) collect_names(check->schema, kind, false, &list);
    for (const xmlNode *type = check->schema->children; type && owner; type = type->next) {
        const char *name = is_element(type, "complexType") ? attribute_text(type, "name") : NULL;
        if (name && strcmp(name, owner) == 0) collect_names(type, kind, true, &list);
    }
    return list;
}

static bool is_one_of(const char *name, const name_list *list) {
    for (int i = 0; i < list->count; i++)
        if (strcmp(name, list->names[i]) == 0) return true;
    return false;
}

// ---- messages

static int line_of(const xmlNode *node) {
    return (int)xmlGetLineNo(node);
}

static bool in_our_namespace(const schema_check *check, const xmlNode *node) {
    const char *ours = attribute_text(check->schema, "targetNamespace");
    return node->ns && ours && strcmp((const char *)node->ns->href, ours) == 0;
}

static void report_namespace(const schema_check *check, const xmlNode *node) {
    report_error(check->d, line_of(node), "element '%s' is in the namespace '%s'; expected xmlns=\"%s\"",
                 (const char *)node->name, node->ns ? (const char *)node->ns->href : "",
                 attribute_text(check->schema, "targetNamespace"));
}

static void report_root(const schema_check *check, const xmlNode *root) {
    const name_list roots = allowed_names(check, NULL, "element");
    if (is_one_of((const char *)root->name, &roots))
        report_namespace(check, root);
    else
        report_error(check->d, line_of(root), "the root element is '%s'; expected '%s' or '%s'",
                     (const char *)root->name, roots.count > 0 ? roots.names[0] : "",
                     roots.count > 1 ? roots.names[1] : "");
}

// The validator stops looking at an element's children at the first that doesn't fit: the rest is looked at here.
static void report_elements(const schema_check *check, const xmlNode *first) {
    const char *parent = (const char *)first->parent->name;
    const name_list known = allowed_names(check, parent, "element");
    for (const xmlNode *node = first; node; node = node->next) {
        if (node->type != XML_ELEMENT_NODE) continue;
        const char *name = (const char *)node->name;
        char hint[HINT_SIZE];
        if (!is_one_of(name, &known))
            report_error(check->d, line_of(node), "unknown element '%s' in %s%s", name, parent,
                         did_you_mean(nearest_name(name, known.names, known.count), hint));
        else if (!in_our_namespace(check, node))
            report_namespace(check, node);
    }
}

static void report_attribute(schema_check *check, const xmlNode *node, const char *name) {
    const char *element = (const char *)node->name;
    const name_list known = allowed_names(check, element, "attribute");
    const char *near = nearest_name(name, known.names, known.count);
    char hint[HINT_SIZE];
    report_error(check->d, line_of(node), "%s has no attribute '%s'%s", element, name, did_you_mean(near, hint));
    if (near) check->misspelt_attribute = node;
}

static void report_missing(const schema_check *check, const xmlNode *node, const char *name) {
    if (node == check->misspelt_attribute) return; // most likely the one that is missing
    const char *who = attribute_text(node, "name");
    report_error(check->d, line_of(node), who ? "%s '%s' needs the attribute '%s'" : "%s%s needs the attribute '%s'",
                 (const char *)node->name, who ? who : "", name);
}

// A text's line is that of its end; what is told is where it begins.
static void report_stray_text(const schema_check *check, const xmlNode *parent) {
    for (const xmlNode *child = parent->children; child; child = child->next) {
        if (child->type != XML_TEXT_NODE || xmlIsBlankNode(child)) continue;
        int line = line_of(child);
        const char *content = (const char *)child->content;
        for (const char *c = content + strspn(content, " \t\n"); *c != '\0'; c++)
            line -= *c == '\n';
        report_error(check->d, line, "text between the elements of %s; expected elements only",
                     (const char *)parent->name);
    }
}

static void hear_violation(void *context, document_error error) {
    schema_check *check = context;
    const xmlNode *node = error->node;
    if (error->level < XML_ERR_ERROR || !node) return;
    const char *name = (const char *)node->name;
    const char *detail = error->str1 ? error->str1 : "";
    switch (error->code) {
    case XML_SCHEMAV_CVC_ELT_1:
        report_root(check, node);
        break;
    case XML_SCHEMAV_ELEMENT_CONTENT:
        report_elements(check, node);
        break;
    case XML_SCHEMAV_CVC_COMPLEX_TYPE_3_2_1:
        report_attribute(check, node, detail);
        break;
    case XML_SCHEMAV_CVC_COMPLEX_TYPE_4:
        report_missing(check, node, detail);
        break;
    case XML_SCHEMAV_CVC_COMPLEX_TYPE_2_1:
        report_error(check->d, error->line, "%s has content; expected an empty element", name);
        break;
    case XML_SCHEMAV_CVC_COMPLEX_TYPE_2_2:
        report_error(check->d, error->line, "%s contains an element; expected an expression", name);
        break;
    case XML_SCHEMAV_CVC_COMPLEX_TYPE_2_3:
        report_stray_text(check, node);
        break;
    case XML_SCHEMAV_CVC_PATTERN_VALID: // the schema has one pattern: that of names
        report_error(check->d, error->line, "%s: '%s' is not a name; expected letters, digits and '_', no digit first",
                     name, detail);
        break;
    case XML_SCHEMAV_CVC_DATATYPE_VALID_1_2_1: // and one type that takes certain words only
        report_error(check->d, error->line, "%s: '%s' is neither 'true' nor 'false'", name, detail);
        break;
    default:
        report_error(check->d, error->line, "%.*s", (int)strcspn(error->message, "\n"), error->message);
    }
}

// ---- validation

static xmlSchema *parse_schema(xmlDoc *document) {
    xmlSchemaParserCtxt *parser = document ? xmlSchemaNewDocParserCtxt(document) : NULL;
    xmlSchema *schema = parser ? xmlSchemaParse(parser) : NULL;
    xmlSchemaFreeParserCtxt(parser);
    return schema;
}

static int read_some(void *file, char *to, int size) {
    const size_t got = fread(to, 1, (size_t)size, file);
    return ferror((FILE *)file) ? -1 : (int)got;
}

static int close_file(void *file) {
    return fclose(file);
}

// Not by xmlReadFile: it looks for compressed files, and loses memory when there is little.
static xmlDoc *read_schema(const char *path) {
    FILE *file = fopen(path, "rb");
    const int options = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING;
    return file ? xmlReadIO(read_some, close_file, file, path, NULL, options) : NULL;
}

void document_validate(xmlDoc *document, const char *schema_path, diagnostics *d) {
    xmlDoc *schema_document = read_schema(schema_path);
    xmlSchema *schema = parse_schema(schema_document);
    xmlSchemaValidCtxt *validator = schema ? xmlSchemaNewValidCtxt(schema) : NULL;
    schema_check check = {.schema = schema ? xmlDocGetRootElement(schema_document) : NULL, .d = d};
    if (validator && check.schema) {
        const int errors = d->errors;
        xmlSchemaSetValidStructuredErrors(validator, hear_violation, &check);
        if (xmlSchemaValidateDoc(validator, document) != 0 && d->errors == errors)
            report_error(d, 0, "doesn't follow the schema '%s'", schema_path);
    } else {
        report_error(d, 0, "can't be checked: the schema '%s' can't be read", schema_path);
    }
    xmlSchemaFreeValidCtxt(validator);
    xmlSchemaFree(schema);
    xmlFreeDoc(schema_document);
}
