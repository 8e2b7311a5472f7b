// The GUID of an FMU: the 128-bit FNV-1a hash of its parts. It has to tell apart two models that a person exports, by
// accident alone equal, not to withstand somebody who looks for equal ones: nothing cryptographic is needed.

#include "guid.h"

#include <stdint.h>
#include <stdio.h>

typedef struct hash128 {
    uint64_t high, low;
} hash128;

// hash = (hash xor byte) * (2^88 + 0x13B) mod 2^128
static void add_byte(hash128 *hash, unsigned char byte) {
    const uint64_t low = hash->low ^ byte;
    const uint64_t first = (low & 0xFFFFFFFF) * 0x13B;
    const uint64_t second = (low >> 32) * 0x13B + (first >> 32);
    hash->high = hash->high * 0x13B + (second >> 32) + (low << (88 - 64));
    hash->low = (second << 32) | (first & 0xFFFFFFFF);
}

void guid_make(const char *const *parts, int count, char guid[GUID_SIZE]) {
    hash128 hash = {0x6C62272E07BB0142, 0x62B821756295C58D};
    for (int i = 0; i < count; i++) {
        const char *c = parts[i];
        do {
            add_byte(&hash, (unsigned char)*c); // the NUL too: it keeps the parts apart
        } while (*c++ != '\0');
    }
    snprintf(guid, GUID_SIZE, "{%08x-%04x-%04x-%04x-%012llx}", (unsigned)(hash.high >> 32),
             (unsigned)(hash.high >> 16) & 0xFFFF, (unsigned)hash.high & 0xFFFF, (unsigned)(hash.low >> 48),
             (unsigned long long)(hash.low & 0xFFFFFFFFFFFF));
}
