// The studies. Each prints what it found and returns whether all that must hold did.

#ifndef CERTIFICATES_STUDIES_HPP
#define CERTIFICATES_STUDIES_HPP

#include "specimen.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace certificates {

struct Options {
    long runs = 20000;      // in all, over the models
    std::uint64_t seed = 1; // a run follows from the seed, its model and its number
    long only = -1;         // the number of the one run to be made, and told in full
    std::vector<const Specimen *> models;
};

// Truncations: does the true Zeno point lie within the bounds that the engine reports, every time?
bool study_truncation(const Options &options);
// The same where an input changes after the truncation, inside the certified interval.
bool study_inputs(const Options &options);
// Long runs, through many Zeno points and releases: does the engine reach the end, with all of them certified?
bool study_endurance(const Options &options);
// Release times after a truncation against the impact speed at which it was made.
bool study_convergence(const Options &options);
// Perturbed starts within the stability radii of contacts: do all return by a Zeno execution, in time and near by?
bool study_stability(const Options &options);
// Relaxed executions against the completed one.
bool study_relaxation(const Options &options);

struct TrialDeleter {
    void operator()(trial *run) const {
        trial_destroy(run);
    }
};
using Trial = std::unique_ptr<trial, TrialDeleter>;

inline Trial new_trial(const zeno_model &model) {
    Trial run(trial_create(&model));
    if (!run) throw std::bad_alloc();
    return run;
}

// Random numbers of one run of one model.
inline Random random_of(const Options &options, const Specimen &model, long run) {
    std::uint64_t name = 14695981039346656037u; // FNV-1a
    for (const char c : model.name)
        name = (name ^ static_cast<unsigned char>(c)) * 1099511628211u;
    std::seed_seq mixed{options.seed, options.seed >> 32, name, name >> 32, static_cast<std::uint64_t>(run)};
    return Random(mixed);
}

inline double quantile(std::vector<double> &values, double share) {
    if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
    const size_t at = static_cast<size_t>(share * static_cast<double>(values.size() - 1) + 0.5);
    std::nth_element(values.begin(), values.begin() + static_cast<long>(at), values.end());
    return values[at];
}

// Slope of log(y) over log(x) by least squares.
inline double order_of(const std::vector<double> &x, const std::vector<double> &y) {
    double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
    const double count = static_cast<double>(x.size());
    for (size_t i = 0; i < x.size(); i++) {
        mean_x += std::log(x[i]) / count;
        mean_y += std::log(y[i]) / count;
    }
    for (size_t i = 0; i < x.size(); i++) {
        xx += (std::log(x[i]) - mean_x) * (std::log(x[i]) - mean_x);
        xy += (std::log(x[i]) - mean_x) * (std::log(y[i]) - mean_y);
    }
    return xy / xx;
}

} // namespace certificates

#endif
