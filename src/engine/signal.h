// An input as a function of time: the value and derivatives that the host gave, from the moment on at which it did.

#ifndef ZENO_SIGNAL_H
#define ZENO_SIGNAL_H

#include <stdbool.h>

#include "interval.h"

// The value and the derivatives up to one order less than this.
enum { ZENO_INPUT_ORDERS = 8 };

// u(t) = sum of derivative[k] (t - origin)^k / k!
typedef struct zeno_signal {
    double origin;
    double derivative[ZENO_INPUT_ORDERS]; // the 0th is the value
    int degree;                           // the highest order whose derivative isn't 0; 0 for a constant
} zeno_signal;

zeno_signal zeno_signal_constant(double origin, double value);
// After derivatives were written: finds the degree.
void zeno_signal_measure(zeno_signal *signal);
bool zeno_signal_is_finite(const zeno_signal *signal);
bool zeno_signal_is_constant(const zeno_signal *signal);

// The derivative of the given order at time t; order 0 is the value.
double zeno_signal_at(const zeno_signal *signal, int order, double t);
// All values that it takes in an interval of time.
zeno_interval zeno_signal_range(const zeno_signal *signal, zeno_interval t);
// Whether two signals are the same from time t on, but for a few rounding errors: hosts compute their inputs.
bool zeno_signal_same(const zeno_signal *a, const zeno_signal *b, double t);

#endif
