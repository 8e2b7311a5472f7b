// The systems of models/, their equations of motion derived by hand, in the manner of ../reference/systems.hpp (whose
// check.hpp compares them with differences of T, V and h). An input is a parameter here: it is constant in a run.

#ifndef CERTIFICATES_MORE_SYSTEMS_HPP
#define CERTIFICATES_MORE_SYSTEMS_HPP

#include "../reference/systems.hpp"

namespace reference {

inline quad exponential(quad a) {
    return expq(a);
}

// Bead over y = k x^2/2 with drag c: J = (-k x, 1), and h has the one second derivative -k.
struct BeadInBowl {
    quad m = 1, g = 9.81, k = 1, c = 0.1, e = 0.5;
    static constexpr bool conservative = false;
    Vector<Value> start = {{"x", 0.5}, {"y", 1}, {"vx", 0}, {"vy", 0}};
    Vector<std::pair<std::string, quad *>> parameters() {
        return {{"m", &m}, {"g", &g}, {"k", &k}, {"c", &c}, {"e", &e}};
    }
    quad kinetic(const Vector<quad> &, const Vector<quad> &v) const {
        return m / 2 * dot(v, v);
    }
    quad potential(const Vector<quad> &q) const {
        return m * g * q[1];
    }
    Vector<quad> applied(quad, const Vector<quad> &, const Vector<quad> &v) const {
        return {-c * v[0], -c * v[1]};
    }
    template <class S> Terms<S> evaluate(const S &, const Vector<S> &q, const Vector<S> &v) const {
        const quad drag = c / m;
        const S slope = k * q[0];
        return terms<S>({-drag * v[0], S(-g) - drag * v[1]}, {-slope / m, 1 / m}, {-slope, 1}, q[1] - slope * q[0] / 2,
                        -k * v[0] * v[0], v);
    }
};

// Cart M on a spring k with drag c and force F; bob m at (x + l sin(theta), -l cos(theta)), kept on the near side of
// the wall with the normal (cos(alpha), sin(alpha)):
//   (M + m) a1 + m l cos(theta) a2 - m l sin(theta) o^2 + k x + c vx - F = 0
//   m l cos(theta) a1 + m l^2 a2 + m g l sin(theta) = 0
//   J = (-cos(alpha), -l cos(theta - alpha)), and h has the one second derivative l sin(theta - alpha)
struct CartAtWall {
    quad M = 1, m = 1, l = 1, k = 1, c = 0.1, g = 9.81, alpha = 0.3, d = 0, e = 0.5, F = 0;
    static constexpr bool conservative = false;
    Vector<Value> start = {{"x", -0.5}, {"theta", -0.2}, {"vx", 0}, {"omega", 0}};
    Vector<std::pair<std::string, quad *>> parameters() {
        return {{"M", &M}, {"m", &m},         {"l", &l}, {"k", &k}, {"c", &c},
                {"g", &g}, {"alpha", &alpha}, {"d", &d}, {"e", &e}, {"F", &F}};
    }
    quad kinetic(const Vector<quad> &q, const Vector<quad> &v) const {
        const quad bob_x = v[0] + l * cosq(q[1]) * v[1], bob_y = l * sinq(q[1]) * v[1];
        return M / 2 * v[0] * v[0] + m / 2 * (bob_x * bob_x + bob_y * bob_y);
    }
    quad potential(const Vector<quad> &q) const {
        return k / 2 * q[0] * q[0] - m * g * l * cosq(q[1]);
    }
    Vector<quad> applied(quad, const Vector<quad> &, const Vector<quad> &v) const {
        return {F - c * v[0], 0};
    }
    template <class S> Terms<S> evaluate(const S &, const Vector<S> &q, const Vector<S> &v) const {
        const auto [sine, cosine] = sine_cosine(q[1]);
        const auto [sine_from_normal, cosine_from_normal] = sine_cosine(S(q[1] - S(alpha)));
        const S M11 = M + m, M12 = m * l * cosine, M22 = m * l * l;
        const S along = m * l * sine * v[1] * v[1] - k * q[0] - c * v[0] + S(F);
        const Vector<S> J = {-cosq(alpha), -l * cosine_from_normal};
        const S gap = S(d) - cosq(alpha) * q[0] - l * sine_from_normal;
        return terms<S>(solve<S>(M11, M12, M22, {along, -m * g * l * sine}), solve<S>(M11, M12, M22, J), J, gap,
                        l * sine_from_normal * v[1] * v[1], v);
    }
};

// Point mass over z = A exp(-(x^2 + y^2)/2) =: E, on a spring k to the axis, with a force Fx: J = (x E, y E, 1), and
// v' H v = E ((vx^2 + vy^2) - (x vx + y vy)^2).
struct BallOnHill {
    quad m = 1, g = 9.81, A = 1, k = 1, e = 0.5, Fx = 0;
    static constexpr bool conservative = false;
    Vector<Value> start = {{"x", 0.5}, {"y", 0}, {"z", 1.5}, {"vx", 0}, {"vy", 0}, {"vz", 0}};
    Vector<std::pair<std::string, quad *>> parameters() {
        return {{"m", &m}, {"g", &g}, {"A", &A}, {"k", &k}, {"e", &e}, {"Fx", &Fx}};
    }
    quad kinetic(const Vector<quad> &, const Vector<quad> &v) const {
        return m / 2 * dot(v, v);
    }
    quad potential(const Vector<quad> &q) const {
        return m * g * q[2] + k / 2 * (q[0] * q[0] + q[1] * q[1]);
    }
    Vector<quad> applied(quad, const Vector<quad> &, const Vector<quad> &) const {
        return {Fx, 0, 0};
    }
    template <class S> Terms<S> evaluate(const S &, const Vector<S> &q, const Vector<S> &v) const {
        const quad pull = k / m;
        const S E = A * exponential(S((q[0] * q[0] + q[1] * q[1]) / quad(-2)));
        const S radial = q[0] * v[0] + q[1] * v[1];
        const Vector<S> J = {q[0] * E, q[1] * E, 1};
        return terms<S>({S(Fx / m) - pull * q[0], -pull * q[1], -g}, {J[0] / m, J[1] / m, 1 / m}, J, q[2] - E,
                        E * (v[0] * v[0] + v[1] * v[1] - radial * radial), v);
    }
};

} // namespace reference

#endif
