// Vector operations for CVODE. Its own serial ones look for special cases first, which costs more than the work itself
// when vectors have a handful of elements, as a solver's vector here always has. The results are the same bits.

#include "vector.h"

#include <math.h>
#include <nvector/nvector_serial.h>

// Two elements at a time; compilers know this type on every machine.
typedef double pair __attribute__((vector_size(16), aligned(8), may_alias));

static pair get(const double *from) {
    return *(const pair *)from;
}

static void put(double *to, pair value) {
    *(pair *)to = value;
}

static void linear_sum(realtype a, N_Vector x, realtype b, N_Vector y, N_Vector z) {
    const sunindextype n = NV_LENGTH_S(x);
    const double *from = NV_DATA_S(x), *with = NV_DATA_S(y);
    double *to = NV_DATA_S(z);
    sunindextype i = 0;
    for (; i + 1 < n; i += 2)
        put(to + i, a * get(from + i) + b * get(with + i));
    if (i < n) to[i] = a * from[i] + b * with[i];
}

static void scaled(sunindextype n, double c, const double *from, double *to) {
    sunindextype i = 0;
    for (; i + 1 < n; i += 2)
        put(to + i, c * get(from + i));
    if (i < n) to[i] = c * from[i];
}

static void scale(realtype c, N_Vector x, N_Vector z) {
    const sunindextype n = NV_LENGTH_S(x);
    const double *from = NV_DATA_S(x);
    double *to = NV_DATA_S(z);
    scaled(n, c, from, to);
}

static realtype weighted_norm(N_Vector x, N_Vector w) {
    const sunindextype n = NV_LENGTH_S(x);
    const double *value = NV_DATA_S(x), *weight = NV_DATA_S(w);
    double sum = 0;
    for (sunindextype i = 0; i < n; ++i) {
        const double product = value[i] * weight[i];
        sum += product * product;
    }
    return sqrt(sum / (double)n);
}

static void add_scaled(sunindextype n, double c, const double *from, double *to) {
    sunindextype i = 0;
    for (; i + 1 < n; i += 2)
        put(to + i, get(to + i) + c * get(from + i));
    if (i < n) to[i] += c * from[i];
}

// z = sum of c[k] x[k]; z may be x[0].
static int linear_combination(int count, realtype *c, N_Vector *x, N_Vector z) {
    const sunindextype n = NV_LENGTH_S(z);
    double *to = NV_DATA_S(z);
    scaled(n, c[0], NV_DATA_S(x[0]), to);
    for (int k = 1; k < count; ++k)
        add_scaled(n, c[k], NV_DATA_S(x[k]), to);
    return 0;
}

// z[k] = a[k] x + y[k]
static int scale_add_multi(int count, realtype *a, N_Vector x, N_Vector *y, N_Vector *z) {
    for (int k = 0; k < count; ++k)
        linear_sum(a[k], x, 1, y[k], z[k]);
    return 0;
}

void zeno_use_small_vectors(N_Vector_Ops operations) {
    operations->nvlinearsum = linear_sum;
    operations->nvscale = scale;
    operations->nvwrmsnorm = weighted_norm;
    operations->nvlinearcombination = linear_combination;
    operations->nvscaleaddmulti = scale_add_multi;
}
