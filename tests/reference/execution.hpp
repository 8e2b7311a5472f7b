// The completed execution of a hybrid Lagrangian [TAC, V-B] by Taylor series in quadruple precision: flight until the
// gap is 0, impact, and so on until the impacts have died out; from the Zeno point along the constraint until the
// contact force is 0; release; and so on.

#ifndef REFERENCE_EXECUTION_HPP
#define REFERENCE_EXECUTION_HPP

#include "roots.hpp"
#include "systems.hpp"

namespace reference {

struct Settings {
    quad stop = 1;
    quad sample_step = 0.0625Q;
    int order = 40;
    quad tolerance = 1e-31Q;  // size of the last terms of a step's series
    quad zeno_speed = 1e-13Q; // an impact slower than this ends its cascade; what that leaves out is its square
};

struct Event {
    enum Kind { IMPACT, ZENO, RELEASE } kind;
    quad time;
    quad speed;        // of an impact: |gap rate| before it
    quad acceleration; // of an impact and a Zeno point: that of the gap with the normal velocity taken away
    Vector<quad> q, v; // of a Zeno point
};

struct Sample {
    quad time;
    Vector<quad> q, v;
    bool closed;
};

struct Record {
    Vector<Event> events;
    Vector<Sample> samples;
    quad energy_drift = 0; // largest change of kinetic + potential + dissipated
};

template <class System> class Execution {
  public:
    Execution(const System &of, const Settings &with, const Vector<quad> &start_q, const Vector<quad> &start_v)
        : system(of), settings(with), q(start_q), v(start_v) {
        initial_energy = energy();
    }

    Record run() {
        begin();
        while (time < settings.stop)
            step();
        sample_until(settings.stop, series_at_rest(), true);
        return record;
    }

  private:
    struct Expansion {
        Vector<Series> q, v;
        Series gap, force;
        quad reach; // the series is good to the tolerance up to here
    };

    const System system;
    const Settings settings;
    Record record;
    Vector<quad> q, v;
    quad time = 0;
    quad dissipated = 0;
    quad initial_energy;
    bool closed = false;
    int flat = 0;    // so many leading coefficients of the gap are 0 at the start of this step
    long sample = 0; // number of the next sample

    quad energy() const {
        return system.kinetic(q, v) + system.potential(q) + dissipated;
    }

    void watch_energy() {
        if (System::conservative) record.energy_drift = std::max(record.energy_drift, fabsq(energy() - initial_energy));
    }

    // On the constraint with gap rate 0: does it hold, or does the motion leave it?
    void settle() {
        closed = system.evaluate(time, q, v).force() > 0;
        flat = 2;
    }

    void begin() {
        const auto terms = system.evaluate(time, q, v);
        if (terms.gap < 0) throw std::runtime_error("the start violates the constraint");
        if (terms.gap > 0) return;
        if (terms.rate < 0) return impact();
        if (terms.rate == 0) return settle();
        flat = 1;
    }

    // Coefficient by coefficient: with (q, v) known to order k the acceleration is, and v to order k + 1.
    Expansion expand() const {
        const size_t n = q.size();
        Expansion x;
        Series t(time);
        t.c[1] = 1;
        for (size_t i = 0; i < n; i++) {
            x.q.push_back(q[i]);
            x.v.push_back(v[i]);
            x.q[i].order = x.v[i].order = 0;
        }
        for (int k = 0; k < settings.order; k++) {
            const auto terms = system.evaluate(t, x.q, x.v);
            const Series force = closed ? terms.force() : Series(0);
            for (size_t i = 0; i < n; i++) {
                const Series a = terms.a[i] + terms.w[i] * force;
                x.q[i].c[k + 1] = x.v[i].c[k] / (k + 1);
                x.v[i].c[k + 1] = a.c[k] / (k + 1);
                x.q[i].order = x.v[i].order = k + 1;
            }
        }
        const auto terms = system.evaluate(t, x.q, x.v);
        x.gap = terms.gap;
        x.force = terms.force();
        x.reach = reach(x);
        return x;
    }

    quad reach(const Expansion &x) const {
        quad reach = 0.5Q; // a polynomial has no last terms
        const auto limit = [&](const Series &series) {
            for (int k = settings.order - 1; k <= settings.order; k++)
                if (series.c[k] != 0) reach = std::min(reach, powq(settings.tolerance / fabsq(series.c[k]), 1.0Q / k));
        };
        for (const Series &series : x.q)
            limit(series);
        for (const Series &series : x.v)
            limit(series);
        limit(closed ? x.force : x.gap);
        return reach;
    }

    Expansion series_at_rest() const {
        Expansion x;
        for (size_t i = 0; i < q.size(); i++) {
            x.q.push_back(q[i]);
            x.v.push_back(v[i]);
        }
        return x;
    }

    // Samples before `end`; one at `end` itself belongs to what comes next, unless it is the last.
    void sample_until(quad end, const Expansion &x, bool last = false) {
        for (quad t = sample * settings.sample_step; t < end || (last && t == end); t = sample * settings.sample_step) {
            Sample s{t, {}, {}, closed};
            for (const Series &series : x.q)
                s.q.push_back(value(series, t - time));
            for (const Series &series : x.v)
                s.v.push_back(value(series, t - time));
            record.samples.push_back(s);
            sample++;
        }
    }

    void move(quad length, const Expansion &x) {
        sample_until(time + length, x);
        for (size_t i = 0; i < q.size(); i++) {
            q[i] = value(x.q[i], length);
            v[i] = value(x.v[i], length);
        }
        time += length;
        flat = 0;
        if (closed) project();
        watch_energy();
    }

    // The index-reduced equations let rounding errors of gap and rate grow; take them away.
    void project() {
        const auto off = system.evaluate(time, q, v);
        for (size_t i = 0; i < q.size(); i++)
            q[i] -= off.gap / off.W * off.w[i];
        take_rate_away();
    }

    // v - rate / W * w: what is left is along the constraint.
    void take_rate_away() {
        const auto terms = system.evaluate(time, q, v);
        for (size_t i = 0; i < q.size(); i++)
            v[i] -= terms.rate / terms.W * terms.w[i];
    }

    void step() {
        const Expansion x = expand();
        const quad length = std::min(x.reach, settings.stop - time);
        const Series watched = closed ? x.force : deflated(x.gap, flat);
        if (!(watched.c[0] > 0)) throw std::runtime_error("gap or force doesn't start out positive");
        const auto root = first_root(watched, 0, length);
        move(root.value_or(length), x);
        if (!root) return;
        if (closed)
            release();
        else
            impact();
    }

    // The force passes 0, so the gap starts with its third derivative.
    void release() {
        record.events.push_back({Event::RELEASE, time, 0, 0, {}, {}});
        closed = false;
        flat = 3;
    }

    void impact() {
        const auto before = system.evaluate(time, q, v);
        const Vector<quad> v_before = v;
        take_rate_away();
        const quad acceleration = system.evaluate(time, q, v).acceleration();
        const quad speed = -before.rate;
        record.events.push_back({Event::IMPACT, time, speed, acceleration, {}, {}});
        // (1 - e^2) rate^2 / 2W is what the impact law takes from the kinetic energy; with a Zeno point e counts as 0.
        const bool zeno = acceleration < 0 && (speed < settings.zeno_speed || system.e == 0);
        const quad e = zeno ? quad(0) : system.e;
        dissipated += (1 - e * e) * speed * speed / before.W / 2;
        if (zeno) return close(2 * system.e * speed / (-acceleration * (1 - system.e)));
        if (e == 0) return settle();
        // v+ = v- - (1 + e) rate / W * w [TAC, Eq. (4)].
        for (size_t i = 0; i < v.size(); i++)
            v[i] = v_before[i] + (1 + e) * speed / before.W * before.w[i];
        flat = 1;
    }

    // The impacts left take the time `rest`: the sum of the geometric series of flight times 2 speed / |acceleration|.
    void close(quad rest) {
        closed = true;
        if (time + rest < settings.stop) move(rest, expand());
        const quad acceleration = system.evaluate(time, q, v).acceleration();
        record.events.push_back({Event::ZENO, time, 0, acceleration, q, v});
    }
};

} // namespace reference

#endif
