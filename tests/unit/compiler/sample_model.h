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
