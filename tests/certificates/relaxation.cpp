// Relaxed executions [Burden, Definition 18]: each impact takes epsilon on the strip. They must converge to the
// completed execution, here in quadruple precision, at first order in epsilon.

#include "studies.hpp"
#include "watchdog.hpp"

#include "../reference/execution.hpp"

#include <cstdio>

namespace certificates {
namespace {

constexpr double TOLERANCE = 1e-11;
constexpr double SAMPLE_STEP = 0.0625;
// States are compared at samples that are no nearer to an impact of the completed execution: a relaxed one has it
// later, by the sum of all strips before it, and the velocities in between are those of different sides.
constexpr double AWAY = 0.11;
constexpr double LARGEST = 0x1p-10;
constexpr int HALVINGS = 8;

template <class System> class Case {
  public:
    Case(const char *with_title, const Specimen &with, double until, const System &of)
        : title(with_title), stop(until), system(of), model(with.model), record(execute()) {
    }

    // Prints a row of the table; whether the order is 1.
    bool show() const {
        std::vector<double> epsilons, errors;
        double worst_step = 1;
        std::printf("| %s | %zu |", title, away_from_impacts().size());
        for (int i = 0; i <= HALVINGS; i++) {
            epsilons.push_back(std::ldexp(LARGEST, -i));
            errors.push_back(error(epsilons.back()));
            if (i > 0) {
                const double step = std::log2(errors[errors.size() - 2] / errors.back());
                if (std::fabs(step - 1) > std::fabs(worst_step - 1)) worst_step = step;
            }
            if (i % 2 == 0) std::printf(" %.2e |", errors.back());
        }
        const double order = order_of(epsilons, errors);
        std::printf(" %.3f | %.3f |\n", order, worst_step);
        return std::fabs(order - 1) < 0.05 && std::fabs(worst_step - 1) < 0.2;
    }

  private:
    const char *const title;
    const double stop;
    const System system;
    const zeno_model &model;
    const reference::Record record;

    reference::Record execute() const {
        reference::Settings settings;
        settings.stop = stop;
        settings.sample_step = SAMPLE_STEP;
        Vector<quad> q, v;
        for (size_t i = 0; i < system.start.size(); i++)
            (i < system.start.size() / 2 ? q : v).push_back(system.start[i].value);
        return reference::Execution<System>(system, settings, q, v).run();
    }

    std::vector<const reference::Sample *> away_from_impacts() const {
        std::vector<const reference::Sample *> chosen;
        for (const reference::Sample &sample : record.samples) {
            bool away = true;
            for (const reference::Event &event : record.events)
                if (event.kind != reference::Event::RELEASE) away = away && fabsq(sample.time - event.time) > AWAY;
            if (away) chosen.push_back(&sample);
        }
        return chosen;
    }

    void put_start(trial *engine) const {
        System copy = system;
        for (int i = 0; i < model.parameters; i++)
            for (const auto &[name, value] : copy.parameters())
                if (name == model.parameter_name[i]) trial_put(engine, ZENO_PARAMETER, i, static_cast<double>(*value));
        for (int i = 0; i < model.coordinates; i++) {
            trial_put(engine, ZENO_COORDINATE, i, static_cast<double>(system.start[i].value));
            trial_put(engine, ZENO_RATE, i, static_cast<double>(system.start[model.coordinates + i].value));
        }
    }

    // The largest distance of (q, v) at a sample.
    double error(double epsilon) const {
        const Watchdog watchdog(std::string(title) + " with epsilon " + std::to_string(epsilon));
        const Trial engine = new_trial(model);
        const int n = model.coordinates;
        put_start(engine.get());
        trial_put(engine.get(), ZENO_SETTING, ZENO_RELAXATION, epsilon);
        if (!trial_begin(engine.get(), 0, TOLERANCE)) throw std::runtime_error(trial_message(engine.get()));
        double largest = 0;
        for (const reference::Sample *sample : away_from_impacts()) {
            if (!trial_go(engine.get(), static_cast<double>(sample->time)))
                throw std::runtime_error(trial_message(engine.get()));
            for (int i = 0; i < n; i++) {
                const quad to_q = trial_get(engine.get(), ZENO_COORDINATE, i) - sample->q[i];
                const quad to_v = trial_get(engine.get(), ZENO_RATE, i) - sample->v[i];
                largest = std::max({largest, static_cast<double>(fabsq(to_q)), static_cast<double>(fabsq(to_v))});
            }
        }
        return largest;
    }
};

// True as well where the model isn't asked for.
template <class System>
bool show(const Options &options, const char *title, const std::string &name, double stop, const System &system) {
    for (const Specimen *model : options.models)
        if (model->name == name) return Case<System>(title, *model, stop, system).show();
    return true;
}

// Example 1 of [Burden, Table I], with the forcing and the start of the authors' code; Example 2 is the default.
reference::ImpactOscillator first_example() {
    reference::ImpactOscillator system;
    system.a = 0.05;
    system.e = 0.9;
    system.omega = system.frequency = 2.5;
    system.xmax = 14;
    system.amplitude = 20;
    system.start = {{"x", 11.36263}, {"v", 31.40358}};
    return system;
}

} // namespace

bool study_relaxation(const Options &options) {
    const double pi = M_PI;
    std::printf("Largest error of a coordinate or rate, away from impacts, for the relaxation epsilon [s]\n\n"
                "| motion | samples |");
    for (int i = 0; i <= HALVINGS; i += 2)
        std::printf(" %.3g |", std::ldexp(LARGEST, -i));
    std::printf(" order | worst of a halving |\n|---|---|---|---|---|---|---|---|---|\n");
    bool good = true;
    good &= show(options, "ImpactOscillator, Example 1", "ImpactOscillator", 40 * pi, first_example());
    good &= show(options, "ImpactOscillator, Example 2", "ImpactOscillator", 4 * pi, reference::ImpactOscillator());
    good &= show(options, "BallOnSine", "BallOnSine", 20, reference::BallOnSine());
    good &= show(options, "DoublePendulum", "DoublePendulum", 20, reference::DoublePendulum());
    return good;
}

} // namespace certificates
