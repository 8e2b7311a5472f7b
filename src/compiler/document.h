// A model file as an XML document that follows the schema. Nothing in a file can make the reader fetch anything or
// expand entities.

#ifndef ZENOFMU_DOCUMENT_H
#define ZENOFMU_DOCUMENT_H

#include <libxml/tree.h>
#include <libxml/xmlversion.h>

#include "diagnostics.h"

#if LIBXML_VERSION >= 21200
typedef const xmlError *document_error;
#else
typedef xmlErrorPtr document_error;
#endif

// NULL on error, which is reported. The caller frees it with xmlFreeDoc. (document.c)
xmlDoc *document_read(const char *path, diagnostics *d);

// Reports where `document` doesn't have the form that the schema gives. (schema.c)
void document_validate(xmlDoc *document, const char *schema_path, diagnostics *d);

#endif
