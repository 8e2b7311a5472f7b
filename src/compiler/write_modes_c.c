// Writes the modes of a hybrid system as C: for each its functions and a table of its transitions, then a table of all.

#include "write_c_impl.h"

// A function of a mode, "rates_of_flight".
static void write_mode_function(const model_file *model, const model_mode *mode, const char *what, unsigned arguments,
                                result first, result second, text *out) {
    text name = {0};
    text_append(&name, "%s_of_%s", what, mode->about.name);
    out->failed |= name.failed;
    if (!name.failed) {
        const function f = {name.data, &expr_dialect_double, arguments, {first, second}};
        write_function(model->graph, &f, out);
    }
    text_free(&name);
}

static void write_mode_functions(const model_file *model, const model_mode *mode, const mode_equations *e, text *out) {
    const int states = model->state_count, held = model->held_count, outputs = model->output_count;
    const int guards = mode->transition_count;
    const result nothing = {0};
    write_mode_function(model, mode, "rates", POINT | INPUT_RATES, (result){"states", mode->derivatives, states, 0},
                        (result){"guards", e->guard_rates, guards, 0}, out);
    write_mode_function(model, mode, "rates_tangent", POINT | DIRECTION, (result){"states", e->rate_tangent, states, 0},
                        (result){"guards", e->guard_rates_tangent, guards, 0}, out);
    write_mode_function(model, mode, "guards", POINT, (result){"g", e->guards, guards, 0},
                        (result){"rounding", e->rounding, guards, 0}, out);
    write_mode_function(model, mode, "outputs", POINT, (result){"y", mode->outputs, outputs, 0}, nothing, out);
    write_mode_function(model, mode, "outputs_tangent", POINT | DIRECTION, (result){"y", e->output_tangent, outputs, 0},
                        nothing, out);
    for (int k = 0; k < guards; k++) {
        const model_transition *t = &mode->transitions[k];
        char what[24];
        snprintf(what, sizeof what, "reset_%d", k);
        if (t->resets)
            write_mode_function(model, mode, what, POINT, (result){"states", t->states, states, 0},
                                (result){"held", t->held, held, 0}, out);
    }
}

static void write_transitions(const model_mode *mode, text *out) {
    if (mode->transition_count == 0) return;
    text_append(out, "\nstatic const zeno_transition transitions_of_%s[] = {\n", mode->about.name);
    for (int k = 0; k < mode->transition_count; k++) {
        const model_transition *t = &mode->transitions[k];
        text_append(out, "    {.guard = ");
        write_string(t->guard_text, out);
        text_append(out, ", .to = %d, .update = %s", t->to, t->update ? "true" : "false");
        if (t->resets) text_append(out, ", .reset = reset_%d_of_%s", k, mode->about.name);
        text_append(out, "},\n");
    }
    text_append(out, "};\n");
}

static void write_mode(const model_mode *mode, text *out) {
    static const char *const functions[] = {"rates", "rates_tangent", "guards", "outputs", "outputs_tangent"};
    text_append(out, "    {\n        .name = ");
    write_string(mode->about.name, out);
    text_append(out, ",\n        .transitions = %d,\n", mode->transition_count);
    if (mode->transition_count > 0) text_append(out, "        .transition = transitions_of_%s,\n", mode->about.name);
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        text_append(out, "        .%s = %s_of_%s,\n", functions[i], functions[i], mode->about.name);
    text_append(out, "    },\n");
}

void write_hybrid(const model_file *model, const model_equations *equations, text *out) {
    for (int i = 0; i < model->mode_count; i++) {
        write_mode_functions(model, &model->modes[i], &equations->modes[i], out);
        write_transitions(&model->modes[i], out);
    }
    text_append(out, "\nstatic const zeno_mode modes[] = {\n");
    for (int i = 0; i < model->mode_count; i++)
        write_mode(&model->modes[i], out);
    text_append(out, "};\n\nstatic const zeno_hybrid hybrid = {.modes = %d, .initial = %d, .mode = modes};\n\n",
                model->mode_count, model->initial_mode);
}
