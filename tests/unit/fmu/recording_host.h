// A host for the tests: it keeps the messages it is sent, counts the memory it gives, and can run out of it.

#ifndef RECORDING_HOST_H
#define RECORDING_HOST_H

#include <fmi2Functions.h>
#include <stdbool.h>

#include "cmocka_all.h"
#include "life_cycle.h"

enum { MESSAGES_KEPT = 8 };

typedef struct recorded_message {
    void *environment;
    fmi2Status status;
    char instance[64], category[64], format[16], text[1200];
} recorded_message;

typedef struct recording_host {
    fmi2CallbackFunctions callbacks;
    recorded_message message[MESSAGES_KEPT]; // the first ones
    int messages;                            // how many came
} recording_host;

extern recording_host host;

// A host that nothing has happened to yet; cmocka's set-up and tear-down. The tear-down finds memory not given back.
int begin_test(void **state);
int end_test(void **state);
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_test, end_test)

// How many allocations succeed before all fail; negative: all succeed.
void limit_allocations(int count);
int blocks_in_use(void);

void forget_messages(void);

// Passes when a message of this category contains the text.
void assert_logged(const char *category, const char *text);

// Equal to the bit, and shown with all digits; cmocka compares doubles as floats.
void assert_same_real(double actual, double expected);

// An instance of the fake model with the host's callbacks, logging off.
fmi2Component instantiate(void);
// One that has been taken to a state.
fmi2Component instance_in(zeno_fmu_state state);

#endif
