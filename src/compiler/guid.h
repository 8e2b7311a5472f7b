// The GUID of an FMU, made from what the FMU consists of.

#ifndef ZENOFMU_GUID_H
#define ZENOFMU_GUID_H

enum { GUID_SIZE = 39 }; // "{xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx}" and its closing NUL

void guid_make(const char *const *parts, int count, char guid[GUID_SIZE]);

#endif
