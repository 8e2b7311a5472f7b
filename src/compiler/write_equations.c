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

void write_equations(const model_file *model, const model_equations *equations, text *out) {
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
