// Distances between sampled executions: which times are compared, what is interpolated, and what is wrong.

#define _POSIX_C_SOURCE 200809L

#include "distance.h"
#include "expect.h"
#include "sample_model.h"

#include <stdlib.h>
#include <unistd.h>

enum { PATH_SIZE = 40 };

// A model, glued, and two executions of it.
typedef struct pair {
    sample sample;
    model_equations *equations;
    metric_model *metric;
    double parameters[4];
    trajectory *a, *b;
    char *messages;
    execution_distance found;
    bool good;
} pair;

static trajectory *written(const char *content) {
    char path[PATH_SIZE] = "/tmp/zenofmu_run_XXXXXX";
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, content, strlen(content)), (ssize_t)strlen(content));
    close(descriptor);
    diagnostics d = {0};
    trajectory *t = trajectory_read(path, &d);
    unlink(path);
    assert_non_null(t);
    return t;
}

static void compare(pair *p, const char *model, const char *a, const char *b) {
    size_t size;
    diagnostics d = {.file = "m.xml", .stream = open_memstream(&p->messages, &size)};
    p->sample = read_good(model);
    p->equations = equations_derive(p->sample.model, &d);
    for (int i = 0; i < p->sample.model->parameter_count; i++)
        p->parameters[i] = p->sample.model->parameters[i].value;
    p->metric = metric_model_create(p->sample.model, p->equations, p->parameters, &d);
    assert_non_null(p->metric);
    p->a = written(a);
    p->b = written(b);
    p->a->path = "a.csv";
    p->b->path = "b.csv";
    p->good = distance_of_executions(p->metric, p->a, p->b, 2, NULL, NULL, &p->found, &d);
    fclose(d.stream);
    assert_int_equal(p->good, d.errors == 0);
}

static void pair_free(pair *p) {
    trajectory_free(p->a);
    trajectory_free(p->b);
    metric_model_free(p->metric);
    equations_free(p->equations);
    sample_free(&p->sample);
    free(p->messages);
}

static void assert_refused_pair(const char *model, const char *a, const char *b, const char *messages) {
    pair p;
    compare(&p, model, a, b);
    assert_false(p.good);
    assert_string_equal(p.messages, messages);
    pair_free(&p);
}

// ---- a ball over a floor

#define BALL SAMPLE("")
#define COUNTED "time,x,y,vx,vy,floor.impacts,floor.releases\n"

static void the_greatest_distance_and_its_time_are_found(void **state) {
    (void)state;
    pair p;
    compare(&p, BALL, "time,x,y,vx,vy\n0,0,9,0,0\n1,0,9,0,0\n2,0,9,0,0\n",
            "time,vy,vx,y,x\n0,0,0,9.5,0\n1,0,0,10,0\n2,0,0.5,9,0\n");
    assert_true(p.good);
    assert_same_double(p.found.greatest.distance, 1);
    assert_same_double(p.found.time, 1);
    assert_int_equal(p.found.compared, 3);
    assert_int_equal(p.found.interpolated, 0);
    assert_int_equal(p.found.left_out, 0);
    pair_free(&p);
}

// One ball has bounced, the other not yet: the states differ much, the distance doesn't.
static void an_impact_in_one_execution_only_is_a_short_way(void **state) {
    (void)state;
    pair p;
    compare(&p, BALL, "time,x,y,vx,vy\n0,0,0.001,0,-2\n", "time,x,y,vx,vy\n0,0,0.002,0,1\n");
    assert_true(p.good);
    expect_near(p.found.greatest.distance, 0.003, 1e-15);
    assert_int_equal(p.found.greatest.steps, 1);
    pair_free(&p);
}

static void only_what_both_cover_is_compared(void **state) {
    (void)state;
    pair p;
    compare(&p, BALL, "time,x,y,vx,vy\n0,0,50,0,0\n1,0,9,0,0\n2,0,9,0,0\n",
            "time,x,y,vx,vy\n1,0,9.5,0,0\n2,0,9,0,0\n3,0,50,0,0\n");
    assert_true(p.good);
    assert_same_double(p.found.from, 1);
    assert_same_double(p.found.to, 2);
    assert_int_equal(p.found.compared, 2);
    assert_same_double(p.found.greatest.distance, 0.5);
    pair_free(&p);
}

static void without_events_between_samples_states_are_interpolated(void **state) {
    (void)state;
    pair p;
    compare(&p, BALL, COUNTED "0,0,9,0,0,1,0\n1,1,9,0,0,1,0\n2,2,9,0,0,1,0\n",
            COUNTED "0,0,9,0,0,0,0\n0.25,0.5,9,0,0,0,0\n2,2,9,0,0,0,0\n");
    assert_true(p.good);
    assert_int_equal(p.found.compared, 4);
    assert_int_equal(p.found.interpolated, 2);
    assert_same_double(p.found.time, 0.25); // 0.5 and, interpolated, 0.25
    assert_same_double(p.found.greatest.distance, 0.25);
    pair_free(&p);
}

static void across_an_event_nothing_is_interpolated(void **state) {
    (void)state;
    static const char *const other = COUNTED "0,0,9,0,0,0,0\n0.5,0,9,0,0,0,0\n1,0,9,0,0,0,0\n";
    static const char *const eventful[] = {
        COUNTED "0,0,9,0,0,0,0\n1,0,9,0,0,1,0\n",                   // an impact
        COUNTED "0,0,9,0,0,1,0\n1,0,9,0,0,1,1\n",                   // a release
        "time,x,y,vx,vy,floor.impacts\n0,0,9,0,0,1\n1,0,9,0,0,1\n", // not known
    };
    for (size_t i = 0; i < sizeof eventful / sizeof eventful[0]; i++) {
        pair p;
        compare(&p, BALL, eventful[i], other);
        assert_true(p.good);
        assert_int_equal(p.found.compared, 2);
        assert_int_equal(p.found.left_out, 1);
        assert_int_equal(p.found.interpolated, 0);
        pair_free(&p);
    }
}

// Hosts add up their steps: ten times 0.1 is not 1.
static void times_that_differ_by_rounding_are_the_same(void **state) {
    (void)state;
    pair p;
    compare(&p, BALL, "time,x,y,vx,vy\n0,0,9,0,0\n0.5,0,9,0,0\n0.9999999999999999,0,9,0,0\n",
            "time,x,y,vx,vy\n0,0,9,0,0\n0.50000000000000011,0,9,0,0\n1,0,9.25,0,0\n");
    assert_true(p.good);
    assert_int_equal(p.found.compared, 3);
    assert_int_equal(p.found.left_out, 0);
    assert_same_double(p.found.greatest.distance, 0.25);
    pair_free(&p);
}

static void what_is_missing_is_named(void **state) {
    (void)state;
    static const char *const good = "time,x,y,vx,vy\n0,0,9,0,0\n";
    assert_refused_pair(BALL, good, "time,x,y,vx,Vy\n0,0,9,0,0\n",
                        "b.csv: there is no column 'vy'; did you mean 'Vy'?\n");
    assert_refused_pair(BALL, "time,x,y,vx,vy\n0,0,9,0,nan\n", good, "a.csv:2: 'vy' is no finite number\n");
    assert_refused_pair(BALL, good, "time,x,y,vx,vy\n1,0,9,0,0\n",
                        "m.xml: no common time: 'a.csv' goes from 0 to 0, 'b.csv' from 1 to 1\n");
    assert_refused_pair(BALL, "time,x,y,vx,vy\n0,0,9,0,0\n2,0,9,0,0\n", "time,x,y,vx,vy\n1,0,9,0,0\n",
                        "m.xml: no time can be compared: 'a.csv' and 'b.csv' have no sample time in common, and none "
                        "can be interpolated\n");
}

// ---- a system with modes

// The first has left `up` and come back between 1 and 2, the second goes on: at 1.5 the first isn't known.
static void modes_are_read_and_transitions_counted(void **state) {
    (void)state;
    pair p;
    compare(&p, SYSTEM("", "", ""), "time,x,v,mode,transitions\n0,0.1,-1,0,0\n1,0.1,-1,0,0\n2,0.1,-1,0,2\n",
            "time,x,v,mode,transitions\n0,-0.1,-1,1,1\n0.5,-0.1,-1,1,1\n1.5,-0.1,-1,1,1\n2,-0.1,-1,1,1\n");
    assert_true(p.good);
    assert_int_equal(p.found.compared, 4); // 0, 0.5, 1, 2
    assert_int_equal(p.found.interpolated, 2);
    assert_int_equal(p.found.left_out, 1);
    expect_near(p.found.greatest.distance, 0.2, 1e-15);
    pair_free(&p);
}

static void a_mode_that_the_model_has_not_is_refused(void **state) {
    (void)state;
    static const char *const good = "time,x,v,mode\n0,1,0,0\n";
    assert_refused_pair(SYSTEM("", "", ""), good, "time,x,v\n0,1,0\n", "b.csv: there is no column 'mode'\n");
    assert_refused_pair(SYSTEM("", "", ""), good, "time,x,v,mode\n0,1,0,2\n",
                        "b.csv:2: mode 2, expected one from 0 to 1\n");
    assert_refused_pair(SYSTEM("", "", ""), "time,x,v,mode\n0,1,0,0.5\n", good,
                        "a.csv:2: mode 0.5, expected one from 0 to 1\n");
}

// `n` is needed only where a guard reads it.
static void held_variables_are_needed_where_they_are_read(void **state) {
    (void)state;
    static const char *const without = "time,x,v,mode\n0,1,0,0\n";
    pair p;
    compare(&p, SYSTEM("", "", ""), without, without);
    assert_true(p.good);
    pair_free(&p);
    assert_refused_pair(SYSTEM("<transition to='down' falling='v - n'/>", "", ""), "time,x,v,mode,n\n0,1,0,0,1\n",
                        without, "b.csv: there is no column 'n'\n");
}

// The transition's guard x = n is where what is held says.
static void a_guard_is_where_the_held_variables_say(void **state) {
    (void)state;
    pair p;
    compare(&p,
            "<hybridSystem xmlns='urn:zenofmu:model:1' name='Sample'><state name='x'/><held name='n'/>\n"
            "<mode name='a' initial='true'><derivative of='x'>-1</derivative>\n"
            "<transition to='b' falling='x - n'/></mode>\n"
            "<mode name='b'><derivative of='x'>-1</derivative></mode></hybridSystem>\n",
            "time,x,n,mode\n0,3,1,0\n1,3,4,0\n", "time,x,n,mode\n0,2,7,1\n1,2,7,1\n");
    assert_true(p.good); // from 3 to 1 and back to 2; then up to 4 and down to 2
    assert_same_double(p.found.time, 0);
    expect_near(p.found.greatest.distance, 3, 1e-15);
    pair_free(&p);
}

static void inputs_count_where_they_are_recorded(void **state) {
    (void)state;
    static const char model[] = "<hybridSystem xmlns='urn:zenofmu:model:1' name='Sample'><input name='u'/>\n"
                                "<state name='x'/>\n"
                                "<mode name='a' initial='true'><derivative of='x'>u</derivative>\n"
                                "<transition to='b' falling='x'/></mode>\n"
                                "<mode name='b'><derivative of='x'>-1</derivative></mode></hybridSystem>\n";
    pair p;
    compare(&p, model, "time,x,mode,u\n0,1,0,-1\n", "time,x,mode\n0,-1,1\n");
    assert_true(p.good);
    expect_near(p.found.greatest.distance, 2, 1e-15);
    pair_free(&p);
    compare(&p, model, "time,x,mode,u\n0,1,0,1\n", "time,x,mode\n0,-1,1\n"); // the guard rises
    assert_true(p.good);
    assert_true(isinf(p.found.greatest.distance));
    pair_free(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_greatest_distance_and_its_time_are_found),
        cmocka_unit_test(an_impact_in_one_execution_only_is_a_short_way),
        cmocka_unit_test(only_what_both_cover_is_compared),
        cmocka_unit_test(without_events_between_samples_states_are_interpolated),
        cmocka_unit_test(across_an_event_nothing_is_interpolated),
        cmocka_unit_test(times_that_differ_by_rounding_are_the_same),
        cmocka_unit_test(what_is_missing_is_named),
        cmocka_unit_test(modes_are_read_and_transitions_counted),
        cmocka_unit_test(a_mode_that_the_model_has_not_is_refused),
        cmocka_unit_test(held_variables_are_needed_where_they_are_read),
        cmocka_unit_test(a_guard_is_where_the_held_variables_say),
        cmocka_unit_test(inputs_count_where_they_are_recorded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
