#include "specimen.hpp"

#include "../reference/check.hpp"
#include "more_systems.hpp"

#include <map>

extern "C" {
extern const zeno_model certificates_BallOnSine, certificates_DoublePendulum, certificates_SphericalPendulum,
    certificates_BouncingRod, certificates_ImpactOscillator, certificates_BeadInBowl, certificates_CartAtWall,
    certificates_BallOnHill;
}

namespace certificates {
namespace {

enum Scale { LINEAR, LOGARITHMIC };

// Where a parameter, an input, a coordinate or a rate is drawn from; what has no range keeps the model's start value.
struct Range {
    double low, high;
    Scale scale = LINEAR;
};
using Ranges = std::map<std::string, Range>;

template <class System> class PlantOf : public Plant {
  public:
    explicit PlantOf(const System &of) : system(of) {
    }

    State place(quad time, const Vector<quad> &q, const Vector<quad> &v) const override {
        State x{time, q, v, 0, 0};
        const auto terms = system.evaluate(x.time, x.q, x.v);
        x.gap = terms.gap;
        x.rate = terms.rate;
        return x;
    }

    State candidate(const trial_truncation &truncation) const override {
        const size_t n = system.start.size() / 2;
        return place(truncation.time, {truncation.q, truncation.q + n}, {truncation.v, truncation.v + n});
    }

    State struck(const trial_truncation &truncation, bool orthogonal) const override {
        State x = candidate(truncation);
        const quad approach = truncation.approach;
        for (int i = 0; i < 3; i++) { // Newton's method from the rounding error of double precision
            const auto terms = system.evaluate(x.time, x.q, x.v);
            for (size_t k = 0; k < x.q.size(); k++)
                x.q[k] -= terms.gap / terms.W * terms.w[k];
        }
        // v* = v - (J v)/|J|^2 J' is undone; with the kinetic map v* and v differ along w only.
        const Vector<quad> J = normal(x);
        for (size_t k = 0; orthogonal && k < x.v.size(); k++)
            x.v[k] += approach / reference::dot(J, J) * J[k];
        const auto terms = system.evaluate(x.time, x.q, x.v);
        for (size_t k = 0; k < x.v.size(); k++)
            x.v[k] += (approach - terms.rate) / terms.W * terms.w[k];
        x.gap = 0;
        x.rate = approach;
        return x;
    }

    State carried_to(const State &from, quad until, const Visitor &visit) const override {
        return Cascade<System>(system, visit).carried_to(from, until);
    }

    State zeno_point(const State &from, quad negligible, quad latest, const Visitor &visit) const override {
        return Cascade<System>(system, visit).zeno_point(from, negligible, latest);
    }

    quad gap_acceleration(const State &at) const override {
        return system.evaluate(at.time, at.q, at.v).acceleration();
    }

    // The rate is J v, and linear in v.
    Vector<quad> normal(const State &at) const override {
        Vector<quad> J;
        for (size_t i = 0; i < at.q.size(); i++)
            J.push_back(system.evaluate(at.time, at.q, reference::unit(at.q.size(), i)).rate);
        return J;
    }

  private:
    const System system;
};

template <class System> class SpecimenOf : public Specimen {
  public:
    // `patience`: time limit of a run, in units of sqrt(1/g) where the system has gravity.
    SpecimenOf(std::string with_name, const zeno_model &of, double with_patience, Ranges with_ranges)
        : Specimen(std::move(with_name), of), patience(with_patience), ranges(std::move(with_ranges)) {
    }

    Draw draw(Random &random) const override {
        Draw drawn;
        double gravity = 1;
        for (int i = 0; i < model.parameters; i++) {
            const std::string parameter = model.parameter_name[i];
            drawn.parameters.push_back(parameter == "e" ? uniform(random, 0.05, 0.95)
                                                        : pick(random, parameter, model.parameter_start[i]));
            if (parameter == "g") gravity = drawn.parameters.back();
        }
        for (int i = 0; i < model.inputs; i++)
            drawn.inputs.push_back(pick(random, model.input_name[i], model.input_start[i]));
        drawn.time_limit = patience / std::sqrt(gravity);
        const std::unique_ptr<Plant> here = plant(drawn);
        do {
            drawn.q.clear();
            drawn.v.clear();
            for (int i = 0; i < model.coordinates; i++) {
                drawn.q.push_back(pick(random, model.coordinate_name[i], model.coordinate_start[i]));
                drawn.v.push_back(pick(random, model.rate_name[i], model.rate_start[i]));
            }
        } while (!(here->place(0, quads(drawn.q), quads(drawn.v)).gap > 1e-6Q));
        return drawn;
    }

    void put_at_the_edge(Random &random, Draw &drawn) const override {
        const System system = system_of(drawn);
        State x = PlantOf<System>(system).place(0, quads(drawn.q), quads(drawn.v));
        for (int i = 0; i < 40 && fabsq(x.gap) > 1e-25Q; i++)
            x = onto_constraint(system, x);
        const quad wanted = -log_uniform(random, 1e-4, 0.1), rate = log_uniform(random, 1e-6, 1e-2);
        const auto along = system.evaluate(x.time, x.q, x.v);
        for (size_t i = 0; i < x.v.size(); i++)
            x.v[i] -= along.rate / along.W * along.w[i];
        const quad factor = factor_for(system, x, wanted);
        for (size_t i = 0; i < x.v.size(); i++) {
            drawn.q[i] = fabsq(x.q[i]) < 1e-20Q ? 0 : static_cast<double>(x.q[i]); // no -1e-36 below the constraint
            drawn.v[i] = static_cast<double>(factor * x.v[i] + rate / along.W * along.w[i]);
        }
    }

    std::unique_ptr<Plant> plant(const Draw &drawn) const override {
        return std::make_unique<PlantOf<System>>(system_of(drawn));
    }

    bool knows_inputs() const override {
        System system;
        for (const auto &[parameter, target] : system.parameters())
            if (model.inputs > 0 && parameter == model.input_name[0]) return true;
        return false;
    }

    void check_equations() const override {
        reference::check_equations(System());
    }

  private:
    const double patience;
    const Ranges ranges;

    System system_of(const Draw &drawn) const {
        System system;
        std::map<std::string, quad *> named;
        for (const auto &[parameter, target] : system.parameters())
            named[parameter] = target;
        for (int i = 0; i < model.parameters; i++)
            *named.at(model.parameter_name[i]) = drawn.parameters[i];
        for (int i = 0; i < model.inputs; i++)
            if (named.count(model.input_name[i])) *named[model.input_name[i]] = drawn.inputs[i];
        return system;
    }

    // One step of Newton's method along w, not longer than 0.3.
    static State onto_constraint(const System &system, State x) {
        const auto terms = system.evaluate(x.time, x.q, x.v);
        const quad length = fabsq(terms.gap / terms.W) * sqrtq(reference::dot(terms.w, terms.w));
        for (size_t i = 0; i < x.q.size(); i++)
            x.q[i] -= std::min(quad(1), 0.3Q / length) * terms.gap / terms.W * terms.w[i];
        x.gap = system.evaluate(x.time, x.q, x.v).gap;
        return x;
    }

    // The factor on v in [0, 8] that gives the wanted gap acceleration; 1 where bisection finds none.
    static quad factor_for(const System &system, const State &x, quad wanted) {
        const auto excess = [&](quad factor) {
            Vector<quad> v = x.v;
            for (quad &rate : v)
                rate *= factor;
            return system.evaluate(x.time, x.q, v).acceleration() - wanted;
        };
        quad low = 0, high = 8;
        if (!(excess(low) < 0) || !(excess(high) > 0)) return 1;
        for (int i = 0; i < 60; i++) {
            const quad middle = (low + high) / 2;
            (excess(middle) < 0 ? low : high) = middle;
        }
        return low;
    }

    double pick(Random &random, const std::string &variable, double start) const {
        const auto found = ranges.find(variable);
        if (found == ranges.end()) return start;
        const Range &range = found->second;
        return range.scale == LINEAR ? uniform(random, range.low, range.high)
                                     : log_uniform(random, range.low, range.high);
    }
};

template <class System>
std::unique_ptr<Specimen> specimen(const char *name, const zeno_model &model, double patience, const Ranges &ranges) {
    return std::make_unique<SpecimenOf<System>>(name, model, patience, ranges);
}

std::vector<std::unique_ptr<Specimen>> make_specimens() {
    using namespace reference;
    const Range size = {0.3, 3, LOGARITHMIC}, gravity = {0.01, 30, LOGARITHMIC};
    std::vector<std::unique_ptr<Specimen>> all;
    all.push_back(specimen<BallOnSine>(
        "BallOnSine", certificates_BallOnSine, 200,
        {{"m", size}, {"g", gravity}, {"x", {-5, 5}}, {"y", {-1, 2}}, {"vx", {-2, 2}}, {"vy", {-1, 1}}}));
    all.push_back(specimen<DoublePendulum>("DoublePendulum", certificates_DoublePendulum, 100,
                                           {{"m1", size},
                                            {"m2", size},
                                            {"L1", size},
                                            {"L2", size},
                                            {"g", gravity},
                                            {"theta1", {-1.5, 1.5}},
                                            {"theta2", {0, 1.5}},
                                            {"omega1", {-1, 1}},
                                            {"omega2", {-1, 1}}}));
    all.push_back(specimen<SphericalPendulum>("SphericalPendulum", certificates_SphericalPendulum, 100,
                                              {{"m", size},
                                               {"l", size},
                                               {"g", gravity},
                                               {"theta", {0.2, 1.5}},
                                               {"phi", {-3, 3}},
                                               {"omegaTheta", {-1, 1}},
                                               {"omegaPhi", {-3, 3}}}));
    all.push_back(specimen<BouncingRod>("BouncingRod", certificates_BouncingRod, 10,
                                        {{"m", size},
                                         {"l", size},
                                         {"Ic", {0.03, 3, LOGARITHMIC}},
                                         {"g", gravity},
                                         {"y", {0, 0.1}},
                                         {"theta", {0.3, 2.8}},
                                         {"vx", {-1, 1}},
                                         {"vy", {-0.5, 0.5}},
                                         {"omega", {-1, 1}}}));
    all.push_back(specimen<ImpactOscillator>("ImpactOscillator", certificates_ImpactOscillator, 60,
                                             {{"a", {0, 1}},
                                              {"omega", {0.5, 3}},
                                              {"xmax", {-1, 0.3}},
                                              {"amplitude", {0, 2}},
                                              {"frequency", {0.3, 3}},
                                              {"x", {-2, 0.3}},
                                              {"v", {-2, 2}}}));
    all.push_back(specimen<BeadInBowl>("BeadInBowl", certificates_BeadInBowl, 100,
                                       {{"m", size},
                                        {"g", gravity},
                                        {"k", size},
                                        {"c", {0, 1}},
                                        {"x", {-2, 2}},
                                        {"y", {0, 3}},
                                        {"vx", {-2, 2}},
                                        {"vy", {-1, 1}}}));
    all.push_back(specimen<CartAtWall>("CartAtWall", certificates_CartAtWall, 100,
                                       {{"M", size},
                                        {"m", size},
                                        {"l", size},
                                        {"k", size},
                                        {"c", {0, 1}},
                                        {"g", gravity},
                                        {"alpha", {-0.7, 0.7}},
                                        {"d", {-0.5, 0.5}},
                                        {"F", {-1, 3}},
                                        {"x", {-2, 1}},
                                        {"theta", {-1.5, 1}},
                                        {"vx", {-1, 1}},
                                        {"omega", {-1, 1}}}));
    all.push_back(specimen<BallOnHill>("BallOnHill", certificates_BallOnHill, 100,
                                       {{"m", size},
                                        {"g", gravity},
                                        {"A", size},
                                        {"k", size},
                                        {"Fx", {-1, 1}},
                                        {"x", {-2, 2}},
                                        {"y", {-2, 2}},
                                        {"z", {0, 3}},
                                        {"vx", {-1, 1}},
                                        {"vy", {-1, 1}},
                                        {"vz", {-1, 1}}}));
    return all;
}

} // namespace

const std::vector<std::unique_ptr<Specimen>> &specimens() {
    static const std::vector<std::unique_ptr<Specimen>> all = make_specimens();
    return all;
}

void put_draw(trial *run, const Draw &draw) {
    trial_reset(run);
    for (size_t i = 0; i < draw.parameters.size(); i++)
        trial_put(run, ZENO_PARAMETER, static_cast<int>(i), draw.parameters[i]);
    for (size_t i = 0; i < draw.inputs.size(); i++)
        trial_put(run, ZENO_INPUT, static_cast<int>(i), draw.inputs[i]);
    for (size_t i = 0; i < draw.q.size(); i++) {
        trial_put(run, ZENO_COORDINATE, static_cast<int>(i), draw.q[i]);
        trial_put(run, ZENO_RATE, static_cast<int>(i), draw.v[i]);
    }
}

} // namespace certificates
