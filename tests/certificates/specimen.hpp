// A model under study: the engine's descriptor, the same system in quadruple precision, and where random runs are
// drawn from.

#ifndef CERTIFICATES_SPECIMEN_HPP
#define CERTIFICATES_SPECIMEN_HPP

#include "cascade.hpp"
#include "trial.h"

#include <memory>
#include <random>
#include <string>
#include <vector>

namespace certificates {

using Random = std::mt19937_64;

// The same numbers with every C++ library, unlike those of std::uniform_real_distribution.
inline double uniform(Random &random, double low, double high) {
    return low + (high - low) * 0x1p-53 * static_cast<double>(random() >> 11);
}

inline double log_uniform(Random &random, double low, double high) {
    return std::exp(uniform(random, std::log(low), std::log(high)));
}

inline Vector<quad> quads(const std::vector<double> &values) {
    return {values.begin(), values.end()};
}

// What a run starts from.
struct Draw {
    std::vector<double> parameters, inputs, q, v;
    double time_limit; // by then most cascades have come to their end
};

// A system with a draw's parameters, in quadruple precision.
class Plant {
  public:
    using Visitor = std::function<void(const State &)>;

    virtual ~Plant() = default;
    // A state with its gap and gap rate as they follow from (q, v).
    virtual State place(quad time, const Vector<quad> &q, const Vector<quad> &v) const = 0;
    virtual State candidate(const trial_truncation &truncation) const = 0; // (q*, v*)
    // The state before the truncating impact: q put onto h = 0, and v moved along w until J v is the carried rate.
    virtual State struck(const trial_truncation &truncation, bool orthogonal) const = 0;
    // The execution from there, stopped at `until`, and until its end; see cascade.hpp.
    virtual State carried_to(const State &from, quad until, const Visitor &visit) const = 0;
    virtual State zeno_point(const State &from, quad negligible, quad latest, const Visitor &visit) const = 0;
    // Of the free motion [TAC, Eq. (5)].
    virtual quad gap_acceleration(const State &at) const = 0;
    virtual Vector<quad> normal(const State &at) const = 0; // J
};

class Specimen {
  public:
    const std::string name;
    const zeno_model &model;

    Specimen(std::string with_name, const zeno_model &of) : name(std::move(with_name)), model(of) {
    }
    virtual ~Specimen() = default;
    // Parameters, inputs and a start above the constraint; restitution in [0.05, 0.95].
    virtual Draw draw(Random &random) const = 0;
    // Moves the start onto the constraint, leaving it slowly, with a tangential speed at which the surface hardly holds
    // the body: a gap acceleration between -0.1 and -1e-4, where there is such a speed.
    virtual void put_at_the_edge(Random &random, Draw &draw) const = 0;
    virtual std::unique_ptr<Plant> plant(const Draw &draw) const = 0;
    // Whether the system in quadruple precision has the model's inputs; where not, they are 0.
    virtual bool knows_inputs() const = 0;
    // Throws where the hand-derived equations don't follow from the Lagrangian.
    virtual void check_equations() const = 0;
};

const std::vector<std::unique_ptr<Specimen>> &specimens();

// Gives the draw to the engine; settings come after.
void put_draw(trial *run, const Draw &draw);

} // namespace certificates

#endif
