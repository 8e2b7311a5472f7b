// The eight hybrid Lagrangians, their equations of motion derived by hand.
//
// A system gives its energies T and V, the generalized force F that no potential gives, the gap h, and from them:
//   a     the free acceleration, M a = F - (d/dt M) v + dT/dq - dV/dq
//   w     M^-1 J', with J = dh/dq
//   W     J w
//   rate  J v
//   bend  v' H v, with H the Hessian of h, so that the gap's acceleration is bend + J a
// `check.hpp` compares these with differences of T, V and h before anything is computed from them.
//
// Everything is a template over the scalar S: a number for impacts, a power series for motion.

#ifndef REFERENCE_SYSTEMS_HPP
#define REFERENCE_SYSTEMS_HPP

#include "series.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace reference {

template <class S> using Vector = std::vector<S>;

struct Value {
    std::string name;
    quad value;
};

template <class S> struct Terms {
    Vector<S> a;
    Vector<S> w;
    S W, gap, rate, bend, Ja;

    // Of the free motion [TAC, Eq. (5)].
    S acceleration() const {
        return bend + Ja;
    }
    // Contact force that holds the gap's acceleration at 0 [TAC, Eq. (21)].
    S force() const {
        return -acceleration() / W;
    }
};

template <class S> S dot(const Vector<S> &a, const Vector<S> &b) {
    S sum(0);
    for (size_t i = 0; i < a.size(); i++)
        sum = sum + a[i] * b[i];
    return sum;
}

template <class S> Terms<S> terms(Vector<S> a, Vector<S> w, const Vector<S> &J, S gap, S bend, const Vector<S> &v) {
    return {a, w, dot(J, w), gap, dot(J, v), bend, dot(J, a)};
}

// The solution of [[A, B], [B, D]] x = r.
template <class S> Vector<S> solve(const S &A, const S &B, const S &D, const Vector<S> &r) {
    const S determinant = A * D - B * B;
    return {(D * r[0] - B * r[1]) / determinant, (A * r[1] - B * r[0]) / determinant};
}

// A system without forces but those of its potential.
struct Conservative {
    static constexpr bool conservative = true;
    Vector<quad> applied(quad, const Vector<quad> &q, const Vector<quad> &) const {
        return Vector<quad>(q.size(), 0);
    }
};

// Point mass over a flat floor.
struct BouncingBall : Conservative {
    quad m = 1, g = 9.81, e = 0.7;
    static constexpr const char *constraint = "floor";
    Vector<Value> start = {{"x", 0}, {"y", 1}, {"vx", 1}, {"vy", 0}};
    Vector<std::pair<std::string, quad *>> parameters() {
        return {{"m", &m}, {"g", &g}, {"e", &e}};
    }
    quad kinetic(const Vector<quad> &, const Vector<quad> &v) const {
        return m / 2 * dot(v, v);
    }
    quad potential(const Vector<quad> &q) const {
        return m * g * q[1];
    }
    template <class S> Terms<S> evaluate(const S &, const Vector<S> &q, const Vector<S> &v) const {
        return terms<S>({0, -g}, {0, 1 / m}, {0, 1}, q[1], 0, v);
    }
};

// Point mass over y = sin x: J = (-cos x, 1), and h has the one second derivative sin x.
struct BallOnSine : Conservative {
    quad m = 1, g = 1, e = 0.5;
    static constexpr const char *constraint = "surface";
    Vector<Value> start = {{"x", 0}, {"y", 2}, {"vx", 1.5}, {"vy", 0}};
    Vector<std::pair<std::string, quad *>> parameters() {
        return {{"m", &m}, {"g", &g}, {"e", &e}};
    }
    quad kinetic(const Vector<quad> &, const Vector<quad> &v) const {
        return m / 2 * dot(v, v);
    }
    quad potential(const Vector<quad> &q) const {
        return m * g * q[1];
    }
    template <class S> Terms<S> evaluate(const S &, const Vector<S> &q, const Vector<S> &v) const {
        const auto [sine, cosine] = sine_cosine(q[0]);
        return terms<S>({0, -g}, {-cosine / m, 1 / m}, {-cosine, 1}, q[1] - sine, sine * v[0] * v[0], v);
    }
};

// Point mass over x3 = sin x2, free along x1.
struct BallOnSine3D : Conservative {
    quad m = 1, g = 9.81, e = 0.6;
    static constexpr const char *constraint = "surface";
    Vector<Value> start = {{"x1", 0}, {"x2", M_PI / 3}, {"x3", 2}, {"v1", 0.5}, {"v2", 0}, {"v3", 0}};
    Vector<std::pair<std::string, quad *>> parameters() {
        return {{"m", &m}, {"g", &g}, {"e", &e}};
    }
    quad kinetic(const Vector<quad> &, const Vector<quad> &v) const {
        return m / 2 * dot(v, v);
    }
    quad potential(const Vector<quad> &q) const {
        return m * g * q[2];
    }
    template <class S> Terms<S> evaluate(const S &, const Vector<S> &q, const Vector<S> &v) const {
        const auto [sine, cosine] = sine_cosine(q[1]);
        return terms<S>({0, 0, -g}, {0, -cosine / m, 1 / m}, {0, -cosine, 1}, q[2] - sine, sine * v[1] * v[1], v);
    }
};

// Two uniform rods, theta1 from the hanging vertical, theta2 from the first rod [TAC, Example 2]. With c, s of theta2
// and k = m2 L1 L2 / 2:
//   M11 = m1 L1^2/3 + m2 (L1^2 + L2^2/3) + 2 k c,   M12 = m2 L2^2/3 + k c,   M22 = m2 L2^2/3
//   V   = -(m1/2 + m2) g L1 cos(theta1) - m2 g L2/2 cos(theta1 + theta2)
// d/dt(M11 o1 + M12 o2) + dV/dtheta1 = 0 and d/dt(M12 o1 + M22 o2) - dT/dtheta2 + dV/dtheta2 = 0, with
// dT/dtheta2 = -k s o1 (o1 + o2), give M a + b = 0 for
//   b1 = -k s o2 (2 o1 + o2) + dV/dtheta1,   b2 = k s o1^2 + dV/dtheta2.
struct DoublePendulum : Conservative {
    quad m1 = 1, m2 = 1, L1 = 1, L2 = 1, g = 1, e = 0.5;
    static constexpr const char *constraint = "knee";
    Vector<Value> start = {{"theta1", 30 * M_PI / 180}, {"theta2", 25 * M_PI / 180}, {"omega1", 0}, {"omega2", 0}};
    Vector<std::pair<std::string, quad *>> parameters() {
        return {{"m1", &m1}, {"m2", &m2}, {"L1", &L1}, {"L2", &L2}, {"g", &g}, {"e", &e}};
    }
    // By the rods' centres and moments of inertia, not by M: so that the check compares two ways.
    quad kinetic(const Vector<quad> &q, const Vector<quad> &v) const {
        const quad o1 = v[0], o2 = v[0] + v[1];
        const quad first = m1 * L1 * L1 / 6 * o1 * o1;
        const quad elbow = L1 * o1, tip = L2 / 2 * o2;
        return first + m2 / 2 * (elbow * elbow + tip * tip + 2 * elbow * tip * cosq(q[1])) +
               m2 * L2 * L2 / 24 * o2 * o2;
    }
    quad potential(const Vector<quad> &q) const {
        return -m1 * g * L1 / 2 * cosq(q[0]) - m2 * g * (L1 * cosq(q[0]) + L2 / 2 * cosq(q[0] + q[1]));
    }
    template <class S> Terms<S> evaluate(const S &, const Vector<S> &q, const Vector<S> &v) const {
        const quad k = m2 * L1 * L2 / 2;
        const auto [s, c] = sine_cosine(q[1]);
        const S sine1 = sine_cosine(q[0]).first, sine12 = sine_cosine(S(q[0] + q[1])).first;
        const S M11 = m1 * L1 * L1 / 3 + m2 * (L1 * L1 + L2 * L2 / 3) + 2 * k * c;
        const S M12 = m2 * L2 * L2 / 3 + k * c;
        const S M22 = m2 * L2 * L2 / 3;
        const S V2 = m2 * g * L2 / 2 * sine12;
        const S b1 = -k * s * v[1] * (S(2) * v[0] + v[1]) + (m1 / 2 + m2) * g * L1 * sine1 + V2;
        const S b2 = k * s * v[0] * v[0] + V2;
        return terms<S>(solve<S>(M11, M12, M22, {-b1, -b2}), solve<S>(M11, M12, M22, {0, 1}), {0, 1}, q[1], 0, v);
    }
};

// Point mass m at (x + l sin(theta), l cos(theta)) on a cart of mass M along x:
//   T = (M + m)/2 vx^2 + m l cos(theta) omega vx + m l^2/2 omega^2,   V = m g l cos(theta)
// theta:  m l^2 a1 + m l c a2 = m g l s          (the terms in omega vx cancel)
// x:      m l c a1 + (M + m) a2 = m l s omega^2
struct CartPendulum : Conservative {
    quad m = 1, M = 1, l = 1, g = 9.81, e = 0.5;
    static constexpr const char *constraint = "cart";
    Vector<Value> start = {{"theta", 0.3}, {"x", 0}, {"omega", 0}, {"vx", 0}};
    Vector<std::pair<std::string, quad *>> parameters() {
        return {{"m", &m}, {"M", &M}, {"l", &l}, {"g", &g}, {"e", &e}};
    }
    quad kinetic(const Vector<quad> &q, const Vector<quad> &v) const {
        const quad bob_x = v[1] + l * cosq(q[0]) * v[0], bob_y = -l * sinq(q[0]) * v[0];
        return M / 2 * v[1] * v[1] + m / 2 * (bob_x * bob_x + bob_y * bob_y);
    }
    quad potential(const Vector<quad> &q) const {
        return m * g * l * cosq(q[0]);
    }
    template <class S> Terms<S> evaluate(const S &, const Vector<S> &q, const Vector<S> &v) const {
        const auto [s, c] = sine_cosine(q[0]);
        const S M11 = m * l * l, M12 = m * l * c, M22 = M + m;
        const Vector<S> load = {m * g * l * s, m * l * s * v[0] * v[0]};
        return terms<S>(solve<S>(M11, M12, M22, load), solve<S>(M11, M12, M22, {-s, 0}), {-s, 0}, c, -c * v[0] * v[0],
                        v);
    }
};

// T = m l^2/2 (o1^2 + sin^2(theta) o2^2), V = m g l cos(theta):
//   a1 = s c o2^2 + g/l s,   s^2 a2 + 2 s c o1 o2 = 0
struct SphericalPendulum : Conservative {
    quad m = 1, l = 1, g = 9.81, e = 0.5;
    static constexpr const char *constraint = "ground";
    Vector<Value> start = {{"theta", 0.5}, {"phi", 0}, {"omegaTheta", 0}, {"omegaPhi", 1}};
    Vector<std::pair<std::string, quad *>> parameters() {
        return {{"m", &m}, {"l", &l}, {"g", &g}, {"e", &e}};
    }
    quad kinetic(const Vector<quad> &q, const Vector<quad> &v) const {
        const quad along = l * v[0], around = l * sinq(q[0]) * v[1];
        return m / 2 * (along * along + around * around);
    }
    quad potential(const Vector<quad> &q) const {
        return m * g * l * cosq(q[0]);
    }
    template <class S> Terms<S> evaluate(const S &, const Vector<S> &q, const Vector<S> &v) const {
        const auto [s, c] = sine_cosine(q[0]);
        return terms<S>({s * c * v[1] * v[1] + g / l * s, S(-2) * c / s * v[0] * v[1]}, {-s / (m * l * l), 0}, {-s, 0},
                        c, -c * v[0] * v[0], v);
    }
};

// Rod of half length l whose end (x, y) touches; its centre is at (x + l cos(theta), y + l sin(theta)). In flight the
// centre falls and theta is free, so the end has a = (l c omega^2, -g + l s omega^2, 0). A unit force upwards at the
// end gives the centre 1/m and theta the acceleration alpha = -l c/Ic; the end then has w = (l s alpha, 1/m - l c
// alpha).
struct BouncingRod : Conservative {
    quad m = 1, l = 0.5, Ic = 1.0 / 12.0, g = 9.81, e = 0.5;
    static constexpr const char *constraint = "ground";
    Vector<Value> start = {{"x", 0}, {"y", 0.02}, {"theta", 1.45}, {"vx", 0}, {"vy", 0}, {"omega", 0}};
    Vector<std::pair<std::string, quad *>> parameters() {
        return {{"m", &m}, {"l", &l}, {"Ic", &Ic}, {"g", &g}, {"e", &e}};
    }
    quad kinetic(const Vector<quad> &q, const Vector<quad> &v) const {
        const quad centre_x = v[0] - l * v[2] * sinq(q[2]), centre_y = v[1] + l * v[2] * cosq(q[2]);
        return m / 2 * (centre_x * centre_x + centre_y * centre_y) + Ic / 2 * v[2] * v[2];
    }
    quad potential(const Vector<quad> &q) const {
        return m * g * (q[1] + l * sinq(q[2]));
    }
    template <class S> Terms<S> evaluate(const S &, const Vector<S> &q, const Vector<S> &v) const {
        const auto [s, c] = sine_cosine(q[2]);
        const S square = v[2] * v[2];
        const S alpha = -l / Ic * c;
        return terms<S>({l * c * square, -g + l * s * square, 0}, {l * s * alpha, 1 / m - l * c * alpha, alpha},
                        {0, 1, 0}, q[1], 0, v);
    }
};

// x'' + 2 a x' + omega^2 x = amplitude cos(frequency t), unit mass, x <= xmax.
struct ImpactOscillator {
    quad a = 0.95, omega = 1, xmax = -0.8, e = 0.5, amplitude = 1, frequency = 1;
    static constexpr bool conservative = false;
    static constexpr const char *constraint = "stop";
    Vector<Value> start = {{"x", -0.8}, {"v", 0}};
    Vector<std::pair<std::string, quad *>> parameters() {
        return {{"a", &a}, {"omega", &omega},         {"xmax", &xmax},
                {"e", &e}, {"amplitude", &amplitude}, {"frequency", &frequency}};
    }
    quad kinetic(const Vector<quad> &, const Vector<quad> &v) const {
        return v[0] * v[0] / 2;
    }
    quad potential(const Vector<quad> &q) const {
        return omega * omega * q[0] * q[0] / 2;
    }
    Vector<quad> applied(quad t, const Vector<quad> &, const Vector<quad> &v) const {
        return {amplitude * cosq(frequency * t) - 2 * a * v[0]};
    }
    template <class S> Terms<S> evaluate(const S &t, const Vector<S> &q, const Vector<S> &v) const {
        const S drive = amplitude * sine_cosine(S(frequency * t)).second;
        return terms<S>({drive - 2 * a * v[0] - omega * omega * q[0]}, {-1}, {-1}, xmax - q[0], 0, v);
    }
};

} // namespace reference

#endif
