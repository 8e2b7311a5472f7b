// A Zeno cascade in quadruple precision: flights by Taylor series, the impact law [TAC, Eq. (4)], and the rest of the
// geometric series once impacts have become negligible.
//
// Gap and gap rate are carried beside (q, v): h(q) of a flight of 1e-12 s has few digits even in this precision, the
// carried polynomial keeps its relative accuracy.

#ifndef CERTIFICATES_CASCADE_HPP
#define CERTIFICATES_CASCADE_HPP

#include "../reference/roots.hpp"
#include "../reference/systems.hpp"
#include "jet.hpp"

#include <functional>

namespace certificates {

using reference::quad;
using reference::Vector;

struct State {
    quad time;
    Vector<quad> q, v;
    quad gap, rate;
};

inline quad distance(const Vector<quad> &a, const Vector<quad> &b) {
    quad sum = 0;
    for (size_t i = 0; i < a.size(); i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrtq(sum);
}

template <class System> class Cascade {
  public:
    // Called with states before and after each impact and in the middle of each step.
    using Visitor = std::function<void(const State &)>;

    Cascade(const System &of, Visitor visitor) : system(of), visit(std::move(visitor)) {
    }

    // From a state with a gap, or on the constraint and struck or leaving, to the Zeno point. What is left of the
    // cascade is summed up when the speed is below `negligible`; that leaves out terms of its square.
    State zeno_point(State x, quad negligible, quad latest) const {
        visit(x);
        for (;;) {
            if (x.gap > 0 || x.rate > 0) fly(x, latest);
            visit(x);
            if (-x.rate < negligible) return limit(x);
            strike(x);
            visit(x);
        }
    }

    // The same, stopped at `until`, which must come before the Zeno point.
    State carried_to(State x, quad until) const {
        visit(x);
        while (x.time < until) {
            if (x.gap > 0 || x.rate > 0) fly(x, until, until);
            visit(x);
            if (x.time < until) strike(x);
        }
        return x;
    }

  private:
    static constexpr int LEAST_ORDER = 4;
    static constexpr quad TOLERANCE = 1e-31Q;  // last terms of q and v, absolute
    static constexpr quad OF_THE_GAP = 1e-28Q; // last terms of the gap, relative to its size in the flight

    struct Expansion {
        Vector<Jet> q, v;
        Jet gap;
        quad length; // up to here the last terms are negligible
    };

    const System system;
    const Visitor visit;

    // Coefficient by coefficient, until the last terms are negligible over `length`: with (q, v) known to order k the
    // acceleration is, and v to order k + 1. At the highest order the length gives way.
    Expansion expand(const State &from, quad length) const {
        Expansion x;
        Jet t(from.time);
        t.append(1);
        t.order = Jet::HIGHEST_ORDER;
        for (size_t i = 0; i < from.q.size(); i++) {
            x.q.push_back(from.q[i]);
            x.v.push_back(from.v[i]);
            x.q[i].order = x.v[i].order = 0;
        }
        x.length = length;
        for (int k = 0; k < Jet::HIGHEST_ORDER; k++) {
            const auto terms = system.evaluate(t, x.q, x.v);
            for (size_t i = 0; i < x.q.size(); i++) {
                x.q[i].append(x.v[i].c[k] / (k + 1));
                x.v[i].append(terms.a[i].at(k) / (k + 1));
            }
            if (k < LEAST_ORDER) continue;
            x.gap = carried(terms.gap, from);
            if (is_accurate(x, length)) return x;
        }
        while (!is_accurate(x, x.length))
            x.length /= 2;
        return x;
    }

    static Jet carried(Jet gap, const State &from) {
        gap.c[0] = from.gap;
        if (gap.degree == 0) gap.degree = 1;
        gap.c[1] = from.rate;
        return gap;
    }

    static bool is_accurate(const Expansion &x, quad length) {
        const auto small = [&](const Jet &jet, quad tolerance) {
            const quad power = powq(length, jet.order - 1);
            return fabsq(jet.at(jet.order - 1)) * power <= tolerance &&
                   fabsq(jet.at(jet.order)) * power * length <= tolerance;
        };
        for (size_t i = 0; i < x.q.size(); i++)
            if (!small(x.q[i], TOLERANCE) || !small(x.v[i], TOLERANCE)) return false;
        const quad pull = 2 * fabsq(x.gap.at(2)), gap = x.gap.c[0], rate = x.gap.c[1];
        return small(x.gap, OF_THE_GAP * (pull > 0 ? std::max(gap, rate * rate / (2 * pull)) : gap));
    }

    // A little more than the flight that a constant acceleration of the gap would give.
    quad guess(const State &x) const {
        const quad pull = -system.evaluate(x.time, x.q, x.v).acceleration();
        const quad longest = 0.125Q;
        if (!(pull > 0)) return longest;
        const quad flight = (x.rate + sqrtq(x.rate * x.rate + 2 * pull * x.gap)) / pull;
        return std::min(longest, 1.25Q * flight);
    }

    static State moved_along(const State &from, const Expansion &x, quad s) {
        State to = from;
        to.time += s;
        for (size_t i = 0; i < from.q.size(); i++) {
            to.q[i] = value(x.q[i], s);
            to.v[i] = value(x.v[i], s);
        }
        to.gap = value(x.gap, s);
        to.rate = slope(x.gap, s);
        return to;
    }

    // To the next impact, but not beyond `until`.
    void fly(State &x, quad latest, quad until = HUGE_VALQ) const {
        for (;;) {
            const Expansion ahead = expand(x, std::min(guess(x), until - x.time));
            const auto root = reference::first_root(series_from(ahead.gap, x.gap == 0 ? 1 : 0), 0, ahead.length);
            const quad s = root.value_or(ahead.length);
            visit(moved_along(x, ahead, s / 2));
            x = moved_along(x, ahead, s);
            if (root) {
                x.gap = 0;
                return;
            }
            if (x.time >= until) return;
            if (x.time > latest) throw std::runtime_error("the motion has not come back to the constraint in time");
        }
    }

    // v <- v - (J v - rate)/W w
    void set_rate(State &x, quad rate) const {
        const auto terms = system.evaluate(x.time, x.q, x.v);
        for (size_t i = 0; i < x.v.size(); i++)
            x.v[i] += (rate - terms.rate) / terms.W * terms.w[i];
        x.rate = rate;
    }

    void strike(State &x) const {
        set_rate(x, -system.e * x.rate);
    }

    // Flights of length 2 e^k speed/|acceleration|, impulses along w, and between them the constrained motion.
    State limit(State x) const {
        const quad speed = -x.rate;
        set_rate(x, 0);
        const auto terms = system.evaluate(x.time, x.q, x.v);
        if (!(terms.acceleration() < 0)) throw std::runtime_error("the cascade ends where nothing presses");
        const quad rest = 2 * system.e * speed / (-terms.acceleration() * (1 - system.e));
        for (size_t i = 0; i < x.q.size(); i++) {
            const quad a = terms.a[i] + terms.w[i] * terms.force();
            x.q[i] += rest * (x.v[i] + rest / 2 * a);
            x.v[i] += rest * a;
        }
        x.time += rest;
        return x;
    }
};

} // namespace certificates

#endif
