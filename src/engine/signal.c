// Taylor polynomials in time.

#include "signal.h"

#include <math.h>

zeno_signal zeno_signal_constant(double origin, double value) {
    return (zeno_signal){.origin = origin, .derivative = {value}};
}

void zeno_signal_measure(zeno_signal *signal) {
    signal->degree = ZENO_INPUT_ORDERS - 1;
    while (signal->degree > 0 && signal->derivative[signal->degree] == 0)
        --signal->degree;
}

bool zeno_signal_is_finite(const zeno_signal *signal) {
    for (int k = 0; k <= signal->degree; ++k)
        if (!isfinite(signal->derivative[k])) return false;
    return true;
}

bool zeno_signal_is_constant(const zeno_signal *signal) {
    return signal->degree == 0;
}

// Horner's scheme: d_m + s (d_{m+1} + s/2 (d_{m+2} + s/3 (...))), from the highest derivative that is there.
double zeno_signal_at(const zeno_signal *signal, int order, double t) {
    const double s = t - signal->origin;
    double sum = 0;
    for (int k = signal->degree; k > order; --k)
        sum = s / (k - order) * (signal->derivative[k] + sum);
    return signal->derivative[order] + sum;
}

zeno_interval zeno_signal_range(const zeno_signal *signal, zeno_interval t) {
    const zeno_interval s = zeno_interval_sub(t, zeno_interval_point(signal->origin));
    zeno_interval sum = zeno_interval_point(0);
    for (int k = signal->degree; k > 0; --k) {
        const zeno_interval inner = zeno_interval_add(zeno_interval_point(signal->derivative[k]), sum);
        sum = zeno_interval_mul(zeno_interval_div(s, zeno_interval_point(k)), inner);
    }
    return zeno_interval_add(zeno_interval_point(signal->derivative[0]), sum);
}

bool zeno_signal_same(const zeno_signal *a, const zeno_signal *b, double t) {
    enum { ULPS = 8 };
    const int degree = a->degree > b->degree ? a->degree : b->degree;
    for (int k = 0; k <= degree; ++k) {
        const double x = zeno_signal_at(a, k, t), y = zeno_signal_at(b, k, t), size = fmax(fabs(x), fabs(y));
        if (x != y && !(fabs(x - y) <= ULPS * (nextafter(size, HUGE_VAL) - size))) return false;
    }
    return true;
}
