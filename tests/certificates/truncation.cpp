// Truncations: the engine is run to its first Zeno truncation, and the cascade that it cut is continued in quadruple
// precision from its own state there.

#include "studies.hpp"
#include "watchdog.hpp"

#include <cmath>
#include <cstdio>
#include <map>

namespace certificates {
namespace {

constexpr double LEAST_EPSILON = 1e-8, LARGEST_EPSILON = 1e-3;
constexpr double LEAST_TOLERANCE = 1e-10, LARGEST_TOLERANCE = 1e-6;
// Every so many runs one starts where the surface hardly holds the body.
constexpr long EDGE_EVERY = 3;
// The cascade is continued until its impacts are this much slower than the truncating one; the rest of the series is
// summed up, which leaves out the square of this share.
constexpr quad NEGLIGIBLE = 1e-5Q;
// Every so many truncations the continuation is made again down to much slower impacts, to see what it leaves out.
constexpr long CHECK_EVERY = 50;

struct Settings {
    double epsilon_q, epsilon_v, epsilon_t, tolerance;
    bool orthogonal;
};

struct Tally {
    long runs = 0, certified = 0, uncertified = 0, without_zeno = 0, failed = 0;
    std::vector<double> excess;                   // of the bound over the time that the cascade takes, relative
    std::vector<double> time, position, velocity; // bound / true error
    std::map<std::string, long> reasons;
    quad least_acceleration = HUGE_VALQ; // of certified Zeno points
};

class Study {
  public:
    explicit Study(const Options &with) : options(with) {
    }

    bool run() {
        for (const Specimen *model : options.models)
            study(*model);
        print_table();
        print_excuses();
        std::printf(
            "A continuation to impacts slower by another %.0e moves the Zeno point by %.1e of its bounds at most.\n",
            static_cast<double>(NEGLIGIBLE), static_cast<double>(reference_error));
        std::printf("\n%ld of %ld truncations violate a bound or lack a certificate that they must have.\n", violations,
                    truncations);
        return violations == 0;
    }

  private:
    const Options options;
    long violations = 0, truncations = 0;
    quad reference_error = 0; // largest change by a longer continuation, relative to the bounds
    std::map<std::pair<std::string, bool>, Tally> tallies;
    std::map<std::string, std::string> first_failure;

    void study(const Specimen &model) {
        model.check_equations();
        const Trial engine = new_trial(model.model);
        if (options.only >= 0) trial_speak(engine.get());
        const long runs = options.runs / static_cast<long>(options.models.size());
        for (long run = 0; run < runs; run++)
            if (options.only < 0 || options.only == run) one(model, engine.get(), run);
    }

    static Settings draw_settings(Random &random, long run) {
        const auto epsilon = [&] { return log_uniform(random, LEAST_EPSILON, LARGEST_EPSILON); };
        Settings drawn{};
        drawn.epsilon_q = epsilon();
        drawn.epsilon_v = epsilon();
        drawn.epsilon_t = epsilon();
        drawn.tolerance = log_uniform(random, LEAST_TOLERANCE, LARGEST_TOLERANCE);
        drawn.orthogonal = run % 2 == 1;
        return drawn;
    }

    static void put_settings(trial *engine, const Settings &settings) {
        trial_put(engine, ZENO_SETTING, ZENO_EPSILON_Q, settings.epsilon_q);
        trial_put(engine, ZENO_SETTING, ZENO_EPSILON_V, settings.epsilon_v);
        trial_put(engine, ZENO_SETTING, ZENO_EPSILON_T, settings.epsilon_t);
        trial_put(engine, ZENO_SETTING, ZENO_REINITIALIZATION, settings.orthogonal ? ZENO_ORTHOGONAL : ZENO_KINETIC);
    }

    void one(const Specimen &model, trial *engine, long run) {
        Random random = random_of(options, model, run);
        Draw draw = model.draw(random);
        if (run % EDGE_EVERY == 0) model.put_at_the_edge(random, draw);
        const Settings settings = draw_settings(random, run);
        Tally &tally = tallies[{model.name, settings.orthogonal}];
        tally.runs++;
        const Watchdog watchdog(model.name + " run " + std::to_string(run));
        put_draw(engine, draw);
        put_settings(engine, settings);
        const char *problem = go_to_truncation(engine, draw.time_limit, settings.tolerance);
        const trial_truncation *truncation = trial_first_truncation(engine);
        if (truncation) {
            const std::string wrong = judge(model, draw, settings, *truncation, tally);
            truncations++;
            if (!wrong.empty()) report(model, run, settings, *truncation, wrong);
            if (options.only >= 0) tell(draw, settings, *truncation);
        } else if (problem) {
            tally.failed++;
            first_failure.insert({model.name, "run " + std::to_string(run) + ": " + problem});
        } else {
            tally.without_zeno++;
        }
    }

    // NULL, or what the engine said when it gave up.
    static const char *go_to_truncation(trial *engine, double limit, double tolerance) {
        constexpr int PIECES = 400;
        if (!trial_begin(engine, 0, tolerance)) return trial_message(engine);
        for (int i = 1; i <= PIECES && !trial_first_truncation(engine); i++)
            if (!trial_go(engine, limit * i / PIECES)) return trial_message(engine);
        return nullptr;
    }

    // What is wrong with a truncation; empty where nothing is.
    std::string judge(const Specimen &model, const Draw &draw, const Settings &settings,
                      const trial_truncation &truncation, Tally &tally) {
        const std::unique_ptr<Plant> plant = model.plant(draw);
        const State candidate = plant->candidate(truncation);
        const quad acceleration = plant->gap_acceleration(candidate);
        if (!truncation.certified) {
            tally.uncertified++;
            tally.reasons[truncation.reason]++;
            return fabsq(acceleration) > TRIAL_PLAIN_ACCELERATION ? "not certified" : "";
        }
        tally.certified++;
        tally.least_acceleration = std::min(tally.least_acceleration, fabsq(acceleration));
        if (truncation.time_bound > settings.epsilon_t || truncation.position_bound > settings.epsilon_q ||
            truncation.velocity_bound > settings.epsilon_v)
            return "a bound is wider than asked for";
        try {
            return compare(*plant, candidate, settings, truncation, tally);
        } catch (const std::runtime_error &problem) {
            return problem.what();
        }
    }

    // Every state of the cascade must lie within the bounds, its limit above all.
    std::string compare(const Plant &plant, const State &candidate, const Settings &settings,
                        const trial_truncation &truncation, Tally &tally) {
        const State struck = plant.struck(truncation, settings.orthogonal);
        quad position = 0, velocity = 0;
        bool begun = false; // the state before the truncating impact is none of the cascade's
        const auto visit = [&](const State &x) {
            if (x.time > struck.time || x.rate > 0) begun = true;
            if (!begun) return;
            position = std::max(position, distance(x.q, struck.q));
            velocity = std::max(velocity, distance(x.v, candidate.v));
        };
        const quad bound = truncation.time_bound, negligible = NEGLIGIBLE * -struck.rate;
        const State zeno = plant.zeno_point(struck, negligible, struck.time + 4 * bound, visit);
        if (truncations % CHECK_EVERY == 0) check_reference(plant, struck, zeno, truncation);
        const quad flight = zeno.time - struck.time, time = fabsq(zeno.time - truncation.zeno_time);
        const quad to_q = distance(zeno.q, struck.q), to_v = distance(zeno.v, candidate.v);
        const auto ratio = [](quad of, quad to) { return static_cast<double>(of / to); };
        tally.excess.push_back(ratio(bound - flight, flight));
        tally.time.push_back(ratio(bound, time));
        tally.position.push_back(ratio(truncation.position_bound, to_q));
        tally.velocity.push_back(ratio(truncation.velocity_bound, to_v));
        std::string wrong;
        if (!(flight >= 0 && flight <= bound)) wrong += "Zeno time outside its bound; ";
        if (!(time <= bound)) wrong += "reported Zeno time off by more than its bound; ";
        if (!(to_q <= truncation.position_bound)) wrong += "Zeno position outside its bound; ";
        if (!(to_v <= truncation.velocity_bound)) wrong += "Zeno velocity outside its bound; ";
        if (!(position <= truncation.position_bound)) wrong += "the cascade leaves the position bound; ";
        if (!(velocity <= truncation.velocity_bound)) wrong += "the cascade leaves the velocity bound; ";
        return wrong;
    }

    void check_reference(const Plant &plant, const State &struck, const State &zeno, const trial_truncation &bounds) {
        const auto ignore = [](const State &) {};
        const quad negligible = NEGLIGIBLE * NEGLIGIBLE * -struck.rate;
        const State better = plant.zeno_point(struck, negligible, struck.time + 4 * quad(bounds.time_bound), ignore);
        reference_error = std::max({reference_error, fabsq(better.time - zeno.time) / bounds.time_bound,
                                    distance(better.q, zeno.q) / bounds.position_bound,
                                    distance(better.v, zeno.v) / bounds.velocity_bound});
    }

    void report(const Specimen &model, long run, const Settings &settings, const trial_truncation &truncation,
                const std::string &wrong) {
        constexpr long MOST_REPORTED = 40;
        if (++violations > MOST_REPORTED) return;
        std::printf("%s run %ld (--seed %llu --models %s --only %ld): %s %s\n"
                    "    epsilon q %.3g v %.3g t %.3g, %s; impact speed %.6g at %.17g; bounds: time %.17g position "
                    "%.17g velocity %.17g\n",
                    model.name.c_str(), run, static_cast<unsigned long long>(options.seed), model.name.c_str(), run,
                    wrong.c_str(), truncation.reason, settings.epsilon_q, settings.epsilon_v, settings.epsilon_t,
                    settings.orthogonal ? "orthogonal" : "kinetic", -truncation.approach, truncation.time,
                    truncation.time_bound, truncation.position_bound, truncation.velocity_bound);
    }

    static void tell_list(const char *what, const std::vector<double> &values) {
        std::printf("%s:", what);
        for (const double value : values)
            std::printf(" %.17g", value);
        std::printf("\n");
    }

    static void tell(const Draw &draw, const Settings &settings, const trial_truncation &truncation) {
        const size_t n = draw.q.size();
        tell_list("parameters", draw.parameters);
        tell_list("inputs", draw.inputs);
        tell_list("start q", draw.q);
        tell_list("start v", draw.v);
        tell_list("epsilon q v t, tolerance",
                  {settings.epsilon_q, settings.epsilon_v, settings.epsilon_t, settings.tolerance});
        tell_list("truncation: time, approach, Zeno time, bounds t q v",
                  {truncation.time, truncation.approach, truncation.zeno_time, truncation.time_bound,
                   truncation.position_bound, truncation.velocity_bound});
        tell_list("q*", {truncation.q, truncation.q + n});
        tell_list("v*", {truncation.v, truncation.v + n});
    }

    static std::string spread(std::vector<double> &ratios) {
        char text[64];
        std::snprintf(text, sizeof text, "%.3g (%.3g..%.2g)", quantile(ratios, 0.5), quantile(ratios, 0.1),
                      quantile(ratios, 0.9));
        return text;
    }

    void print_table() {
        std::printf(
            "| model | map | runs | certified | not | no Zeno | failed | excess of bound over Zeno time - impact "
            "time | bound / error of zeno.time | position bound / error | velocity bound / error |\n"
            "|---|---|---|---|---|---|---|---|---|---|---|\n");
        for (auto &[key, tally] : tallies)
            std::printf("| %s | %s | %ld | %ld | %ld | %ld | %ld | %s | %s | %s | %s |\n", key.first.c_str(),
                        key.second ? "orthogonal" : "kinetic", tally.runs, tally.certified, tally.uncertified,
                        tally.without_zeno, tally.failed, spread(tally.excess).c_str(), spread(tally.time).c_str(),
                        spread(tally.position).c_str(), spread(tally.velocity).c_str());
        std::printf("\nRatios: median (10 %%..90 %%); inf where the candidate is the Zeno point itself.\n");
    }

    void print_excuses() {
        for (const auto &[key, tally] : tallies)
            for (const auto &[reason, count] : tally.reasons)
                std::printf("%s, %s: %ld not certified: %s\n", key.first.c_str(), key.second ? "orthogonal" : "kinetic",
                            count, reason.c_str());
        for (const auto &[model, failure] : first_failure)
            std::printf("%s: the engine gave up, first in %s\n", model.c_str(), failure.c_str());
        quad least = HUGE_VALQ;
        for (const auto &[key, tally] : tallies)
            least = std::min(least, tally.least_acceleration);
        std::printf("Least |gap acceleration| at a certified Zeno point: %.3g\n", static_cast<double>(least));
    }
};

} // namespace

bool study_truncation(const Options &options) {
    return Study(options).run();
}

} // namespace certificates
