// What the fuzz targets share: reading an input, and how a broken promise is told.

#ifndef ZENOFMU_FUZZ_H
#define ZENOFMU_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What libFuzzer calls, and what it offers to mutators.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *count, char ***arguments);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2, size_t size2, uint8_t *out,
                                 size_t most, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

// Says what should be so and is not, and ends the process: for libFuzzer that is a finding.
void promise(bool kept, const char *sentence);

// An input that is read from its front; zeros follow its end.
typedef struct fuzz_input {
    const uint8_t *data;
    size_t size;
} fuzz_input;

unsigned take_byte(fuzz_input *input);
// A number from 0 to `count` - 1.
unsigned take_choice(fuzz_input *input, unsigned count);
// A double: a byte chooses a special value, a common one, or that eight bytes of any content follow.
double take_double(fuzz_input *input);

// Chance for mutators.
typedef uint64_t fuzz_chance;
unsigned choose(fuzz_chance *chance, unsigned count);

#endif
