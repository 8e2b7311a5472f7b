// Long runs: no motion may stop the engine, hold it up, or meet a Zeno point that it should certify and doesn't.

#include "studies.hpp"
#include "watchdog.hpp"

#include <cstdio>

namespace certificates {
namespace {

struct Tally {
    long runs = 0, zeno_points = 0, releases = 0, uncertified = 0, failed = 0;
};

// False when the engine gave up.
bool run_to_the_end(const Specimen &model, trial *engine, Random &random, Tally &tally) {
    constexpr int PIECES = 50;
    Draw draw = model.draw(random);
    if (tally.runs++ % 2 == 0) model.put_at_the_edge(random, draw);
    put_draw(engine, draw);
    for (const zeno_setting setting : {ZENO_EPSILON_Q, ZENO_EPSILON_V, ZENO_EPSILON_T})
        trial_put(engine, ZENO_SETTING, setting, log_uniform(random, 1e-8, 1e-3));
    if (!trial_begin(engine, 0, log_uniform(random, 1e-10, 1e-6))) return false;
    for (int i = 1; i <= PIECES; i++)
        if (!trial_go(engine, draw.time_limit * i / PIECES)) return false;
    tally.zeno_points += static_cast<long>(trial_get(engine, ZENO_ZENO_COUNT, 0));
    tally.releases += static_cast<long>(trial_get(engine, ZENO_RELEASES, 0));
    tally.uncertified += trial_uncertified(engine);
    return true;
}

Tally study(const Options &options, const Specimen &model) {
    const Trial engine = new_trial(model.model);
    const long runs = options.runs / 10 / static_cast<long>(options.models.size());
    Tally tally;
    for (long run = 0; run < runs; run++) {
        if (options.only >= 0 && options.only != run) continue;
        if (options.only >= 0) trial_speak(engine.get());
        const Watchdog watchdog(model.name + " run " + std::to_string(run));
        Random random = random_of(options, model, run);
        tally.runs = run;
        if (run_to_the_end(model, engine.get(), random, tally)) continue;
        tally.failed++;
        std::printf("%s (endurance --seed %llu --models %s --only %ld): %s\n", model.name.c_str(),
                    static_cast<unsigned long long>(options.seed), model.name.c_str(), run,
                    trial_message(engine.get()));
    }
    return tally;
}

} // namespace

bool study_endurance(const Options &options) {
    bool good = true;
    std::printf("| model | runs | Zeno points | not certified though they must be | releases | runs that failed |\n"
                "|---|---|---|---|---|---|\n");
    for (const Specimen *model : options.models) {
        const Tally tally = study(options, *model);
        good = good && tally.failed == 0 && tally.uncertified == 0;
        std::printf("| %s | %ld | %ld | %ld | %ld | %ld |\n", model->name.c_str(), tally.runs, tally.zeno_points,
                    tally.uncertified, tally.releases, tally.failed);
    }
    return good;
}

} // namespace certificates
