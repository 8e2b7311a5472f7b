// Memory and time of the anchor.

#include "state.h"

int zeno_dimension(const zeno_model *model) {
    return 2 * model->coordinates + 2 * model->constraints + model->states + model->guards;
}

int zeno_start_values(const zeno_model *model) {
    return 2 * model->coordinates + model->states + model->held;
}

int zeno_modes(const zeno_model *model) {
    return model->hybrid ? model->hybrid->modes : 0;
}

// Doubles of one constraint's proof.
static size_t proof_count(const zeno_model *model) {
    return (size_t)(2 * model->coordinates + model->parameters);
}

static size_t double_count(const zeno_model *model) {
    return (size_t)(zeno_dimension(model) + model->parameters + ZENO_SETTINGS + model->held + zeno_modes(model) +
                    model->guards) +
           (size_t)model->constraints * proof_count(model);
}

static size_t contact_bytes(const zeno_model *model) {
    return (size_t)model->constraints * sizeof(zeno_contact);
}

static size_t signal_bytes(const zeno_model *model) {
    return (size_t)model->inputs * sizeof(zeno_signal);
}

// The hulls of inputs in all proofs.
static size_t hull_bytes(const zeno_model *model) {
    return (size_t)(model->constraints * model->inputs) * sizeof(zeno_interval);
}

size_t zeno_state_memory(const zeno_model *model) {
    return contact_bytes(model) + signal_bytes(model) + hull_bytes(model) + double_count(model) * sizeof(double);
}

void zeno_state_place(zeno_state *state, const zeno_model *model, void *memory) {
    char *next = memory;
    state->contact = (zeno_contact *)next;
    next += contact_bytes(model);
    state->inputs = (zeno_signal *)next;
    next += signal_bytes(model);
    zeno_interval *hulls = (zeno_interval *)next;
    next += hull_bytes(model);
    state->y = (void *)next;
    state->parameters = state->y + zeno_dimension(model);
    state->settings = state->parameters + model->parameters;
    state->mode.held = state->settings + ZENO_SETTINGS;
    state->mode.last_dwell = state->mode.held + model->held;
    state->mode.taken = state->mode.last_dwell + zeno_modes(model);
    double *proofs = state->mode.taken + model->guards;
    for (int j = 0; j < model->constraints; ++j) {
        zeno_proof *proof = &state->contact[j].proof;
        proof->inputs = hulls + j * model->inputs;
        proof->q = proofs + (size_t)j * proof_count(model);
        proof->v = proof->q + model->coordinates;
        proof->parameters = proof->v + model->coordinates;
    }
}

void zeno_state_pass(zeno_state *state, double s) {
    // Knuth's two-sum: `error` is exactly what `sum` lost.
    const double sum = state->time + s;
    const double shadow = sum - state->time;
    const double error = (state->time - (sum - shadow)) + (s - shadow);
    const double tail = state->time_tail + error;
    state->time = sum + tail;
    state->time_tail = tail - (state->time - sum);
}

double zeno_state_local(const zeno_state *state, double time) {
    return (time - state->time) - state->time_tail;
}
