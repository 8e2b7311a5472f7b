// The solver's vectors: as many as were made, and what is given back can be taken again.

#include <sundials/sundials_context.h>

#include "playground.h"
#include "vector.h"

static void vectors_end_and_come_back(void **state) {
    (void)state;
    const zeno_host host = {.allocate = calloc, .release = free};
    SUNContext context;
    assert_int_equal(SUNContext_Create(NULL, &context), 0);
    zeno_vectors vectors = {.vector = NULL};
    assert_true(zeno_vectors_create(&vectors, 3, context, &host));
    N_Vector taken[100];
    int count = 0;
    while (count < 100 && (taken[count] = zeno_vectors_take(&vectors)) != NULL) {
        N_VConst(count, taken[count]); // each has its own components
        ++count;
    }
    assert_true(count > 0 && count < 100);
    for (int i = 0; i < count; ++i)
        assert_near(NV_Ith_S(taken[i], 2), i, 0);
    N_VDestroy(taken[1]);
    assert_ptr_equal(N_VClone(taken[0]), taken[1]);
    zeno_vectors_release(&vectors, &host);
    SUNContext_Free(&context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_end_and_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
