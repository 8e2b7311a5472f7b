// Memory and time of the anchor.

#include "state.h"

#include <string.h>

int zeno_dimension(const zeno_model *model) {
    return 2 * model->coordinates + 2 * model->constraints;
}

// Doubles of one constraint's proof.
static size_t proof_count(const zeno_model *model) {
    return (size_t)(2 * model->coordinates + 2 * model->inputs + model->parameters);
}

static size_t double_count(const zeno_model *model) {
    return (size_t)(zeno_dimension(model) + model->parameters + ZENO_SETTINGS + model->inputs) +
           (size_t)model->constraints * proof_count(model);
}

static size_t contact_bytes(const zeno_model *model) {
    return (size_t)model->constraints * sizeof(zeno_contact);
}

size_t zeno_state_memory(const zeno_model *model) {
    return contact_bytes(model) + double_count(model) * sizeof(double);
}

static void place_proof(zeno_proof *proof, const zeno_model *model, double *memory) {
    proof->q = memory;
    proof->v = proof->q + model->coordinates;
    proof->input_low = proof->v + model->coordinates;
    proof->input_high = proof->input_low + model->inputs;
    proof->parameters = proof->input_high + model->inputs;
}

void zeno_state_place(zeno_state *state, const zeno_model *model, void *memory) {
    state->contact = memory;
    state->y = (double *)((char *)memory + contact_bytes(model));
    state->parameters = state->y + zeno_dimension(model);
    state->settings = state->parameters + model->parameters;
    state->inputs = state->settings + ZENO_SETTINGS;
    double *proofs = state->inputs + model->inputs;
    for (int j = 0; j < model->constraints; ++j)
        place_proof(&state->contact[j].proof, model, proofs + (size_t)j * proof_count(model));
}

void zeno_state_copy(zeno_state *to, const zeno_state *from, const zeno_model *model) {
    void *memory = to->contact;
    memcpy(memory, from->contact, zeno_state_memory(model));
    *to = *from;
    zeno_state_place(to, model, memory);
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
