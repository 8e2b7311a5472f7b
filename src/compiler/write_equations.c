// Writes the equations of motion for people to read.

#include "write.h"

static const char *symbol_name(void *context, expr_symbol symbol) {
    return model_symbol_name(context, symbol);
}

void write_expression(const model_file *model, expr x, text *out) {
    expr_print(model->graph, x, symbol_name, (void *)model, out);
}

static const char *coordinate_name(const model_file *model, int i) {
    return model->coordinates[i].about.name;
}

static const char *constraint_name(const model_file *model, int c) {
    return model->constraints[c].about.name;
}

// Ends a line "left = right".
static void write_right(const model_file *model, expr right, text *out) {
    text_append(out, " = ");
    write_expression(model, right, out);
    text_append(out, "\n");
}

static void write_mass_matrix(const model_file *model, const model_equations *equations, text *out) {
    const int n = equations->n;
    for (int i = 0; i < n; i++) {
        for (int j = i; j < n; j++) {
            const expr element = equations->M[i * n + j];
            if (expr_is_constant(model->graph, element, 0)) continue;
            text_append(out, "M(%s, %s)", coordinate_name(model, i), coordinate_name(model, j));
            write_right(model, element, out);
        }
    }
}

static void write_gradient(const model_file *model, const model_equations *equations, int c, text *out) {
    const int n = equations->n;
    for (int i = 0; i < n; i++) {
        const expr element = equations->J[c * n + i];
        if (expr_is_constant(model->graph, element, 0)) continue;
        text_append(out, "J(%s, %s)", constraint_name(model, c), coordinate_name(model, i));
        write_right(model, element, out);
    }
}

// d2h/dt2 = J a + v'Hv [TAC, Eq. (5)]
static expr gap_acceleration(const model_file *model, const model_equations *equations, int c) {
    const int n = equations->n;
    expr sum = equations->curvature[c];
    for (int i = 0; i < n; i++) {
        const expr a = expr_symbol_node(model->graph, SYMBOL_ACCELERATION, i);
        const expr term = expr_binary(model->graph, EXPR_MUL, equations->J[c * n + i], a);
        sum = expr_binary(model->graph, EXPR_ADD, sum, term);
    }
    return sum;
}

static void write_motion(const model_file *model, const model_equations *equations, text *out) {
    text_append(out, "T");
    write_right(model, model->kinetic_energy, out);
    text_append(out, "V");
    write_right(model, model->potential_energy, out);
    for (int c = 0; c < equations->m; c++) {
        text_append(out, "h(%s)", constraint_name(model, c));
        write_right(model, equations->h[c], out);
    }
    text_append(out, "\nM a + b = J' lambda; M is symmetric; elements that are not shown are 0\n");
    write_mass_matrix(model, equations, out);
    for (int i = 0; i < equations->n; i++) {
        text_append(out, "b(%s)", coordinate_name(model, i));
        write_right(model, equations->b[i], out);
    }
    for (int c = 0; c < equations->m; c++)
        write_gradient(model, equations, c, out);
    text_append(out, "\nd2h/dt2 = J a + v'Hv\n");
    for (int c = 0; c < equations->m; c++) {
        text_append(out, "d2h/dt2(%s)", constraint_name(model, c));
        write_right(model, gap_acceleration(model, equations, c), out);
    }
}

// ---- modes

// "approach = -v", one after another, each after `separator` but the first.
static void write_resets(const model_file *model, const expr *values, int count, symbol_class class,
                         const char **separator, text *out) {
    for (int i = 0; i < count; i++) {
        if (values[i] == EXPR_NONE) continue;
        text_append(out, "%s%s = ", *separator, model_symbol_name(model, (expr_symbol){class, i}));
        write_expression(model, values[i], out);
        *separator = ", ";
    }
}

void write_guard(const model_file *model, const model_transition *t, text *out) {
    write_expression(model, t->rising ? expr_unary(model->graph, EXPR_NEG, t->guard) : t->guard, out);
    text_append(out, " %s through 0", t->rising ? "rises" : "falls");
}

void write_transition_resets(const model_file *model, const model_transition *t, text *out) {
    const char *separator = "";
    write_resets(model, t->states, model->state_count, SYMBOL_STATE, &separator, out);
    write_resets(model, t->held, model->held_count, SYMBOL_HELD, &separator, out);
}

static void write_transition(const model_file *model, const model_transition *t, text *out) {
    text_append(out, t->update ? "  update where " : "  to %s where ", model->modes[t->to].about.name);
    write_guard(model, t, out);
    if (t->when_text[0] != '\0') text_append(out, ", if %s", t->when_text);
    if (t->resets) text_append(out, ": ");
    write_transition_resets(model, t, out);
    text_append(out, "\n");
}

static void write_mode(const model_file *model, const model_mode *mode, text *out) {
    text_append(out, "mode %s\n", mode->about.name);
    for (int i = 0; i < model->state_count; i++) {
        text_append(out, "  der(%s)", model->states[i].about.name);
        write_right(model, mode->derivatives[i], out);
    }
    for (int i = 0; i < model->output_count; i++) {
        if (!model->outputs[i].of_modes) continue;
        text_append(out, "  %s", model->outputs[i].about.name);
        write_right(model, mode->outputs[i], out);
    }
    for (int k = 0; k < mode->transition_count; k++)
        write_transition(model, &mode->transitions[k], out);
}

void write_equations(const model_file *model, const model_equations *equations, text *out) {
    if (model->kind == MODEL_LAGRANGIAN) write_motion(model, equations, out);
    for (int i = 0; i < model->mode_count; i++) {
        if (i > 0) text_append(out, "\n");
        write_mode(model, &model->modes[i], out);
    }
}
