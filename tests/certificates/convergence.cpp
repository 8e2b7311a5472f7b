// Release times after a truncation, against the impact speed at which it was made: what the choice of the
// re-initialisation map is worth.
//
// From the engine's own state at the truncation two motions are carried to the release in quadruple precision: the true
// one, through the rest of the cascade, and the truncated one, from (q*, v*) along the constraint. Their difference is
// the map's alone. The engine's own release time is compared with the true one from the start; it has the integration's
// error too.

#include "studies.hpp"

#include "../reference/execution.hpp"

#include <cstdio>
#include <optional>

namespace certificates {
namespace {

using reference::DoublePendulum;
using reference::Event;

constexpr double STOP = 8;          // the first release of the default motion is near 5
constexpr double TOLERANCE = 1e-12; // the tightest that the engine takes
constexpr double TARGETS[] = {1e-2, 1e-3, 1e-4, 1e-5, 1e-6};

struct Measured {
    double speed;      // at the truncation
    double map_error;  // of the release time that follows
    double full_error; // of the engine's release time
};

quad release_time(const DoublePendulum &system, const Vector<quad> &q, const Vector<quad> &v) {
    reference::Settings settings;
    settings.stop = STOP;
    settings.sample_step = STOP;
    for (const Event &event : reference::Execution<DoublePendulum>(system, settings, q, v).run().events)
        if (event.kind == Event::RELEASE) return event.time;
    throw std::runtime_error("the double pendulum was not released");
}

class Convergence {
  public:
    Convergence() : engine(new_trial(pendulum->model)), plant(pendulum->plant(start())) {
        Vector<quad> q, v;
        for (size_t i = 0; i < system.start.size(); i++)
            (i < 2 ? q : v).push_back(system.start[i].value);
        true_release = release_time(system, q, v);
    }

    Measured measure(double target, bool orthogonal) const {
        const trial_truncation truncation = truncate_near(target, orthogonal);
        const State struck = plant->struck(truncation, orthogonal);
        const State reinitialized = plant->candidate(truncation);
        const quad to_release = release_time(system, struck.q, struck.v);
        const quad from_candidate = release_time(system, struck.q, reinitialized.v);
        return {-truncation.approach, static_cast<double>(fabsq(from_candidate - to_release)),
                static_cast<double>(fabsq(trial_first_release(engine.get()) - true_release))};
    }

  private:
    const DoublePendulum system; // with its defaults, which are the model's
    const Specimen *pendulum = find();
    const Trial engine;
    const std::unique_ptr<Plant> plant;
    quad true_release;

    static const Specimen *find() {
        for (const auto &specimen : specimens())
            if (specimen->name == "DoublePendulum") return specimen.get();
        throw std::logic_error("no DoublePendulum");
    }

    Draw start() const {
        const zeno_model &model = pendulum->model;
        Draw draw;
        draw.parameters.assign(model.parameter_start, model.parameter_start + model.parameters);
        draw.inputs.assign(model.input_start, model.input_start + model.inputs);
        draw.q.assign(model.coordinate_start, model.coordinate_start + model.coordinates);
        draw.v.assign(model.rate_start, model.rate_start + model.coordinates);
        return draw;
    }

    void run(double epsilon, bool orthogonal) const {
        put_draw(engine.get(), start());
        for (const zeno_setting setting : {ZENO_EPSILON_Q, ZENO_EPSILON_V, ZENO_EPSILON_T})
            trial_put(engine.get(), ZENO_SETTING, setting, epsilon);
        trial_put(engine.get(), ZENO_SETTING, ZENO_REINITIALIZATION, orthogonal ? ZENO_ORTHOGONAL : ZENO_KINETIC);
        if (!trial_begin(engine.get(), 0, TOLERANCE) || !trial_go(engine.get(), STOP))
            throw std::runtime_error(trial_message(engine.get()));
    }

    // The cascade's speeds are given, about a factor e apart; the epsilon decides at which of them it is truncated. The
    // smallest that still truncates at a speed nearest to the target is as good as any.
    trial_truncation truncate_near(double target, bool orthogonal) const {
        std::optional<double> best;
        double best_epsilon = 0;
        for (double epsilon = 1e4 * target; epsilon > 0.1 * target; epsilon /= 1.3) {
            run(epsilon, orthogonal);
            const trial_truncation *truncation = trial_first_truncation(engine.get());
            if (!truncation || !truncation->certified) continue;
            const double miss = std::fabs(std::log(-truncation->approach / target));
            if (best && !(miss < *best)) continue;
            best = miss;
            best_epsilon = epsilon;
        }
        if (!best) throw std::runtime_error("no truncation near an impact speed of " + std::to_string(target));
        run(best_epsilon, orthogonal);
        return *trial_first_truncation(engine.get());
    }
};

// Orders between successive speeds, as long as both errors are above what `floor` can resolve.
std::string orders(const std::vector<Measured> &measured, double floor) {
    std::string text;
    for (size_t i = 1; i < measured.size(); i++) {
        if (measured[i].map_error < floor) break;
        char number[32];
        std::snprintf(
            number, sizeof number, " %.2f",
            order_of({measured[i - 1].speed, measured[i].speed}, {measured[i - 1].map_error, measured[i].map_error}));
        text += number;
    }
    return text;
}

double overall_order(const std::vector<Measured> &measured) {
    std::vector<double> speeds, errors;
    for (const Measured &one : measured) {
        speeds.push_back(one.speed);
        errors.push_back(one.map_error);
    }
    return order_of(speeds, errors);
}

} // namespace

bool study_convergence(const Options &) {
    const Convergence convergence;
    std::vector<Measured> orthogonal, kinetic;
    for (const double target : TARGETS) {
        orthogonal.push_back(convergence.measure(target, true));
        kinetic.push_back(convergence.measure(target, false));
    }
    std::printf("DoublePendulum, default start: error of the first release time [s]\n\n"
                "| impact speed at truncation | orthogonal: map alone | engine | kinetic: map alone | engine |\n"
                "|---|---|---|---|---|\n");
    for (size_t i = 0; i < kinetic.size(); i++) {
        if (kinetic[i].speed != orthogonal[i].speed) throw std::logic_error("the maps were used at different impacts");
        std::printf("| %.2e | %.1e | %.1e | %.1e | %.1e |\n", kinetic[i].speed, orthogonal[i].map_error,
                    orthogonal[i].full_error, kinetic[i].map_error, kinetic[i].full_error);
    }
    const double first = overall_order(orthogonal), third = overall_order(kinetic);
    constexpr double REFERENCE_FLOOR = 1e-24; // errors of the reference's own release times
    std::printf("\nOrder of the map's error: orthogonal %.2f (steps:%s), kinetic %.2f (steps:%s)\n", first,
                orders(orthogonal, REFERENCE_FLOOR).c_str(), third, orders(kinetic, REFERENCE_FLOOR).c_str());
    return first > 0.8 && first < 1.2 && third > 2.7;
}

} // namespace certificates
