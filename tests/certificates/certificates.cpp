// Checks what the engine certifies against the motion itself in quadruple precision.
//
//   certificates [STUDY] [--runs N] [--seed S] [--models A,B,...] [--only RUN]
//
// STUDY is truncation (the default), inputs, endurance, convergence, stability, relaxation or all.

#include "studies.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace certificates {
namespace {

struct Study {
    const char *name;
    bool (*run)(const Options &options);
};
constexpr Study STUDIES[] = {{"truncation", study_truncation}, {"inputs", study_inputs},
                             {"endurance", study_endurance},   {"convergence", study_convergence},
                             {"stability", study_stability},   {"relaxation", study_relaxation}};

long whole_number(const char *text) {
    char *end = nullptr;
    const long number = std::strtol(text, &end, 10);
    if (end == text || *end != '\0' || number < 0)
        throw std::invalid_argument(std::string(text) + ": a whole number expected");
    return number;
}

const Specimen *find_model(const std::string &name) {
    for (const auto &specimen : specimens())
        if (specimen->name == name) return specimen.get();
    throw std::invalid_argument("no model '" + name + "'");
}

std::vector<const Specimen *> find_models(std::string names) {
    std::vector<const Specimen *> found;
    for (names += ','; !names.empty(); names.erase(0, names.find(',') + 1))
        found.push_back(find_model(names.substr(0, names.find(','))));
    return found;
}

void take(Options &options, const std::string &option, const char *value) {
    if (!value) throw std::invalid_argument(option + ": a value expected");
    if (option == "--runs")
        options.runs = whole_number(value);
    else if (option == "--seed")
        options.seed = static_cast<std::uint64_t>(whole_number(value));
    else if (option == "--only")
        options.only = whole_number(value);
    else if (option == "--models")
        options.models = find_models(value);
    else
        throw std::invalid_argument(option + ": no such option");
}

bool run(const std::string &wanted, const Options &options) {
    bool known = false, good = true;
    for (const Study &study : STUDIES) {
        if (wanted != "all" && wanted != study.name) continue;
        known = true;
        if (wanted == "all") std::printf("\n## %s\n\n", study.name);
        good = study.run(options) && good;
        std::fflush(stdout);
    }
    if (!known) throw std::invalid_argument("no study '" + wanted + "'");
    return good;
}

bool run(int count, char **arguments) {
    std::string study = "truncation";
    Options options;
    for (const auto &specimen : specimens())
        options.models.push_back(specimen.get());
    int i = 1;
    if (i < count && arguments[i][0] != '-') study = arguments[i++];
    for (; i < count; i += 2)
        take(options, arguments[i], i + 1 < count ? arguments[i + 1] : nullptr);
    return run(study, options);
}

} // namespace
} // namespace certificates

int main(int argc, char **argv) {
    try {
        return certificates::run(argc, argv) ? 0 : 1;
    } catch (const std::exception &problem) {
        std::fprintf(stderr, "certificates: %s\n", problem.what());
        return 2;
    }
}
