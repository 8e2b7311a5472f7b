// Stability radii: starts within N(delta_q, delta_v) of a state in contact, on the feasible side, must come back to the
// constraint by a Zeno execution within epsilon_t and stay within epsilon_q, epsilon_v meanwhile. And how much larger
// could the radii be? The pair is scaled up until sampling finds a start that doesn't.

#include "studies.hpp"
#include "watchdog.hpp"

#include <cstdio>

namespace certificates {
namespace {

constexpr double LEAST_EPSILON = 1e-3, LARGEST_EPSILON = 1e-1;
constexpr long STARTS_PER_CONTACT = 100; // where so many were tried, the largest scale is sought too
constexpr int STARTS_PER_SCALE = 40;     // when the largest scale is sought

struct Contact {
    State x;
    double epsilon_q, epsilon_v, epsilon_t;
    double position, velocity; // the radii
    std::unique_ptr<Plant> plant;
};

struct Tally {
    long contacts = 0, without_radii = 0, starts = 0, failures = 0;
    std::vector<double> position, velocity; // radius / epsilon
    std::vector<double> scale;              // largest that sampling finds / proven
};

double gaussian(Random &random) {
    const double angle = uniform(random, 0, 2 * M_PI), share = uniform(random, 0x1p-60, 1);
    return std::sqrt(-2 * std::log(share)) * std::cos(angle);
}

// A random direction.
Vector<quad> sphere(Random &random, size_t n) {
    Vector<quad> direction;
    quad square = 0;
    for (size_t i = 0; i < n; i++) {
        direction.push_back(gaussian(random));
        square += direction[i] * direction[i];
    }
    for (quad &part : direction)
        part /= sqrtq(square);
    return direction;
}

class Study {
  public:
    explicit Study(const Options &with) : options(with) {
    }

    bool run() {
        std::printf("| model | contacts | without radii | starts | that fail | position radius / epsilon_q | velocity "
                    "radius / epsilon_v | largest by sampling / proven |\n|---|---|---|---|---|---|---|---|\n");
        long failures = 0;
        for (const Specimen *model : options.models) {
            Tally tally = study(*model);
            failures += tally.failures;
            std::printf("| %s | %ld | %ld | %ld | %ld | %s | %s | %s |\n", model->name.c_str(), tally.contacts,
                        tally.without_radii, tally.starts, tally.failures, spread(tally.position).c_str(),
                        spread(tally.velocity).c_str(), spread(tally.scale).c_str());
            std::fflush(stdout);
        }
        std::printf("\nRatios: median (10 %%..90 %%). %ld starts within the radii fail.\n", failures);
        return failures == 0;
    }

  private:
    const Options options;

    static std::string spread(std::vector<double> &values) {
        char text[64];
        std::snprintf(text, sizeof text, "%.2g (%.2g..%.2g)", quantile(values, 0.5), quantile(values, 0.1),
                      quantile(values, 0.9));
        return text;
    }

    Tally study(const Specimen &model) const {
        const long starts = options.runs / 2 / static_cast<long>(options.models.size());
        const Trial engine = new_trial(model.model);
        Tally tally;
        for (long run = 0; tally.starts < starts && run < starts; run++) {
            Random random = random_of(options, model, run);
            const Watchdog watchdog(model.name + " contact " + std::to_string(run));
            Contact contact;
            if (!come_to_contact(model, engine.get(), random, contact)) continue;
            tally.contacts++;
            if (!(contact.position > 0)) {
                tally.without_radii++;
                continue;
            }
            const long number = std::min(STARTS_PER_CONTACT, starts - tally.starts);
            try_starts(model, run, random, contact, number, tally);
            if (number == STARTS_PER_CONTACT) tally.scale.push_back(largest_scale(random, contact));
        }
        return tally;
    }

    // A contact some time after a Zeno point, with its radii.
    static bool come_to_contact(const Specimen &model, trial *engine, Random &random, Contact &contact) {
        const Draw draw = model.draw(random);
        put_draw(engine, draw);
        trial_put(engine, ZENO_SETTING, ZENO_STABILITY, 1);
        if (!trial_begin(engine, 0, 1e-9)) return false;
        constexpr int PIECES = 400;
        double time = 0;
        for (int i = 1; i <= PIECES && !trial_first_truncation(engine); i++)
            if (!trial_go(engine, time = draw.time_limit * i / PIECES)) return false;
        time += uniform(random, 0, draw.time_limit / PIECES);
        if (!trial_first_truncation(engine) || !trial_go(engine, time)) return false;
        if (trial_get(engine, ZENO_CLOSED, 0) == 0) return false;
        contact.epsilon_q = log_uniform(random, LEAST_EPSILON, LARGEST_EPSILON);
        contact.epsilon_v = log_uniform(random, LEAST_EPSILON, LARGEST_EPSILON);
        contact.epsilon_t = log_uniform(random, LEAST_EPSILON, LARGEST_EPSILON);
        trial_put(engine, ZENO_SETTING, ZENO_EPSILON_Q, contact.epsilon_q);
        trial_put(engine, ZENO_SETTING, ZENO_EPSILON_V, contact.epsilon_v);
        trial_put(engine, ZENO_SETTING, ZENO_EPSILON_T, contact.epsilon_t);
        std::vector<double> q, v;
        for (int i = 0; i < model.model.coordinates; i++) {
            q.push_back(trial_get(engine, ZENO_COORDINATE, i));
            v.push_back(trial_get(engine, ZENO_RATE, i));
        }
        contact.position = trial_get(engine, ZENO_STABLE_POSITION, 0);
        contact.velocity = trial_get(engine, ZENO_STABLE_VELOCITY, 0);
        contact.plant = model.plant(draw);
        contact.x = contact.plant->place(time, quads(q), quads(v));
        return true;
    }

    void try_starts(const Specimen &model, long run, Random &random, const Contact &contact, long number,
                    Tally &tally) const {
        tally.position.push_back(contact.position / contact.epsilon_q);
        tally.velocity.push_back(contact.velocity / contact.epsilon_v);
        long failures = 0;
        for (long i = 0; i < number; i++) {
            tally.starts++;
            if (returns(contact, start_within(random, contact, 1))) continue;
            if (failures++ > 0) continue;
            std::printf("%s contact %ld, start %ld (--seed %llu): doesn't return as it must\n", model.name.c_str(), run,
                        i, static_cast<unsigned long long>(options.seed));
        }
        tally.failures += failures;
    }

    // Half of the starts lie anywhere in the neighbourhood, half on its edge, where the displacement or the change of
    // velocity is along the normal as often as not: there is the danger.
    static State start_within(Random &random, const Contact &contact, double scale) {
        const size_t n = contact.x.q.size();
        const Vector<quad> J = contact.plant->normal(contact.x);
        const quad length = sqrtq(reference::dot(J, J));
        const auto step = [&](bool upwards) {
            const bool on_the_edge = uniform(random, 0, 1) < 0.5, normal = uniform(random, 0, 1) < 0.5;
            Vector<quad> direction = sphere(random, n);
            const quad sign = upwards || uniform(random, 0, 1) < 0.5 ? 1 : -1;
            for (size_t i = 0; on_the_edge && normal && i < n; i++)
                direction[i] = sign * J[i] / length;
            const double inside = std::pow(uniform(random, 0, 1), 1 / static_cast<double>(n));
            for (quad &part : direction)
                part *= on_the_edge ? 1 - 1e-12 : inside;
            return direction;
        };
        State x = contact.x;
        do {
            const Vector<quad> to_q = step(true), to_v = step(false);
            for (size_t i = 0; i < n; i++) {
                x.q[i] = contact.x.q[i] + scale * contact.position * to_q[i];
                x.v[i] = contact.x.v[i] + scale * contact.velocity * to_v[i];
            }
            x = contact.plant->place(x.time, x.q, x.v);
        } while (x.gap < 0);
        return x;
    }

    static bool returns(const Contact &contact, const State &start) {
        const quad pull = fabsq(contact.plant->gap_acceleration(contact.x));
        const quad speed = std::max(fabsq(start.rate), sqrtq(2 * pull * start.gap));
        bool near_by = true;
        const auto visit = [&](const State &x) {
            near_by = near_by && distance(x.q, contact.x.q) <= contact.epsilon_q &&
                      distance(x.v, contact.x.v) <= contact.epsilon_v;
        };
        const quad latest = contact.x.time + contact.epsilon_t;
        try {
            return contact.plant->zeno_point(start, 1e-4Q * speed, latest, visit).time <= latest && near_by;
        } catch (const std::runtime_error &) {
            return false; // not back in time, or held by nothing
        }
    }

    static bool all_return(Random &random, const Contact &contact, double scale) {
        for (int i = 0; i < STARTS_PER_SCALE; i++)
            if (!returns(contact, start_within(random, contact, scale))) return false;
        return true;
    }

    // Up to 5 %.
    static double largest_scale(Random &random, const Contact &contact) {
        double good = 1, bad = 2;
        while (bad < 1e6 && all_return(random, contact, bad)) {
            good = bad;
            bad *= 2;
        }
        while (bad > 1.05 * good) {
            const double middle = std::sqrt(good * bad);
            (all_return(random, contact, middle) ? good : bad) = middle;
        }
        return good;
    }
};

} // namespace

bool study_stability(const Options &options) {
    return Study(options).run();
}

} // namespace certificates
