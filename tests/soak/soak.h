// The long runs, and what they share.

#ifndef SOAK_H
#define SOAK_H

#include "host.h"

// `count` of something, all FMUs in one process.
void soak_steps(const loaded_fmu *fmu, int fmus, long count);
void soak_impacts(const loaded_fmu *fmu, long count);
void soak_year(const loaded_fmu *fmu, long days);
void soak_edges(const loaded_fmu *fmu, long steps);

#endif
