// Bytes that are not a state of this FMU: whatever byte is changed, however many are missing, they are refused and the
// instance stays as it was.

#include <stdio.h>
#include <stdlib.h>

#include "host.h"

typedef struct serialized {
    fmi2Byte *bytes;
    size_t size;
} serialized;

static serialized serialize(const loaded_fmu *fmu, fmi2Component component) {
    serialized s = {NULL, 0};
    fmi2FMUstate saved = NULL;
    check(fmu->call.GetFMUstate(component, &saved) == fmi2OK, "a state can be saved");
    check(fmu->call.SerializedFMUstateSize(component, saved, &s.size) == fmi2OK, "it has a size");
    s.bytes = calloc(s.size + 1, 1);
    check(fmu->call.SerializeFMUstate(component, saved, s.bytes, s.size) == fmi2OK, "it can be serialised");
    fmu->call.FreeFMUstate(component, &saved);
    return s;
}

static void expect_refusal(const loaded_fmu *fmu, fmi2Component component, const fmi2Byte *bytes, size_t size,
                           const char *sentence) {
    fmi2FMUstate saved = NULL;
    check(fmu->call.DeSerializeFMUstate(component, bytes, size, &saved) == fmi2Error && !saved, sentence);
}

// Every byte with every single bit changed, and with all of them.
static void change_every_byte(const loaded_fmu *fmu, fmi2Component component, const serialized *s) {
    for (size_t i = 0; i < s->size; i++) {
        const fmi2Byte right = s->bytes[i];
        for (int bit = 0; bit <= 8; bit++) {
            s->bytes[i] = (fmi2Byte)(right ^ (bit < 8 ? 1 << bit : 0xff));
            expect_refusal(fmu, component, s->bytes, s->size, "a changed byte is found");
        }
        s->bytes[i] = right;
    }
}

static void damage(const loaded_fmu *fmu, fmi2Component component) {
    const uint64_t before = fingerprint(fmu, component);
    const serialized s = serialize(fmu, component);
    fmi2FMUstate saved = NULL;
    change_every_byte(fmu, component, &s);
    for (size_t size = 0; size < s.size; size++)
        expect_refusal(fmu, component, s.bytes, size, "a missing end is found");
    expect_refusal(fmu, component, s.bytes, s.size + 1, "a byte too many is found");
    check(fingerprint(fmu, component) == before, "what is refused changes nothing");
    check(fmu->call.DeSerializeFMUstate(component, s.bytes, s.size, &saved) == fmi2OK, "the whole is a state");
    fmu->call.FreeFMUstate(component, &saved);
    printf("%zu bytes\n", s.size);
    free(s.bytes);
}

void play_damage(loaded_fmu *fmu, const char *nothing) {
    (void)nothing;
    listener ear = {.messages = 0};
    fmi2Component component = instantiate(fmu, &ear);
    damage(fmu, component);
    check(initialize(fmu, component) == fmi2OK, "a run can start");
    for (int i = 0; i < 3; i++) {
        check(fmu->call.DoStep(component, i, 1, fmi2True) == fmi2OK, "a step can be done");
        damage(fmu, component);
    }
    fmu->call.FreeInstance(component);
}
