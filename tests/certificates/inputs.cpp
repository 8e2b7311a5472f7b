// Inputs that change inside a certified interval: the engine checks its certificate again with both values. If it stays
// certified, the cascade that has the change in its midst must end within the new bounds.

#include "studies.hpp"
#include "watchdog.hpp"

#include <cstdio>

namespace certificates {
namespace {

constexpr double EPSILON_LOW = 1e-7, EPSILON_HIGH = 1e-3, TOLERANCE = 1e-8;

struct Tally {
    long changes = 0, certified = 0, withdrawn = 0, violations = 0;
};

class Study {
  public:
    explicit Study(const Options &with) : options(with) {
    }

    bool run() {
        std::printf("| model | changed inputs | still certified | withdrawn | violations |\n|---|---|---|---|---|\n");
        long violations = 0, certified = 0;
        for (const Specimen *model : options.models) {
            if (!model->knows_inputs()) continue;
            const Tally tally = study(*model);
            violations += tally.violations;
            certified += tally.certified;
            std::printf("| %s | %ld | %ld | %ld | %ld |\n", model->name.c_str(), tally.changes, tally.certified,
                        tally.withdrawn, tally.violations);
        }
        return violations == 0 && certified > 0;
    }

  private:
    const Options options;

    Tally study(const Specimen &model) const {
        Tally tally;
        const Trial engine = new_trial(model.model);
        for (long run = 0; run < options.runs / 10; run++) {
            const Watchdog watchdog(model.name + " run " + std::to_string(run));
            Random random = random_of(options, model, run);
            one(model, engine.get(), random, run, tally);
        }
        return tally;
    }

    static void prepare(trial *engine, const Draw &draw, const double *epsilon, bool orthogonal) {
        put_draw(engine, draw);
        trial_put(engine, ZENO_SETTING, ZENO_EPSILON_Q, epsilon[0]);
        trial_put(engine, ZENO_SETTING, ZENO_EPSILON_V, epsilon[1]);
        trial_put(engine, ZENO_SETTING, ZENO_EPSILON_T, epsilon[2]);
        trial_put(engine, ZENO_SETTING, ZENO_REINITIALIZATION, orthogonal ? ZENO_ORTHOGONAL : ZENO_KINETIC);
    }

    // The run is made twice: once to see where it is truncated, and once to stop just after that. What an engine does
    // depends on nothing but its inputs, so the second is the first.
    void one(const Specimen &model, trial *engine, Random &random, long run, Tally &tally) const {
        constexpr int PIECES = 400;
        const Draw draw = model.draw(random);
        double epsilon[3];
        for (double &each : epsilon)
            each = log_uniform(random, EPSILON_LOW, EPSILON_HIGH);
        const bool orthogonal = run % 2 == 1;
        prepare(engine, draw, epsilon, orthogonal);
        if (!trial_begin(engine, 0, TOLERANCE)) return;
        for (int i = 1; i <= PIECES && !trial_first_truncation(engine); i++)
            if (!trial_go(engine, draw.time_limit * i / PIECES)) return;
        if (!trial_first_truncation(engine) || !trial_first_truncation(engine)->certified) return;
        const trial_truncation first = *trial_first_truncation(engine);
        const double change_time = first.time + uniform(random, 0.02, 0.8) * first.time_bound;
        if (!(change_time > first.time)) return;
        Draw changed = draw;
        changed.inputs[0] += (random() % 2 ? 1 : -1) * log_uniform(random, 1e-7, 10);
        prepare(engine, draw, epsilon, orthogonal);
        if (!trial_begin(engine, 0, TOLERANCE) || !trial_go(engine, change_time)) return;
        trial_put(engine, ZENO_INPUT, 0, changed.inputs[0]);
        if (!trial_go(engine, change_time + first.time_bound)) return;
        if (trial_get(engine, ZENO_ZENO_COUNT, 0) != 1) return; // released by the change, and caught again
        tally.changes++;
        if (trial_get(engine, ZENO_ZENO_CERTIFIED, 0) == 0) {
            tally.withdrawn++;
            return;
        }
        tally.certified++;
        judge(model, engine, run, first, epsilon, orthogonal, draw, changed, change_time, tally);
    }

    void judge(const Specimen &model, trial *engine, long run, const trial_truncation &first, const double *epsilon,
               bool orthogonal, const Draw &draw, const Draw &changed, double change_time, Tally &tally) const {
        const double bound_t = trial_get(engine, ZENO_ZENO_TIME_BOUND, 0),
                     bound_q = trial_get(engine, ZENO_ZENO_POSITION_BOUND, 0),
                     bound_v = trial_get(engine, ZENO_ZENO_VELOCITY_BOUND, 0);
        const std::unique_ptr<Plant> before = model.plant(draw), after = model.plant(changed);
        const auto ignore = [](const State &) {};
        const State struck = before->struck(first, orthogonal);
        std::string wrong;
        try {
            const State changing = before->carried_to(struck, change_time, ignore);
            const State zeno =
                after->zeno_point(changing, 1e-5Q * -struck.rate, struck.time + 4 * quad(bound_t), ignore);
            if (zeno.time - struck.time > bound_t) wrong += "time ";
            if (distance(zeno.q, struck.q) > bound_q) wrong += "position ";
            if (distance(zeno.v, before->candidate(first).v) > bound_v) wrong += "velocity ";
        } catch (const std::runtime_error &problem) {
            wrong = problem.what();
        }
        if (bound_t > epsilon[2] || bound_q > epsilon[0] || bound_v > epsilon[1]) wrong += "wider than asked for";
        if (wrong.empty()) return;
        tally.violations++;
        std::printf("%s run %ld (--seed %llu): %s\n", model.name.c_str(), run,
                    static_cast<unsigned long long>(options.seed), wrong.c_str());
    }
};

} // namespace

bool study_inputs(const Options &options) {
    return Study(options).run();
}

} // namespace certificates
