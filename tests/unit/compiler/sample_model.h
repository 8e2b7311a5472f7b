// Model files of a few lines, for tests: written to a temporary file and read with the messages kept.

#ifndef ZENOFMU_TESTS_SAMPLE_MODEL_H
#define ZENOFMU_TESTS_SAMPLE_MODEL_H

#include "model_file.h"

#define SAMPLE_BEGIN "<hybridLagrangian xmlns='urn:zenofmu:model:1' name='Sample'>\n"
#define SAMPLE_COORDINATES                                                                                             \
    "<coordinate name='x' rate='vx' unit='m'/>\n"                                                                      \
    "<coordinate name='y' rate='vy' unit='m' start='2'/>\n"
#define SAMPLE_ENERGIES                                                                                                \
    "<kineticEnergy>(vx^2 + vy^2)/2</kineticEnergy>\n"                                                                 \
    "<potentialEnergy>9.81*y</potentialEnergy>\n"
#define SAMPLE_CONSTRAINT "<constraint name='floor' restitution='0.5' unit='m'>y</constraint>\n"
#define SAMPLE_END "</hybridLagrangian>\n"

// A good model with more elements, which begin in line 7.
#define SAMPLE(more) SAMPLE_BEGIN SAMPLE_COORDINATES SAMPLE_ENERGIES SAMPLE_CONSTRAINT more "\n" SAMPLE_END

// A good system of two modes: more elements in the first begin in line 8, in the second in line 13, of the system
// itself in line 15.
#define SYSTEM_BEGIN                                                                                                   \
    "<hybridSystem xmlns='urn:zenofmu:model:1' name='Sample'>\n"                                                       \
    "<parameter name='k' value='2'/><input name='F' unit='N'/>\n"                                                      \
    "<state name='x' unit='m' start='1'/><state name='v' unit='m/s'/>\n"                                               \
    "<held name='n'/>\n"
#define SYSTEM_MODE "<derivative of='x'>v</derivative><derivative of='v'>F - k*x</derivative>\n"
#define SYSTEM_MODES(first, in_first, in_second)                                                                       \
    "<mode name='up'" first ">\n" SYSTEM_MODE "<transition to='down' falling='x'/>\n" in_first "\n</mode>\n"           \
    "<mode name='down'>\n" SYSTEM_MODE "<transition to='up' rising='x - 1'/>\n" in_second "\n</mode>\n"
#define SYSTEM_END "</hybridSystem>\n"
#define SYSTEM(in_up, in_down, more) SYSTEM_BEGIN SYSTEM_MODES(" initial='true'", in_up, in_down) more "\n" SYSTEM_END

typedef struct sample {
    model_file *model; // NULL when it was refused
    char *messages;    // what was reported; the file is called "m.xml" in it
} sample;

sample sample_read(const char *content);
void sample_free(sample *s);

// Fails the test unless the model is refused with exactly these messages.
void assert_refused(const char *content, const char *messages);
// Fails the test, and prints the messages, unless the model is read without any. The caller frees it.
sample read_good(const char *content);

// cmocka compares doubles as floats.
void assert_same_double(double actual, double expected);

#endif
