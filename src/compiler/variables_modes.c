// The variables of a hybrid system: states, held variables, the mode and its transitions.

#include "variables_impl.h"

static const struct {
    const char *name;
    zeno_quantity quantity;
    zeno_type type;
    const char *unit, *description;
} MODE_ROWS[] = {
    {"mode", ZENO_MODE, ZENO_INTEGER, "", "mode, counted from 0 in the order of the model file: "},
    {"transitions", ZENO_TRANSITIONS, ZENO_INTEGER, "", "number of transitions so far"},
    {"lastTransitionTime", ZENO_LAST_TRANSITION_TIME, ZENO_REAL, "s", "time of the last transition"},
};
enum { ROWS_OF_MODES = sizeof MODE_ROWS / sizeof MODE_ROWS[0] };

int mode_rows(const model_file *model) {
    return model->state_count + model->held_count + ROWS_OF_MODES;
}

// "0 flight, 1 contact"
static char *list_modes(memory *m, const model_file *model) {
    char *list = memory_text(m, "%s", "");
    for (int i = 0; i < model->mode_count; i++)
        list = memory_text(m, "%s%s%d %s", list, i > 0 ? ", " : "", i, model->modes[i].about.name);
    return list;
}

void add_modes(variable_table *t, const model_file *model) {
    memory *m = &t->memory;
    for (int i = 0; i < model->state_count; i++) {
        const model_state *state = &model->states[i];
        fmi_variable *row = add_row(t, &ROW_STATE, ZENO_STATE, i);
        set_about(t, row, &state->about, "state");
        set_start(row, state->start);
        row->nominal = state->has_nominal ? state->nominal : 0;
    }
    for (int i = 0; i < model->held_count; i++) {
        fmi_variable *row = add_row(t, &ROW_HELD, ZENO_HELD, i);
        set_about(t, row, &model->held[i].about, "held variable");
        set_start(row, model->held[i].start);
    }
    for (int i = 0; i < ROWS_OF_MODES; i++) {
        fmi_variable *row = add_row(t, &ROW_DISCRETE, MODE_ROWS[i].quantity, 0);
        row->type = MODE_ROWS[i].type;
        row->name = memory_text(m, "%s", MODE_ROWS[i].name);
        row->unit = memory_text(m, "%s", MODE_ROWS[i].unit);
        row->description =
            memory_text(m, "%s%s", MODE_ROWS[i].description, row->quantity == ZENO_MODE ? list_modes(m, model) : "");
    }
}
