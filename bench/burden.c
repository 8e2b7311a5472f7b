// The two algorithms that [Burden, V-B] compares, on the forced oscillator with a stop
//
//     x'' + 2 a x' + omega^2 x = amplitude cos(frequency t),   x <= xmax,   v+ = -e v-
//
// `relaxed` is the discrete approximation of a relaxed execution [Burden, Fig. 12] with the midpoint method, `ps` the
// method of Paoli and Schatzman [Burden, Eq. (29)]:
//
//     burden relaxed|ps [NAME=VALUE ...] [text|binary|last]
//
// Names: a omega xmax e amplitude frequency; x v (the start); stop (the time), h (the time step), epsilon (the
// relaxation). Prints time,x,v (`ps`: time,x): all rows as CSV or as doubles, or the last one. A jump is two rows of
// one time.

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- The oscillator

typedef struct oscillator {
    double a, omega, xmax, e, amplitude, frequency;
    double x, v;
    double stop, h, epsilon;
} oscillator;

// Example 2 of [Burden, Table I], as in modelDescription/ImpactOscillator.xml.
static const oscillator EXAMPLE_2 = {.a = 0.95,
                                     .omega = 1,
                                     .xmax = -0.8,
                                     .e = 0.5,
                                     .amplitude = 1,
                                     .frequency = 1,
                                     .x = -0.8,
                                     .v = 0,
                                     .stop = 12.566370614359172,
                                     .h = 0.01,
                                     .epsilon = 1e-4};

typedef struct state {
    double x, v;
} state;

static double forcing(const oscillator *o, double t) {
    return o->amplitude * cos(o->frequency * t);
}

static state rate(const oscillator *o, double t, state z) {
    return (state){z.v, forcing(o, t) - 2 * o->a * z.v - o->omega * o->omega * z.x};
}

// ---- What is printed

typedef enum format { TEXT, BINARY, LAST } format;

typedef struct output {
    format format;
    int columns;
    double row[3]; // time, x, v
} output;

static void print_text(const output *out) {
    for (int i = 0; i < out->columns; ++i)
        printf("%.17g%c", out->row[i], i + 1 < out->columns ? ',' : '\n');
}

static void add_row(output *out, double t, state z) {
    memcpy(out->row, (double[]){t, z.x, z.v}, sizeof out->row);
    if (out->format == TEXT) print_text(out);
    if (out->format == BINARY) fwrite(out->row, sizeof *out->row, (size_t)out->columns, stdout);
}

// ---- [Burden, Fig. 12]

// A^h: a Runge-Kutta method of order 2.
static state midpoint(const oscillator *o, double t, state z, double h) {
    const state begin = rate(o, t, z);
    const state half = {z.x + h / 2 * begin.x, z.v + h / 2 * begin.v};
    const state middle = rate(o, t + h / 2, half);
    return (state){z.x + h * middle.x, z.v + h * middle.v};
}

// The strip continues the domain beyond the guard {x = xmax, v >= 0} by epsilon; its transverse coordinate is x - xmax.
static bool on_strip(const oscillator *o, state z) {
    return z.v >= 0 && z.x >= o->xmax && z.x - o->xmax <= o->epsilon;
}

// False where no step, however small, leads into the relaxed domain [Burden, Fig. 12, steps 4 and 5].
static bool step_into_relaxed_domain(const oscillator *o, double *t, state *z) {
    for (double h = o->h; *t + h > *t; h /= 2) {
        const double next_time = *t + h;
        const state next = midpoint(o, *t, *z, next_time - *t); // the step that the rounded times are apart
        if (next.x <= o->xmax || on_strip(o, next)) {
            *t = next_time;
            *z = next;
            return true;
        }
    }
    return false;
}

static bool relaxed(const oscillator *o, output *out) {
    double t = 0;
    state z = {o->x, o->v};
    add_row(out, t, z);
    while (t < o->stop) {
        if (!step_into_relaxed_domain(o, &t, &z)) return false;
        if (on_strip(o, z)) {
            const double tau = z.x - o->xmax;
            z.x = o->xmax;
            add_row(out, t, z);
            t += o->epsilon - tau;
            add_row(out, t, z);
            z.v *= -o->e;
        }
        add_row(out, t, z);
    }
    return true;
}

// ---- [Burden, Eq. (29)]

static bool paoli_schatzman(const oscillator *o, output *out) {
    const double h = o->h, damping = o->a * h, stiffness = o->omega * o->omega;
    double before = o->x;
    double now = o->x + o->v * h + h * h / 2 * rate(o, 0, (state){o->x, o->v}).v;
    add_row(out, 0, (state){before, 0});
    for (double k = 1; k * h <= o->stop; ++k) {
        add_row(out, k * h, (state){now, 0});
        const double y =
            (h * h * forcing(o, k * h) + (2 - h * h * stiffness) * now - ((1 - o->e) - (1 + o->e) * damping) * before) /
            (1 + damping);
        const double next = -o->e * before + fmin(y, (1 + o->e) * o->xmax);
        before = now;
        now = next;
    }
    return true;
}

// ---- The command line

static bool set_number(oscillator *o, const char *word) {
    const struct {
        const char *name;
        double *value;
    } numbers[] = {
        {"a", &o->a},
        {"omega", &o->omega},
        {"xmax", &o->xmax},
        {"e", &o->e},
        {"amplitude", &o->amplitude},
        {"frequency", &o->frequency},
        {"x", &o->x},
        {"v", &o->v},
        {"stop", &o->stop},
        {"h", &o->h},
        {"epsilon", &o->epsilon},
    };
    const char *equals = strchr(word, '=');
    if (!equals) return false;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        const char *name = numbers[i].name;
        if (strlen(name) != (size_t)(equals - word) || strncmp(word, name, strlen(name)) != 0) continue;
        char *end;
        *numbers[i].value = strtod(equals + 1, &end);
        return end != equals + 1 && *end == '\0' && isfinite(*numbers[i].value);
    }
    return false;
}

static bool set_format(output *out, const char *word) {
    const char *const names[] = {[TEXT] = "text", [BINARY] = "binary", [LAST] = "last"};
    for (int i = TEXT; i <= LAST; ++i)
        if (strcmp(word, names[i]) == 0) {
            out->format = (format)i;
            return true;
        }
    return false;
}

static int complain(const char *what, const char *word) {
    fprintf(stderr, "burden: %s%s\n", what, word);
    return EXIT_FAILURE;
}

int main(int count, char **words) {
    const char *method = count > 1 ? words[1] : "";
    const bool is_ps = strcmp(method, "ps") == 0;
    if (!is_ps && strcmp(method, "relaxed") != 0) return complain("expected the method, relaxed or ps, not ", method);
    oscillator o = EXAMPLE_2;
    output out = {.format = TEXT, .columns = is_ps ? 2 : 3};
    for (int i = 2; i < count; ++i)
        if (!set_number(&o, words[i]) && !set_format(&out, words[i]))
            return complain("expected NAME=NUMBER, text, binary or last, not ", words[i]);
    if (o.h <= 0) return complain("h must be above 0", "");
    if (!is_ps && o.xmax + o.epsilon <= o.xmax) return complain("epsilon must be above the rounding of xmax", "");
    if (out.format == TEXT) puts(is_ps ? "time,x" : "time,x,v");
    if (!(is_ps ? paoli_schatzman : relaxed)(&o, &out)) return complain("no step leads into the relaxed domain", "");
    if (out.format == LAST) print_text(&out);
    return EXIT_SUCCESS;
}
