// The variables of a hybrid Lagrangian: coordinates, rates, accelerations, constraints, energies.

#include <string.h>

#include "units.h"
#include "variables_impl.h"

// ---- units that follow from others

static bool is_coherent(const char *written) {
    unit u;
    char message[UNIT_MESSAGE_SIZE];
    return unit_parse(written, &u, message) && u.factor == 1 && u.offset == 0;
}

// T and V are in joules when all that they consist of is in SI units. Without units nothing is known; with a millimetre
// or a degree among them it would take the dimensions of every term to tell.
static const char *energy_unit(const model_file *model) {
    for (int i = 0; i < model->coordinate_count; i++)
        if (!is_coherent(model->coordinates[i].about.unit)) return "";
    for (int i = 0; i < model->parameter_count; i++) {
        const char *written = model->parameters[i].about.unit;
        if (written[0] != '\0' && !is_coherent(written)) return "";
    }
    return "J";
}

// The contact force works along the gap: it is in J per unit of h, so N for m, N.m/rad for rad, J for 1.
static char *contact_force_unit(memory *m, const model_file *model, const char *gap) {
    const bool known = gap[0] != '\0' && energy_unit(model)[0] != '\0';
    char *force = unit_times(m, known ? "N.m" : "", gap, -1);
    return strcmp(force, "N.m") == 0 ? memory_text(m, "J") : force;
}

const char *lagrangian_norm_unit(const model_file *model) {
    for (int i = 1; i < model->coordinate_count; i++)
        if (strcmp(model->coordinates[i].about.unit, model->coordinates[0].about.unit) != 0) return "";
    return model->coordinates[0].about.unit;
}

// ---- coordinates, rates, accelerations

// "rate of x", or "rate of x (horizontal position)"
static char *describe_derivative(memory *m, const char *what, const quantity_text *about) {
    if (about->description[0] == '\0') return memory_text(m, "%s of %s", what, about->name);
    return memory_text(m, "%s of %s (%s)", what, about->name, about->description);
}

static void add_derivatives(variable_table *t, const model_file *model, int order) {
    memory *m = &t->memory;
    for (int i = 0; i < model->coordinate_count; i++) {
        const model_coordinate *c = &model->coordinates[i];
        const bool rate = order == 1;
        const int parent = t->count - model->coordinate_count;
        fmi_variable *row = add_row(t, rate ? &ROW_STATE : &ROW_CONTINUOUS, rate ? ZENO_RATE : ZENO_ACCELERATION, i);
        row->name = memory_text(m, "%s", rate ? c->rate : c->acceleration);
        row->description = describe_derivative(m, rate ? "rate" : "acceleration", &c->about);
        row->unit = unit_times(m, c->about.unit, "s", -order);
        row->display_unit = unit_times(m, c->about.display_unit, "s", -order);
        row->derivative_of = parent;
        if (rate) set_start(row, c->rate_start);
    }
}

static void add_coordinates(variable_table *t, const model_file *model) {
    for (int i = 0; i < model->coordinate_count; i++) {
        const model_coordinate *c = &model->coordinates[i];
        fmi_variable *row = add_row(t, &ROW_STATE, ZENO_COORDINATE, i);
        set_about(t, row, &c->about, "coordinate");
        set_start(row, c->start);
        row->nominal = c->has_nominal ? c->nominal : 0;
    }
    add_derivatives(t, model, 1);
    add_derivatives(t, model, 2);
}

// ---- constraints

typedef enum constraint_unit {
    IN_NOTHING,
    IN_SECONDS,
    IN_GAP,
    IN_GAP_PER_S,
    IN_GAP_PER_S2,
    IN_FORCE,
    IN_IMPULSE,
    IN_POSITION,
    IN_VELOCITY,
    CONSTRAINT_UNITS
} constraint_unit;

typedef struct constraint_row {
    const char *name;
    zeno_quantity quantity;
    zeno_type type;
    const row_kind *kind;
    constraint_unit unit;
    const char *description;
} constraint_row;

static const constraint_row CONSTRAINT_ROWS[] = {
    {"gap", ZENO_GAP, ZENO_REAL, &ROW_CONTINUOUS, IN_GAP, "gap h"},
    {"gapRate", ZENO_GAP_RATE, ZENO_REAL, &ROW_CONTINUOUS, IN_GAP_PER_S, "rate of the gap"},
    {"acceleration", ZENO_GAP_ACCELERATION, ZENO_REAL, &ROW_CONTINUOUS, IN_GAP_PER_S2,
     "acceleration that the gap has, or would have, in free motion"},
    {"force", ZENO_FORCE, ZENO_REAL, &ROW_CONTINUOUS, IN_FORCE, "contact force; 0 when open"},
    {"closed", ZENO_CLOSED, ZENO_BOOLEAN, &ROW_DISCRETE, IN_NOTHING, "whether the contact is closed"},
    {"impacts", ZENO_IMPACTS, ZENO_INTEGER, &ROW_DISCRETE, IN_NOTHING, "number of impacts so far"},
    {"releases", ZENO_RELEASES, ZENO_INTEGER, &ROW_DISCRETE, IN_NOTHING, "number of releases so far"},
    {"lastImpactTime", ZENO_LAST_IMPACT_TIME, ZENO_REAL, &ROW_DISCRETE, IN_SECONDS, "time of the last impact"},
    {"lastImpactSpeed", ZENO_LAST_IMPACT_SPEED, ZENO_REAL, &ROW_DISCRETE, IN_GAP_PER_S,
     "speed at which the gap closed at the last impact"},
    {"lastImpulse", ZENO_LAST_IMPULSE, ZENO_REAL, &ROW_DISCRETE, IN_IMPULSE, "impulse of the last impact"},
    {"zeno.count", ZENO_ZENO_COUNT, ZENO_INTEGER, &ROW_DISCRETE, IN_NOTHING, "number of Zeno points so far"},
    {"zeno.time", ZENO_ZENO_TIME, ZENO_REAL, &ROW_DISCRETE, IN_SECONDS, "time of the last Zeno point"},
    {"zeno.timeBound", ZENO_ZENO_TIME_BOUND, ZENO_REAL, &ROW_DISCRETE, IN_SECONDS,
     "bound on the time from the truncating impact to the last Zeno point"},
    {"zeno.positionBound", ZENO_ZENO_POSITION_BOUND, ZENO_REAL, &ROW_DISCRETE, IN_POSITION,
     "bound on the error of the coordinates at the last Zeno point"},
    {"zeno.velocityBound", ZENO_ZENO_VELOCITY_BOUND, ZENO_REAL, &ROW_DISCRETE, IN_VELOCITY,
     "bound on the error of the rates at the last Zeno point"},
    {"zeno.certified", ZENO_ZENO_CERTIFIED, ZENO_BOOLEAN, &ROW_DISCRETE, IN_NOTHING,
     "whether the bounds at the last Zeno point are proven"},
    {"stability.positionRadius", ZENO_STABLE_POSITION, ZENO_REAL, &ROW_CONTINUOUS, IN_POSITION,
     "perturbations of the coordinates below this certainly lead back to contact; 0 when open or not proven"},
    {"stability.velocityRadius", ZENO_STABLE_VELOCITY, ZENO_REAL, &ROW_CONTINUOUS, IN_VELOCITY,
     "perturbations of the rates below this certainly lead back to contact; 0 when open or not proven"},
};
enum { ROWS_PER_CONSTRAINT = sizeof CONSTRAINT_ROWS / sizeof CONSTRAINT_ROWS[0], ENERGY_ROWS = 3 };

// A display unit of the gap carries over to its derivatives.
static char *display_unit(memory *m, const char *written, constraint_unit in) {
    if (in < IN_GAP || in > IN_GAP_PER_S2) return memory_text(m, "%s", "");
    return unit_times(m, written, "s", -(int)(in - IN_GAP));
}

static void add_constraint(variable_table *t, const model_file *model, int index) {
    memory *m = &t->memory;
    const quantity_text *about = &model->constraints[index].about;
    const char *units[CONSTRAINT_UNITS] = {
        [IN_NOTHING] = "",
        [IN_SECONDS] = "s",
        [IN_GAP] = about->unit,
        [IN_GAP_PER_S] = unit_times(m, about->unit, "s", -1),
        [IN_GAP_PER_S2] = unit_times(m, about->unit, "s", -2),
        [IN_FORCE] = contact_force_unit(m, model, about->unit),
        [IN_POSITION] = lagrangian_norm_unit(model),
        [IN_VELOCITY] = unit_times(m, lagrangian_norm_unit(model), "s", -1),
    };
    units[IN_IMPULSE] = unit_times(m, units[IN_FORCE], "s", 1);
    for (int i = 0; i < ROWS_PER_CONSTRAINT; i++) {
        const constraint_row *source = &CONSTRAINT_ROWS[i];
        fmi_variable *row = add_row(t, source->kind, source->quantity, index);
        row->type = source->type;
        row->name = memory_text(m, "%s.%s", about->name, source->name);
        row->description = memory_text(m, "%s", source->description);
        row->unit = memory_text(m, "%s", units[source->unit]);
        row->display_unit = display_unit(m, about->display_unit, source->unit);
    }
}

// ---- energies

static void add_energies(variable_table *t, const model_file *model) {
    static const struct {
        const char *name;
        zeno_quantity quantity;
        const row_kind *kind;
        const char *description;
    } energies[ENERGY_ROWS] = {
        {"energy.kinetic", ZENO_KINETIC_ENERGY, &ROW_CONTINUOUS, "kinetic energy"},
        {"energy.potential", ZENO_POTENTIAL_ENERGY, &ROW_CONTINUOUS, "potential energy"},
        {"energy.dissipated", ZENO_DISSIPATED_ENERGY, &ROW_DISCRETE, "energy lost in impacts and truncations"},
    };
    for (int i = 0; i < ENERGY_ROWS; i++) {
        fmi_variable *row = add_row(t, energies[i].kind, energies[i].quantity, 0);
        row->name = memory_text(&t->memory, "%s", energies[i].name);
        row->description = memory_text(&t->memory, "%s", energies[i].description);
        row->unit = memory_text(&t->memory, "%s", energy_unit(model));
    }
}

int lagrangian_rows(const model_file *model) {
    return 3 * model->coordinate_count + ROWS_PER_CONSTRAINT * model->constraint_count + ENERGY_ROWS;
}

void add_lagrangian(variable_table *t, const model_file *model) {
    add_coordinates(t, model);
    for (int i = 0; i < model->constraint_count; i++)
        add_constraint(t, model, i);
    add_energies(t, model);
}
