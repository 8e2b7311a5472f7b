// Prints the completed execution of one system as JSON.
//
//   reference SYSTEM [stop=SECONDS] [sample=SECONDS] [NAME=VALUE ...]
//
// NAME is a parameter, a coordinate or a rate; samples are `sample` apart. Values are rounded to double precision, like
// those an FMU is given.

#include "check.hpp"
#include "execution.hpp"

#include <cstdio>
#include <cstring>
#include <iostream>

namespace reference {
namespace {

constexpr quad PERTURBATION = 1e-18Q;
constexpr quad SLOWEST_IMPACT_SHOWN = 1e-9Q;

std::string text(quad number) {
    char buffer[64];
    quadmath_snprintf(buffer, sizeof buffer, "%.21Qe", number);
    return buffer;
}

std::string brief(quad number) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.1e", static_cast<double>(number));
    return buffer;
}

std::string list(const Vector<quad> &numbers) {
    std::string joined;
    for (const quad number : numbers)
        joined += (joined.empty() ? "" : ", ") + text(number);
    return "[" + joined + "]";
}

std::string names(const Vector<Value> &values, size_t from, size_t to) {
    std::string joined;
    for (size_t i = from; i < to; i++)
        joined += (i == from ? "\"" : ", \"") + values[i].name + "\"";
    return "[" + joined + "]";
}

std::string object(const Vector<Value> &values) {
    std::string joined;
    for (const Value &value : values)
        joined += (joined.empty() ? "\"" : ", \"") + value.name + "\": " + text(value.value);
    return "{" + joined + "}";
}

quad distance(const Vector<quad> &a, const Vector<quad> &b) {
    quad largest = 0;
    for (size_t i = 0; i < a.size(); i++)
        largest = std::max(largest, fabsq(a[i] - b[i]) / (1 + fabsq(a[i])));
    return largest;
}

// The events that both records show; a cascade's last impacts depend on where it was ended.
Vector<Event> shown(const Record &record) {
    Vector<Event> events;
    for (const Event &event : record.events)
        if (event.kind != Event::IMPACT || event.speed >= SLOWEST_IMPACT_SHOWN) events.push_back(event);
    return events;
}

quad distance_of_events(const Record &a, const Record &b) {
    const Vector<Event> first = shown(a), second = shown(b);
    if (first.size() != second.size()) throw std::runtime_error("two runs have different events");
    quad largest = 0;
    for (size_t i = 0; i < first.size(); i++) {
        if (first[i].kind != second[i].kind) throw std::runtime_error("two runs have different events");
        largest = std::max(largest, fabsq(first[i].time - second[i].time) / (1 + first[i].time));
    }
    return largest;
}

// Of coordinates (`part` = &Sample::q) or rates (&Sample::v).
quad distance_of_samples(const Record &a, const Record &b, Vector<quad> Sample::*part) {
    quad largest = 0;
    for (size_t i = 0; i < a.samples.size(); i++)
        largest = std::max(largest, distance(a.samples[i].*part, b.samples[i].*part));
    return largest;
}

template <class System> class Case {
  public:
    explicit Case(const Vector<std::string> &assignments) {
        for (const std::string &assignment : assignments)
            assign(assignment);
    }

    void print() {
        check_equations(system);
        const Record record = execute(settings);
        std::cout << "{\n\"system\": \"" << name << "\",\n\"constraint\": \"" << System::constraint << "\",\n"
                  << "\"parameters\": " << object(parameters()) << ",\n\"start\": " << object(system.start) << ",\n"
                  << "\"stopTime\": " << text(settings.stop) << ",\n"
                  << "\"coordinates\": " << names(system.start, 0, n) << ",\n"
                  << "\"rates\": " << names(system.start, n, 2 * n) << ",\n";
        print_quality(record);
        print_events(record);
        print_samples(record);
        std::cout << "}\n";
    }

    std::string name;

  private:
    System system;
    Settings settings;
    const size_t n = system.start.size() / 2;

    void assign(const std::string &assignment) {
        const size_t equals = assignment.find('=');
        if (equals == std::string::npos) throw std::invalid_argument(assignment + ": NAME=VALUE expected");
        const std::string key = assignment.substr(0, equals);
        const char *digits = assignment.c_str() + equals + 1;
        char *end = nullptr;
        const quad number = std::strtod(digits, &end);
        if (end == digits || *end != '\0') throw std::invalid_argument(assignment + ": a number expected");
        quad *target = find(key);
        if (target == nullptr) throw std::invalid_argument(key + ": no such parameter, coordinate or rate");
        *target = number;
    }

    quad *find(const std::string &key) {
        if (key == "stop") return &settings.stop;
        if (key == "sample") return &settings.sample_step;
        for (auto &[parameter, target] : system.parameters())
            if (parameter == key) return target;
        for (Value &value : system.start)
            if (value.name == key) return &value.value;
        return nullptr;
    }

    Vector<Value> parameters() {
        Vector<Value> values;
        for (const auto &[parameter, target] : system.parameters())
            values.push_back({parameter, *target});
        return values;
    }

    // With `disturbed` < 2n that start value is off by PERTURBATION.
    Record execute(const Settings &with, size_t disturbed = SIZE_MAX) const {
        Vector<quad> q, v;
        for (size_t i = 0; i < 2 * n; i++)
            (i < n ? q : v).push_back(system.start[i].value + (i == disturbed ? PERTURBATION : 0));
        return Execution<System>(system, with, q, v).run();
    }

    // By what factor an error in one start value comes back in coordinates and event times.
    quad error_growth(const Record &record) const {
        quad growth = 0;
        for (size_t i = 0; i < 2 * n; i++) {
            const Record off = execute(settings, i);
            growth = std::max({growth, distance_of_samples(record, off, &Sample::q), distance_of_events(record, off)});
        }
        return growth / PERTURBATION;
    }

    // A start on the constraint is another execution when it is moved off it, so nothing can be said of its growth.
    bool starts_on_the_constraint() const {
        Vector<quad> q, v;
        for (size_t i = 0; i < 2 * n; i++)
            (i < n ? q : v).push_back(system.start[i].value);
        return system.evaluate(quad(0), q, v).gap == 0;
    }

    // How far a run of lower order, looser tolerance and cascades ended earlier is from the one that is printed.
    void print_quality(const Record &record) const {
        Settings other = settings;
        other.order -= 10;
        other.tolerance *= 100;
        other.zeno_speed *= 5;
        const Record again = execute(other);
        std::cout << "\"quality\": {\"events\": " << brief(distance_of_events(record, again))
                  << ", \"coordinates\": " << brief(distance_of_samples(record, again, &Sample::q))
                  << ", \"rates\": " << brief(distance_of_samples(record, again, &Sample::v))
                  << ", \"energy\": " << (System::conservative ? brief(record.energy_drift) : "null")
                  << ", \"errorGrowth\": " << (starts_on_the_constraint() ? "null" : brief(error_growth(record)))
                  << "},\n";
    }

    void print_events(const Record &record) const {
        std::cout << "\"events\": [";
        const char *separator = "\n";
        for (const Event &event : shown(record)) {
            std::cout << separator;
            separator = ",\n";
            if (event.kind == Event::RELEASE)
                std::cout << "{\"kind\": \"release\", \"time\": " << text(event.time) << "}";
            if (event.kind == Event::IMPACT)
                std::cout << "{\"kind\": \"impact\", \"time\": " << text(event.time)
                          << ", \"speed\": " << text(event.speed) << "}";
            if (event.kind == Event::ZENO)
                std::cout << "{\"kind\": \"Zeno\", \"time\": " << text(event.time) << ", \"q\": " << list(event.q)
                          << ", \"v\": " << list(event.v) << ", \"acceleration\": " << text(event.acceleration) << "}";
        }
        std::cout << "\n],\n";
    }

    void print_samples(const Record &record) const {
        std::cout << "\"samples\": [";
        const char *separator = "\n";
        for (const Sample &sample : record.samples) {
            std::cout << separator << "{\"time\": " << text(sample.time)
                      << ", \"closed\": " << (sample.closed ? "true" : "false") << ", \"q\": " << list(sample.q)
                      << ", \"v\": " << list(sample.v) << "}";
            separator = ",\n";
        }
        std::cout << "\n]\n";
    }
};

template <class System> bool print_if(const char *wanted, const char *name, const Vector<std::string> &assignments) {
    if (std::strcmp(wanted, name) != 0) return false;
    Case<System> one(assignments);
    one.name = name;
    one.print();
    return true;
}

bool print(const char *name, const Vector<std::string> &assignments) {
    return print_if<BouncingBall>(name, "BouncingBall", assignments) ||
           print_if<BallOnSine>(name, "BallOnSine", assignments) ||
           print_if<BallOnSine3D>(name, "BallOnSine3D", assignments) ||
           print_if<DoublePendulum>(name, "DoublePendulum", assignments) ||
           print_if<CartPendulum>(name, "CartPendulum", assignments) ||
           print_if<SphericalPendulum>(name, "SphericalPendulum", assignments) ||
           print_if<BouncingRod>(name, "BouncingRod", assignments) ||
           print_if<ImpactOscillator>(name, "ImpactOscillator", assignments);
}

} // namespace
} // namespace reference

int main(int argc, char **argv) {
    if (argc < 2) {
        std::cerr << "usage: reference SYSTEM [stop=SECONDS] [sample=SECONDS] [NAME=VALUE ...]\n";
        return 2;
    }
    try {
        if (reference::print(argv[1], {argv + 2, argv + argc})) return 0;
        std::cerr << "reference: no system '" << argv[1] << "'\n";
    } catch (const std::exception &problem) {
        std::cerr << "reference: " << argv[1] << ": " << problem.what() << '\n';
    }
    return 1;
}
