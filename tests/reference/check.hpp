// Compares the hand-derived equations of a system with differences of its energies and its gap.

#ifndef REFERENCE_CHECK_HPP
#define REFERENCE_CHECK_HPP

#include "systems.hpp"

#include <random>
#include <stdexcept>

namespace reference {

constexpr quad DIFFERENCE = 1e-8Q; // central differences then err by about 1e-16, rounding adds 1e-26

inline Vector<quad> stepped(Vector<quad> q, const Vector<quad> &direction, quad length) {
    for (size_t i = 0; i < q.size(); i++)
        q[i] += length * direction[i];
    return q;
}

inline Vector<quad> unit(size_t n, size_t i) {
    Vector<quad> e(n, 0);
    e[i] = 1;
    return e;
}

template <class Function> quad derivative(const Function &f, const Vector<quad> &q, const Vector<quad> &direction) {
    return (f(stepped(q, direction, DIFFERENCE)) - f(stepped(q, direction, -DIFFERENCE))) / (2 * DIFFERENCE);
}

// The i-th component of M(q) v. T is a quadratic form, so its polarisation is exact.
template <class System> quad momentum(const System &system, const Vector<quad> &q, const Vector<quad> &v, size_t i) {
    const Vector<quad> e = unit(q.size(), i);
    return (system.kinetic(q, stepped(v, e, 1)) - system.kinetic(q, stepped(v, e, -1))) / 2;
}

// The largest residual of Lagrange's equations, of M w = J', of W, rate and bend at one state.
template <class System> quad residual(const System &system, quad t, const Vector<quad> &q, const Vector<quad> &v) {
    const auto terms = system.evaluate(t, q, v);
    const auto gap = [&](const Vector<quad> &at) { return system.evaluate(t, at, v).gap; };
    const auto rate = [&](const Vector<quad> &at) { return system.evaluate(t, at, v).rate; };
    const auto kinetic = [&](const Vector<quad> &at) { return system.kinetic(at, v); };
    const auto potential = [&](const Vector<quad> &at) { return system.potential(at); };
    const Vector<quad> applied = system.applied(t, q, v);
    quad largest = 0, W = 0;
    for (size_t i = 0; i < q.size(); i++) {
        const Vector<quad> e = unit(q.size(), i);
        const auto momentum_of_v = [&](const Vector<quad> &at) { return momentum(system, at, v, i); };
        const quad J = derivative(gap, q, e);
        const quad lagrange = momentum(system, q, terms.a, i) + derivative(momentum_of_v, q, v) -
                              derivative(kinetic, q, e) + derivative(potential, q, e) - applied[i];
        largest = std::max({largest, fabsq(lagrange), fabsq(momentum(system, q, terms.w, i) - J)});
        W += J * terms.w[i];
    }
    return std::max({largest, fabsq(W - terms.W), fabsq(derivative(gap, q, v) - terms.rate),
                     fabsq(derivative(gap, q, terms.a) - terms.Ja), fabsq(derivative(rate, q, v) - terms.bend)});
}

template <class System> void check_equations(const System &system) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> any(0.2, 1.2); // away from the pole of spherical coordinates
    const size_t n = system.start.size() / 2;
    for (int trial = 0; trial < 20; trial++) {
        Vector<quad> q(n), v(n);
        for (quad &coordinate : q)
            coordinate = any(random);
        for (quad &rate : v)
            rate = any(random);
        if (residual(system, any(random), q, v) > 1e-12Q)
            throw std::logic_error("the equations of motion don't follow from the Lagrangian");
    }
}

} // namespace reference

#endif
