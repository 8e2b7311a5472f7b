// The long runs, and what they share.

#ifndef SOAK_H
#define SOAK_H

#include "host.h"

enum { MOST_FMUS = 32 };

// The FMUs of a run, all in one process.
typedef struct company {
    int fmus;
    const loaded_fmu *fmu;
    char *const *files; // library and description of each in turn
} company;

// ---- One run of one FMU (subject.c)

typedef struct subject {
    const loaded_fmu *fmu;
    fmi2Component component;
    listener ear;
    double time;
} subject;

// Its library's file name, and whether that is of this model.
const char *name_of(const loaded_fmu *fmu);
bool is_called(const loaded_fmu *fmu, const char *name);
// NULL, and a failed check, where it is not in the company.
const loaded_fmu *fmu_named(const company *all, const char *name);

// A subject is told what it should be, begins, goes on, and is dismissed.
subject summon(const loaded_fmu *fmu);
void put(subject *x, const char *name, double value);
bool begin(subject *x);
// One step; `time` is the host's sum of steps.
bool go_on(subject *x, double size);
// One step to a time that is not before the present one.
bool go_to(subject *x, double time);
double get(const subject *x, const char *name);
bool has(const subject *x, const char *name);
void dismiss(subject *x);

// Says what is off, of whom and when, and by how much.
bool expect_near(const subject *x, const char *what, double value, double expected, double allowed);
bool expect(const subject *x, bool passed, const char *sentence);
// All values can be read and are finite, and nothing has fallen through its constraint by more than `depth`.
bool expect_sense(const subject *x, double depth);

// Seconds of processor time so far.
double seconds(void);

// ---- Units (units.c)

// Exponents of kg, m and s, by value reference.
typedef struct dimensions {
    int exponent[MOST_VARIABLES][3];
} dimensions;

bool read_dimensions(dimensions *d, const loaded_fmu *fmu, const char *description_path);

// ---- Edges, by part; `trials` are those of a part that goes by chance

void soak_scales(const company *all, long trials);
void soak_contacts(const company *all, long trials);
void soak_bounces(const company *all, long trials);
void soak_ranges(const company *all, long trials);
void soak_patterns(const company *all, long trials);

// ---- The runs

void soak_steps(const company *all, long steps);
void soak_impacts(const company *all, long impacts);
void soak_year(const company *all, long days);
void soak_edges(const company *all, long trials);
void soak_inputs(const company *all, long changes);

#endif
