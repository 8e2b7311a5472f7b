// Mutates model files as trees: bytes changed at random hardly ever leave well-formed XML.

#define _POSIX_C_SOURCE 200809L // strdup

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mutate_expression.h"

static xmlDoc *parse(const uint8_t *data, size_t size) {
    const int quiet = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING;
    xmlDoc *document = xmlReadMemory((const char *)data, (int)size, NULL, NULL, quiet);
    if (document && document->intSubset) { // refused by the compiler, and entities would be expanded here
        xmlFreeDoc(document);
        return NULL;
    }
    return document;
}

// ---- Finding something in a tree

static unsigned count_elements(const xmlNode *node) {
    unsigned count = node->type == XML_ELEMENT_NODE;
    for (const xmlNode *child = node->children; child && count; child = child->next)
        count += count_elements(child);
    return count;
}

static xmlNode *element_at(xmlNode *node, unsigned *index) {
    if (node->type != XML_ELEMENT_NODE) return NULL;
    if ((*index)-- == 0) return node;
    for (xmlNode *child = node->children; child; child = child->next) {
        xmlNode *found = element_at(child, index);
        if (found) return found;
    }
    return NULL;
}

static xmlNode *any_element(xmlDoc *document, fuzz_chance *chance) {
    xmlNode *root = xmlDocGetRootElement(document);
    unsigned index = choose(chance, count_elements(root));
    return element_at(root, &index);
}

// NULL where there is none.
static xmlAttr *any_attribute(xmlDoc *document, fuzz_chance *chance) {
    const xmlNode *element = any_element(document, chance);
    unsigned count = 0;
    for (const xmlAttr *a = element->properties; a; a = a->next)
        count++;
    xmlAttr *attribute = element->properties;
    for (unsigned i = count ? choose(chance, count) : 0; i > 0; i--)
        attribute = attribute->next;
    return attribute;
}

// The text of some attribute or element, to be freed.
static char *any_text(xmlDoc *document, fuzz_chance *chance) {
    const xmlAttr *attribute = choose(chance, 2) ? any_attribute(document, chance) : NULL;
    const xmlNode *node = attribute ? (const xmlNode *)attribute : any_element(document, chance);
    const bool plain = attribute || !node->children || node->children->type == XML_TEXT_NODE;
    xmlChar *content = plain ? xmlNodeGetContent(node) : NULL;
    char *text = strdup(content ? (const char *)content : "");
    xmlFree(content);
    return text;
}

// ---- Texts

static bool is_xml_text(const char *text) {
    if (!xmlCheckUTF8((const unsigned char *)text)) return false;
    for (const char *c = text; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' && *c != '\n' && *c != '\t') return false;
    return true;
}

static void put_text(xmlNode *node, const char *text) {
    if (!is_xml_text(text)) return;
    xmlChar *escaped = xmlEncodeEntitiesReentrant(node->doc, (const xmlChar *)text);
    xmlNodeSetContent(node, escaped);
    xmlFree(escaped);
}

static void mutate_text(xmlNode *node) {
    char text[LONGEST_EXPRESSION + 1];
    xmlChar *content = xmlNodeGetContent(node);
    snprintf(text, sizeof text, "%s", content ? (const char *)content : "");
    xmlFree(content);
    const size_t length = LLVMFuzzerMutate((uint8_t *)text, strlen(text), LONGEST_EXPRESSION);
    text[length] = '\0';
    put_text(node, text);
}

// ---- Expressions that have a chance to be accepted

// A name that the model declares, as likely as not one that can be used here.
static void append_name(void *context, fuzz_chance *chance, fuzz_text *out) {
    xmlDoc *document = context;
    for (int tries = 0; tries < 8; tries++) {
        const xmlNode *element = any_element(document, chance);
        xmlChar *name = xmlGetProp(element, (const xmlChar *)(choose(chance, 3) ? "name" : "rate"));
        const bool found = name && element != xmlDocGetRootElement(document);
        if (found) fuzz_append(out, (const char *)name);
        xmlFree(name);
        if (found) return;
    }
    fuzz_append(out, "1");
}

// What stood there becomes part of it as likely as not.
static void put_expression(xmlDoc *document, xmlNode *node, fuzz_chance *chance) {
    static const char *const joints[] = {" + ", "*", " - ", "/", "*0 + ", "^"};
    fuzz_text g = {.length = 0};
    xmlChar *content = choose(chance, 2) ? xmlNodeGetContent(node) : NULL;
    if (content) {
        fuzz_append(&g, "(");
        fuzz_append(&g, (const char *)content);
        fuzz_append(&g, ")");
        fuzz_append(&g, joints[choose(chance, sizeof joints / sizeof *joints)]);
    }
    xmlFree(content);
    fuzz_append_expression((fuzz_names){append_name, document}, chance, (int)choose(chance, 4), &g);
    put_text(node, g.text);
}

static void put_word(xmlNode *node, fuzz_chance *chance) {
    static const char *const words[] = {
        "0",      "1",     "-1", "1e300", "1e-300",   "1e-320",   "sqrt(-1)", "1/0",    "pi",
        "true",   "false", "kg", "m/s2",  "deg",      "N.m",      "m",        "rad",    "",
        "&<>\"'", "x",     "*/", "mode",  "zeno",     "e",        "x - x",    "m == 1", "0*x",
        "1",      "s",     "K",  "degC",  "\\\"%s\n", "\xc3\xa9", "y",        "0.5",    "N",
    };
    put_text(node, words[choose(chance, sizeof words / sizeof *words)]);
}

// ---- What can be done to a tree

static xmlNode *any_node_with_text(xmlDoc *document, fuzz_chance *chance) {
    xmlNode *attribute = choose(chance, 3) ? (xmlNode *)any_attribute(document, chance) : NULL;
    if (attribute) return attribute;
    xmlNode *element = any_element(document, chance);
    const bool plain = element->children && element->children->type == XML_TEXT_NODE && !element->children->next;
    return plain ? element : NULL;
}

static void change_text(xmlDoc *document, fuzz_chance *chance) {
    xmlNode *node = any_node_with_text(document, chance);
    if (node) mutate_text(node);
}

static void change_word(xmlDoc *document, fuzz_chance *chance) {
    xmlNode *node = any_node_with_text(document, chance);
    if (node) put_word(node, chance);
}

static bool holds_expression(const xmlNode *node) {
    static const char *const attributes[] = {"value", "start", "rateStart", "restitution", "rising", "falling", "when"};
    for (size_t i = 0; node->type == XML_ATTRIBUTE_NODE && i < sizeof attributes / sizeof *attributes; i++)
        if (strcmp((const char *)node->name, attributes[i]) == 0) return true;
    return node->type == XML_ELEMENT_NODE;
}

static void change_expression(xmlDoc *document, fuzz_chance *chance) {
    xmlNode *node = NULL;
    for (int tries = 0; tries < 8 && !(node && holds_expression(node)); tries++)
        node = any_node_with_text(document, chance);
    if (node && holds_expression(node)) put_expression(document, node, chance);
}

// The same thing once more, under a name of its own.
static void multiply_element(xmlDoc *document, fuzz_chance *chance) {
    xmlNode *element = any_element(document, chance);
    if (element == xmlDocGetRootElement(document)) return;
    xmlNode *copy = xmlDocCopyNode(element, document, 1);
    if (!copy) return;
    char name[32];
    snprintf(name, sizeof name, "n%u", choose(chance, 30));
    if (xmlHasProp(copy, (const xmlChar *)"name")) xmlSetProp(copy, (const xmlChar *)"name", (const xmlChar *)name);
    if (choose(chance, 2)) xmlUnsetProp(copy, (const xmlChar *)"initial");
    snprintf(name, sizeof name, "r%u", choose(chance, 30));
    if (xmlHasProp(copy, (const xmlChar *)"rate")) xmlSetProp(copy, (const xmlChar *)"rate", (const xmlChar *)name);
    xmlAddNextSibling(element, copy);
    xmlReconciliateNs(document, copy);
}

static void copy_text(xmlDoc *document, fuzz_chance *chance) {
    xmlNode *node = any_node_with_text(document, chance);
    char *text = any_text(document, chance);
    if (node) put_text(node, text);
    free(text);
}

static void remove_element(xmlDoc *document, fuzz_chance *chance) {
    xmlNode *element = any_element(document, chance);
    if (element == xmlDocGetRootElement(document)) return;
    xmlUnlinkNode(element);
    xmlFreeNode(element);
}

static void remove_attribute(xmlDoc *document, fuzz_chance *chance) {
    xmlAttr *attribute = any_attribute(document, chance);
    if (attribute) xmlRemoveProp(attribute);
}

// A copy of an element of `from`, beside or inside some element.
static void graft(xmlDoc *document, xmlDoc *from, fuzz_chance *chance) {
    xmlNode *element = any_element(from, chance), *place = any_element(document, chance);
    if (element == xmlDocGetRootElement(from)) return;
    xmlNode *copy = xmlDocCopyNode(element, document, 1);
    if (!copy) return;
    if (place == xmlDocGetRootElement(document) || choose(chance, 4) == 0)
        xmlAddChild(place, copy);
    else
        xmlAddNextSibling(place, copy);
    xmlReconciliateNs(document, copy);
}

static void copy_element(xmlDoc *document, fuzz_chance *chance) {
    graft(document, document, chance);
}

static void move_element(xmlDoc *document, fuzz_chance *chance) {
    xmlNode *element = any_element(document, chance), *place = any_element(document, chance);
    for (const xmlNode *above = place; above; above = above->parent)
        if (above == element) return; // not into itself
    if (place != xmlDocGetRootElement(document)) xmlAddNextSibling(place, element);
}

static void copy_attribute(xmlDoc *document, fuzz_chance *chance) {
    const xmlAttr *attribute = any_attribute(document, chance);
    xmlNode *element = any_element(document, chance);
    char *text = any_text(document, chance);
    if (attribute && is_xml_text(text)) xmlSetProp(element, attribute->name, (const xmlChar *)text);
    free(text);
}

static void rename_element(xmlDoc *document, fuzz_chance *chance) {
    const xmlNode *model = any_element(document, chance);
    xmlNode *element = any_element(document, chance);
    xmlChar *name = xmlStrdup(model->name);
    xmlNodeSetName(element, name);
    xmlFree(name);
}

// A name everywhere: what was one thing becomes another, and expressions go along.
static void replace_in(xmlNode *node, const char *old, const char *name) {
    for (xmlAttr *a = node->properties; a; a = a->next) {
        xmlChar *content = xmlNodeGetContent((xmlNode *)a);
        if (content && strcmp((const char *)content, old) == 0) put_text((xmlNode *)a, name);
        xmlFree(content);
    }
    for (xmlNode *child = node->children; child; child = child->next)
        if (child->type == XML_ELEMENT_NODE) replace_in(child, old, name);
}

static void rename_everywhere(xmlDoc *document, fuzz_chance *chance) {
    char *old = any_text(document, chance), *name = any_text(document, chance);
    replace_in(xmlDocGetRootElement(document), old, name);
    free(old);
    free(name);
}

static void mutate_tree(xmlDoc *document, fuzz_chance *chance) {
    static void (*const changes[])(xmlDoc *, fuzz_chance *) = {
        change_expression, change_expression, change_expression, change_expression, change_text,
        change_word,       copy_text,         remove_element,    remove_attribute,  copy_element,
        multiply_element,  move_element,      copy_attribute,    rename_element,    rename_everywhere,
    };
    const unsigned count = choose(chance, 2) ? 1 : 1 + choose(chance, 3);
    for (unsigned i = 0; i < count; i++)
        changes[choose(chance, sizeof changes / sizeof *changes)](document, chance);
}

// The document's bytes; 0 when there are too many.
static size_t write(xmlDoc *document, uint8_t *data, size_t most) {
    xmlChar *bytes = NULL;
    int size = 0;
    xmlDocDumpMemoryEnc(document, &bytes, &size, "UTF-8");
    const bool fits = bytes && size > 0 && (size_t)size <= most;
    if (fits) memcpy(data, bytes, (size_t)size);
    xmlFree(bytes);
    return fits ? (size_t)size : 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    fuzz_chance chance = seed;
    xmlDoc *document = choose(&chance, 16) ? parse(data, size) : NULL;
    if (!document) return LLVMFuzzerMutate(data, size, most);
    mutate_tree(document, &chance);
    const size_t written = write(document, data, most);
    xmlFreeDoc(document);
    return written ? written : LLVMFuzzerMutate(data, size, most);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2, size_t size2, uint8_t *out,
                                 size_t most, unsigned seed) {
    fuzz_chance chance = seed;
    if (choose(&chance, 4)) return 0; // it costs twice as much as another mutation, and would be half of them
    xmlDoc *document = parse(data1, size1), *other = parse(data2, size2);
    size_t written = 0;
    if (document && other) {
        for (unsigned i = 0, count = 1 + choose(&chance, 3); i < count; i++)
            graft(document, other, &chance);
        written = write(document, out, most);
    }
    xmlFreeDoc(document);
    xmlFreeDoc(other);
    return written;
}
