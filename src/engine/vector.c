// Vectors for CVODE. SUNDIALS' N_VClone (6.4.1) doesn't survive a lack of memory, so all vectors are made before any is
// needed. And its serial operations look for special cases first, which costs more than the work itself when vectors
// have a handful of elements, as they always have here; the results of ours are the same bits.

#include "vector.h"

#include <math.h>

// The vectors of both solvers and our own: 45 are taken.
enum { VECTORS = 48 };

struct zeno_vector {
    struct _generic_N_Vector base;
    struct _N_VectorContent_Serial content;
    zeno_vectors *owner;
    bool taken;
};

// ---- Operations, on two elements at a time: the memory behind an odd vector has one more

typedef double pair __attribute__((vector_size(16), aligned(8), may_alias)); // compilers know it on every machine

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
    for (sunindextype i = 0; i < n; i += 2)
        put(to + i, a * get(from + i) + b * get(with + i));
}

static void scale(realtype c, N_Vector x, N_Vector z) {
    const sunindextype n = NV_LENGTH_S(x);
    const double *from = NV_DATA_S(x);
    double *to = NV_DATA_S(z);
    for (sunindextype i = 0; i < n; i += 2)
        put(to + i, c * get(from + i));
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

// z = sum of c[k] x[k]; z may be x[0].
static int linear_combination(int count, realtype *c, N_Vector *x, N_Vector z) {
    const sunindextype n = NV_LENGTH_S(z);
    double *to = NV_DATA_S(z);
    scale(c[0], x[0], z);
    for (int k = 1; k < count; ++k) {
        const double *from = NV_DATA_S(x[k]), factor = c[k];
        for (sunindextype i = 0; i < n; i += 2)
            put(to + i, get(to + i) + factor * get(from + i));
    }
    return 0;
}

// z[k] = a[k] x + y[k]
static int scale_add_multi(int count, realtype *a, N_Vector x, N_Vector *y, N_Vector *z) {
    for (int k = 0; k < count; ++k)
        linear_sum(a[k], x, 1, y[k], z[k]);
    return 0;
}

// ---- Taking and giving back

N_Vector zeno_vectors_take(zeno_vectors *vectors) {
    for (int i = 0; i < VECTORS; ++i) {
        zeno_vector *vector = &vectors->vector[i];
        if (vector->taken) continue;
        vector->taken = true;
        return &vector->base;
    }
    return NULL;
}

static N_Vector clone(N_Vector like) {
    return zeno_vectors_take(((zeno_vector *)like)->owner);
}

static void give_back(N_Vector vector) {
    ((zeno_vector *)vector)->taken = false;
}

// ---- Life

static bool choose_operations(zeno_vectors *vectors, SUNContext context) {
    N_Vector pattern = N_VNewEmpty_Serial(1, context);
    if (!pattern) return false;
    vectors->operations = *pattern->ops;
    vectors->operations.nvclone = clone;
    vectors->operations.nvcloneempty = NULL; // nobody asks for one
    vectors->operations.nvdestroy = give_back;
    vectors->operations.nvlinearsum = linear_sum;
    vectors->operations.nvscale = scale;
    vectors->operations.nvwrmsnorm = weighted_norm;
    vectors->operations.nvlinearcombination = linear_combination;
    vectors->operations.nvscaleaddmulti = scale_add_multi;
    N_VDestroy(pattern);
    return true;
}

bool zeno_vectors_create(zeno_vectors *vectors, int dimension, SUNContext context, const zeno_host *host) {
    const int room = dimension + dimension % 2;
    vectors->vector = host->allocate(VECTORS, sizeof *vectors->vector);
    vectors->components = host->allocate((size_t)(VECTORS * room), sizeof *vectors->components);
    if (!vectors->vector || !vectors->components || !choose_operations(vectors, context)) return false;
    for (int i = 0; i < VECTORS; ++i) {
        zeno_vector *vector = &vectors->vector[i];
        vector->owner = vectors;
        vector->content = (struct _N_VectorContent_Serial){.length = dimension, .data = vectors->components + i * room};
        vector->base =
            (struct _generic_N_Vector){.content = &vector->content, .ops = &vectors->operations, .sunctx = context};
    }
    return true;
}

void zeno_vectors_release(zeno_vectors *vectors, const zeno_host *host) {
    if (vectors->vector) host->release(vectors->vector);
    if (vectors->components) host->release(vectors->components);
}
