// Writes what was read of a model, for people to check.

#include <math.h>
#include <string.h>

#include "write.h"

static void append_unit(const char *unit, text *out) {
    if (unit[0] != '\0') text_append(out, " [%s]", unit);
}

static void append_description(const quantity_text *about, text *out) {
    text_append(out, about->description[0] ? "  (%s)\n" : "\n", about->description);
}

// The variable that stands for a quantity of the model: it knows the units that follow from others.
static const fmi_variable *find_variable(const variable_table *variables, zeno_quantity quantity, int index) {
    int i = 0;
    while (variables->rows[i].quantity != quantity || variables->rows[i].index != index)
        i++;
    return &variables->rows[i];
}

static void write_coordinates(const model_file *model, const variable_table *variables, text *out) {
    text_append(out, "\ncoordinates\n");
    for (int i = 0; i < model->coordinate_count; i++) {
        const model_coordinate *c = &model->coordinates[i];
        text_append(out, "  %s", c->about.name);
        append_unit(c->about.unit, out);
        text_append(out, " = ");
        text_append_double(out, c->start);
        text_append(out, ", rate %s", c->rate);
        append_unit(find_variable(variables, ZENO_RATE, i)->unit, out);
        text_append(out, " = ");
        text_append_double(out, c->rate_start);
        append_description(&c->about, out);
    }
}

static void write_constraints(const model_file *model, const variable_table *variables, text *out) {
    text_append(out, "\nconstraint\n");
    for (int i = 0; i < model->constraint_count; i++) {
        const model_constraint *c = &model->constraints[i];
        text_append(out, "  %s: ", c->about.name);
        write_expression(model, c->h, out);
        text_append(out, " >= 0");
        append_unit(c->about.unit, out);
        text_append(out, ", restitution ");
        write_expression(model, c->restitution, out);
        text_append(out, ", contact force %s", c->force);
        append_unit(find_variable(variables, ZENO_FORCE, i)->unit, out);
        append_description(&c->about, out);
    }
}

static void append_value(double value, const char *unit, text *out) {
    append_unit(unit, out);
    text_append(out, " = ");
    text_append_double(out, value);
}

static void write_states(const model_file *model, text *out) {
    text_append(out, "\nstates\n");
    for (int i = 0; i < model->state_count; i++) {
        const model_state *state = &model->states[i];
        text_append(out, "  %s", state->about.name);
        append_value(state->start, state->about.unit, out);
        append_description(&state->about, out);
    }
    if (model->held_count > 0) text_append(out, "\nheld variables\n");
    for (int i = 0; i < model->held_count; i++) {
        const model_held *held = &model->held[i];
        text_append(out, "  %s", held->about.name);
        append_value(held->start, held->about.unit, out);
        append_description(&held->about, out);
    }
}

// A line per mode, and one per transition with its guard as the file has it.
static void write_modes(const model_file *model, text *out) {
    text_append(out, "\nmodes\n");
    for (int i = 0; i < model->mode_count; i++) {
        const model_mode *mode = &model->modes[i];
        text_append(out, "  %d %s%s", i, mode->about.name, i == model->initial_mode ? ", initial" : "");
        append_description(&mode->about, out);
        for (int k = 0; k < mode->transition_count; k++) {
            const model_transition *t = &mode->transitions[k];
            text_append(out, t->update ? "      update where " : "      to %s where ", model->modes[t->to].about.name);
            text_append(out, "%s", t->guard_text);
            if (t->when_text[0] != '\0') text_append(out, ", if %s", t->when_text);
            text_append(out, "\n");
        }
    }
}

static void append_range(const model_parameter *p, text *out) {
    if (isfinite(p->min)) {
        text_append(out, p->min_excluded ? ", > " : ", >= ");
        text_append_double(out, p->min);
    }
    if (isfinite(p->max)) {
        text_append(out, p->max_excluded ? ", < " : ", <= ");
        text_append_double(out, p->max);
    }
}

static void append_choices(const model_parameter *p, text *out) {
    text_append(out, " = %s, one of", p->choices[(int)p->value - 1].name);
    for (int i = 0; i < p->choice_count; i++)
        text_append(out, "%s %s", i > 0 ? "," : "", p->choices[i].name);
}

static void write_parameters(const model_file *model, text *out) {
    if (model->parameter_count > 0) text_append(out, "\nparameters\n");
    for (int i = 0; i < model->parameter_count; i++) {
        const model_parameter *p = &model->parameters[i];
        text_append(out, "  %s", p->about.name);
        if (p->choice_count > 0) {
            append_choices(p, out);
        } else {
            append_value(p->value, p->about.unit, out);
            append_range(p, out);
        }
        text_append(out, p->fixed ? ", fixed" : ", tunable");
        append_description(&p->about, out);
    }
}

static void write_inputs(const model_file *model, text *out) {
    if (model->input_count > 0) text_append(out, "\ninputs\n");
    for (int i = 0; i < model->input_count; i++) {
        const model_input *input = &model->inputs[i];
        text_append(out, "  %s", input->about.name);
        append_value(input->start, input->about.unit, out);
        if (input->on >= 0) text_append(out, ", acts on %s", model->coordinates[input->on].about.name);
        append_description(&input->about, out);
    }
}

// The modes that define an output.
static void append_modes_with(const model_file *model, int output, text *out) {
    const char *separator = " in ";
    for (int i = 0; i < model->mode_count; i++) {
        if (expr_is_constant(model->graph, model->modes[i].outputs[output], 0)) continue;
        text_append(out, "%s%s", separator, model->modes[i].about.name);
        separator = ", ";
    }
}

static void write_outputs(const model_file *model, text *out) {
    if (model->output_count > 0) text_append(out, "\noutputs of the model's own\n");
    for (int i = 0; i < model->output_count; i++) {
        const model_output *output = &model->outputs[i];
        text_append(out, "  %s", output->about.name);
        append_unit(output->about.unit, out);
        if (output->of_modes) {
            append_modes_with(model, i, out);
        } else {
            text_append(out, " = ");
            write_expression(model, output->value, out);
        }
        append_description(&output->about, out);
    }
}

void write_summary(const model_file *model, const variable_table *variables, text *out) {
    text_append(out, model->description[0] ? "%s: %s\n" : "%s\n", model->name, model->description);
    if (model->kind == MODEL_HYBRID) {
        write_states(model, out);
        write_modes(model, out);
    } else {
        write_coordinates(model, variables, out);
        write_constraints(model, variables, out);
    }
    write_parameters(model, out);
    write_inputs(model, out);
    write_outputs(model, out);
    text_append(out, "\nexperiment\n  from %g s to %g s in steps of %g s, tolerance %g\n", model->start_time,
                model->stop_time, model->step_size, model->tolerance);
}
