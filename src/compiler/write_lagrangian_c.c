// Writes the equations of a hybrid Lagrangian as C.

#include <stdlib.h>

#include "write_c_impl.h"

static void write_equation_functions(const model_file *model, const model_equations *e, text *out) {
    const int n = e->n, m = e->m;
    const function functions[] = {
        {"dynamics",
         &expr_dialect_double,
         POINT,
         {{"M", e->M, n * n, n}, {"b", e->b, n, 0}, {"J", e->J, m * n, 0}, {"curvature", e->curvature, m, 0}}},
        {"enclosure",
         &expr_dialect_interval,
         BOX,
         {{"M", e->M, n * n, n}, {"b", e->b, n, 0}, {"J", e->J, m * n, 0}, {"curvature", e->curvature, m, 0}}},
        {"constraints",
         &expr_dialect_double,
         POINT,
         {{"h", e->h, m, 0}, {"rounding", e->rounding, m, 0}, {"J", e->J, m * n, 0}, {"drift", e->drift, m, 0}}},
        {"energy",
         &expr_dialect_double,
         POINT,
         {{"kinetic", &model->kinetic_energy, 1, 0}, {"potential", &model->potential_energy, 1, 0}}},
        {"tangent",
         &expr_dialect_double,
         POINT | ACCELERATION | FORCE | DIRECTION,
         {{"residual", e->residual_tangent, n, 0}, {"curvature", e->curvature_tangent, m, 0}}},
        {"energy_tangent",
         &expr_dialect_double,
         POINT | DIRECTION,
         {{"kinetic", &e->energy_tangent[0], 1, 0}, {"potential", &e->energy_tangent[1], 1, 0}}},
        {"outputs_tangent",
         &expr_dialect_double,
         POINT | ACCELERATION | FORCE | DIRECTION | CHANGES,
         {{"y", e->output_tangent, model->output_count, 0}}},
    };
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        write_function(model->graph, &functions[i], out);
    }
}

static void write_restitution(const model_file *model, expr *values, text *out) {
    for (int k = 0; k < model->constraint_count; k++)
        values[k] = model->constraints[k].restitution;
    const function restitution = {
        "restitution", &expr_dialect_double, POINT, {{"e", values, model->constraint_count, 0}}};
    write_function(model->graph, &restitution, out);
}

static void write_outputs(const model_file *model, expr *values, text *out) {
    for (int i = 0; i < model->output_count; i++)
        values[i] = model->outputs[i].value;
    const function outputs = {
        "outputs", &expr_dialect_double, POINT | ACCELERATION | FORCE, {{"y", values, model->output_count, 0}}};
    write_function(model->graph, &outputs, out);
}

void write_lagrangian(const model_file *model, const model_equations *e, text *out) {
    const int most = model->constraint_count > model->output_count ? model->constraint_count : model->output_count;
    expr *values = malloc(((size_t)most + 1) * sizeof *values);
    if (!values) {
        out->failed = true;
        return;
    }
    write_equation_functions(model, e, out);
    write_restitution(model, values, out);
    write_outputs(model, values, out);
    free(values);
    text_append(out, "\nstatic const zeno_lagrangian lagrangian = {\n"
                     "    .dynamics = dynamics,\n"
                     "    .enclosure = enclosure,\n"
                     "    .constraints = constraints,\n"
                     "    .restitution = restitution,\n"
                     "    .energy = energy,\n"
                     "    .tangent = tangent,\n"
                     "    .outputs = outputs,\n"
                     "    .energy_tangent = energy_tangent,\n"
                     "    .outputs_tangent = outputs_tangent,\n"
                     "};\n\n");
}
