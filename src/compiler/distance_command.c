// The command line of `distance`, and what it prints.

#define _POSIX_C_SOURCE 200809L

#include "distance_command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "distance.h"
#include "files.h"

typedef struct options {
    const char *model, *a, *b, *csv, *schema;
    const char **settings; // NAME=VALUE
    int setting_count;
    int transitions; // -1: the default
} options;

// ---- the command line

static bool read_transitions(const char *text_value, int *transitions) {
    char *end;
    const long value = strtol(text_value, &end, 10);
    if (end == text_value || *end || value < 0 || value > METRIC_MOST_TRANSITIONS) {
        fprintf(stderr, "zenofmu: --transitions %s: expected a number from 0 to %d\n", text_value,
                METRIC_MOST_TRANSITIONS);
        return false;
    }
    *transitions = (int)value;
    return true;
}

static bool read_option(options *o, const char *option, const char *value) {
    if (strcmp(option, "--transitions") == 0) return read_transitions(value, &o->transitions);
    if (strcmp(option, "--csv") == 0)
        o->csv = value;
    else if (strcmp(option, "--schema") == 0)
        o->schema = value;
    else if (strcmp(option, "--set") == 0)
        o->settings[o->setting_count++] = value;
    else
        return false;
    return true;
}

// `o->settings` has room for `count`.
static bool read_options(int count, char **arguments, options *o) {
    const char **files[] = {&o->model, &o->a, &o->b};
    size_t next = 0;
    for (int i = 0; i < count; i++) {
        if (strncmp(arguments[i], "--", 2) == 0) {
            if (i + 1 == count || !read_option(o, arguments[i], arguments[i + 1])) return false;
            i++;
        } else if (next < sizeof files / sizeof files[0]) {
            *files[next++] = arguments[i];
        } else {
            return false;
        }
    }
    return o->b != NULL;
}

// ---- parameters

static const model_parameter *find_parameter(const model_file *model, const char *name, size_t length) {
    for (int i = 0; i < model->parameter_count; i++) {
        const char *candidate = model->parameters[i].about.name;
        if (strlen(candidate) == length && strncmp(candidate, name, length) == 0) return &model->parameters[i];
    }
    return NULL;
}

static bool in_range(const model_parameter *p, double value) {
    const bool low = p->min_excluded ? value > p->min : value >= p->min;
    return isfinite(value) && low && (p->max_excluded ? value < p->max : value <= p->max);
}

// A number, or the name of a choice.
static double parse_value(const model_parameter *p, const char *word) {
    for (int i = 0; i < p->choice_count; i++) {
        if (strcmp(p->choices[i].name, word) == 0) return i + 1;
    }
    char *end;
    const double value = strtod(word, &end);
    return end == word || *end ? NAN : value;
}

static void set_parameter(const model_file *model, const char *setting, double *values, diagnostics *d) {
    const size_t length = strcspn(setting, "=");
    const model_parameter *p = find_parameter(model, setting, length);
    if (setting[length] != '=') {
        report_error(d, 0, "--set %s: expected NAME=VALUE", setting);
    } else if (!p) {
        report_error(d, 0, "--set %s: there is no parameter '%.*s'", setting, (int)length, setting);
    } else {
        const double value = parse_value(p, setting + length + 1);
        if (in_range(p, value))
            values[p - model->parameters] = value;
        else
            report_error(d, 0, "--set %s: expected a value that '%s' may take", setting, p->about.name);
    }
}

static double *make_parameters(const model_file *model, const options *o, diagnostics *d) {
    double *values = malloc(((size_t)model->parameter_count + 1) * sizeof *values);
    if (!values) {
        report_error(d, 0, "out of memory");
        return NULL;
    }
    for (int i = 0; i < model->parameter_count; i++)
        values[i] = model->parameters[i].value;
    for (int i = 0; i < o->setting_count; i++)
        set_parameter(model, o->settings[i], values, d);
    return values;
}

// ---- what is printed

static void print_curve(const metric_space *space, const metric_result *r) {
    if (isinf(r->distance)) return;
    fputs(r->steps == 0 ? "  shortest curve: a straight line, no transition\n" : "  shortest curve: ", stdout);
    for (int i = 0; i < r->steps; i++) {
        const metric_gluing *gluing = &space->gluing[r->step[i].gluing];
        printf("%s%s%s", i == 0 ? "" : ", then ", gluing->name, r->step[i].backward ? " backwards" : "");
    }
    if (r->steps > 0) putchar('\n');
}

static void print_quality(const metric_result *r, int transitions) {
    switch (r->quality) {
    case METRIC_EXACT:
        puts(isinf(r->distance) ? "  no curve connects the two states" : "  exact: no connecting curve is shorter");
        break;
    case METRIC_EXACT_WITHIN:
        printf(isinf(r->distance) ? "  no curve of at most %d transitions connects the two states\n"
                                  : "  exact over all connecting curves of at most %d transitions\n",
               transitions);
        break;
    case METRIC_UPPER_BOUND:
        printf(isinf(r->distance)
                   ? "  no connecting curve of at most %d transitions was found\n"
                   : "  an upper bound: curves of at most %d transitions were searched, not all of them\n",
               transitions);
        break;
    }
}

static void print_result(const metric_model *metric, const execution_distance *found, int transitions) {
    printf("%s: distance %.10g at t = %.10g\n", metric->model->name, found->greatest.distance, found->time);
    print_curve(&metric->space, &found->greatest);
    print_quality(&found->greatest, transitions);
    printf("  compared at %d times from %.10g to %.10g", found->compared, found->from, found->to);
    if (found->interpolated > 0) printf(", at %d of them with interpolated states", found->interpolated);
    if (found->left_out > 0)
        printf("; left out %d times, where a state isn't known: it lies between samples with an event between them",
               found->left_out);
    putchar('\n');
}

// ---- a table of all distances

static void add_line(void *context, double time, double distance) {
    text *table = context;
    text_append_double(table, time);
    text_append(table, ",");
    if (isinf(distance))
        text_append(table, "inf");
    else
        text_append_double(table, distance);
    text_append(table, "\n");
}

static bool save_table(const text *table, const char *path, diagnostics *d) {
    const char *slash = strrchr(path, '/');
    const output_file file = {slash ? slash + 1 : path, table};
    char *folder = slash ? strdup(path) : strdup(".");
    if (!folder || table->failed) {
        report_error(d, 0, "out of memory");
        free(folder);
        return false;
    }
    if (slash) folder[slash - path] = '\0';
    const bool saved = files_save(folder, &file, 1, d);
    free(folder);
    return saved;
}

// ---- the command

static bool compare(const metric_model *metric, const options *o, diagnostics *d) {
    const int transitions = o->transitions >= 0 ? o->transitions : metric_default_transitions(&metric->space);
    trajectory *a = trajectory_read(o->a, d), *b = trajectory_read(o->b, d);
    text table = {.data = NULL};
    text_append(&table, "\"time\",\"distance\"\n");
    execution_distance found;
    bool good = a && b && distance_of_executions(metric, a, b, transitions, add_line, &table, &found, d);
    if (good && o->csv) good = save_table(&table, o->csv, d);
    if (good) print_result(metric, &found, transitions);
    text_free(&table);
    trajectory_free(a);
    trajectory_free(b);
    return good;
}

static bool run(const options *o) {
    diagnostics d = {.file = o->model};
    model_file *model = model_file_read(o->model, o->schema, &d);
    model_equations *equations = model ? equations_derive(model, &d) : NULL;
    double *parameters = equations ? make_parameters(model, o, &d) : NULL;
    metric_model *metric = d.errors == 0 && parameters ? metric_model_create(model, equations, parameters, &d) : NULL;
    const bool good = metric && compare(metric, o, &d);
    metric_model_free(metric);
    free(parameters);
    equations_free(equations);
    model_file_free(model);
    return good;
}

distance_outcome distance_command(int count, char **arguments) {
    options o = {.schema = ZENOFMU_SCHEMA, .transitions = -1};
    o.settings = malloc(((size_t)count + 1) * sizeof *o.settings);
    if (!o.settings) {
        fputs("zenofmu: out of memory\n", stderr);
        return DISTANCE_FAILED;
    }
    distance_outcome outcome = DISTANCE_USAGE_WRONG;
    if (read_options(count, arguments, &o)) outcome = run(&o) ? DISTANCE_FOUND : DISTANCE_FAILED;
    free(o.settings);
    return outcome;
}
