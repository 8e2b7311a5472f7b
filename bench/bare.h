// A bare CVODE loop, written by hand for one system with two coordinates and one constraint: what the FMUs are measured
// against. No interface, no parameters from outside, no inputs, no proof: a cascade is cut at a fixed speed.

#ifndef BENCH_BARE_H
#define BENCH_BARE_H

// Places in the solver's vector: gap and gap rate are carried beside coordinates and rates. In contact the gap's place
// carries the impulse of the contact force, whose zero ends the contact.
enum { Q = 0, V = 2, GAP = 4, GAP_RATE = 5, SIZE = 6 };

// What an impulse along the constraint's normal does: J v is the gap rate, w = M^-1 J', W = J w.
typedef struct bare_normal {
    double J[2], w[2], W;
} bare_normal;

typedef struct bare_system {
    double start[4];      // coordinates and rates
    double gap, gap_rate; // there
    double restitution;
    void (*flight)(const double *y, double *dy); // the right-hand sides
    void (*contact)(const double *y, double *dy);
    double (*gap_acceleration)(const double *y); // in flight
    double (*force)(const double *y);            // in contact
    bare_normal (*normal)(const double *y);
    double (*height)(const double *y); // the gap, from the coordinates
} bare_system;

extern const bare_system bare_ball_on_sine, bare_double_pendulum;

#endif
