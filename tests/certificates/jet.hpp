// Short power series over quadruple precision for the short flights of a cascade: c[0] + c[1] s + ... + O(s^(order+1)).
//
// The same algebra as ../reference/series.hpp, so that the systems' equations take either; but a series knows where its
// coefficients end, so that constants and polynomials cost what they must.

#ifndef CERTIFICATES_JET_HPP
#define CERTIFICATES_JET_HPP

#include "../reference/series.hpp"

namespace certificates {

using reference::quad;

struct Jet {
    static constexpr int HIGHEST_ORDER = 40;
    std::array<quad, HIGHEST_ORDER + 1> c; // those beyond `degree` are zero and not written
    int degree = 0;
    int order = HIGHEST_ORDER; // a constant is known to all orders

    Jet() {
        c[0] = 0;
    }
    Jet(quad constant) {
        c[0] = constant;
    }
    Jet(const Jet &other) : degree(other.degree), order(other.order) {
        std::copy_n(other.c.begin(), degree + 1, c.begin());
    }
    Jet &operator=(const Jet &other) {
        degree = other.degree;
        order = other.order;
        std::copy_n(other.c.begin(), degree + 1, c.begin());
        return *this;
    }
    // c[k], also where it isn't stored.
    quad at(int k) const {
        return k <= degree ? c[k] : 0;
    }
    // Appends the next coefficient.
    void append(quad coefficient) {
        c[++degree] = coefficient;
        order = degree;
    }
};

// An empty result with the order that a and b determine, and at most the given degree.
inline Jet result_of(const Jet &a, const Jet &b, int degree) {
    Jet result;
    result.order = std::min(a.order, b.order);
    result.degree = std::min(result.order, degree);
    return result;
}

inline Jet operator+(const Jet &a, const Jet &b) {
    Jet sum = result_of(a, b, std::max(a.degree, b.degree));
    for (int k = 0; k <= sum.degree; k++)
        sum.c[k] = a.at(k) + b.at(k);
    return sum;
}

inline Jet operator*(quad factor, Jet a) {
    for (int k = 0; k <= a.degree; k++)
        a.c[k] *= factor;
    return a;
}

inline Jet operator/(Jet a, quad divisor) {
    for (int k = 0; k <= a.degree; k++)
        a.c[k] /= divisor;
    return a;
}

inline Jet operator-(const Jet &a) {
    return quad(-1) * a;
}

inline Jet operator-(const Jet &a, const Jet &b) {
    return a + -b;
}

inline Jet operator*(const Jet &a, const Jet &b) {
    Jet product = result_of(a, b, a.degree + b.degree);
    for (int k = 0; k <= product.degree; k++) {
        quad sum = 0;
        for (int j = std::max(0, k - b.degree); j <= std::min(k, a.degree); j++)
            sum += a.c[j] * b.c[k - j];
        product.c[k] = sum;
    }
    return product;
}

// From quotient * b = a, coefficient by coefficient.
inline Jet operator/(const Jet &a, const Jet &b) {
    Jet quotient = result_of(a, b, b.degree == 0 ? a.degree : Jet::HIGHEST_ORDER);
    for (int k = 0; k <= quotient.degree; k++) {
        quad rest = a.at(k);
        for (int j = std::max(0, k - b.degree); j < k; j++)
            rest -= quotient.c[j] * b.c[k - j];
        quotient.c[k] = rest / b.c[0];
    }
    return quotient;
}

// sin' = a' cos and cos' = -a' sin, coefficient by coefficient.
inline std::pair<Jet, Jet> sine_cosine(const Jet &a) {
    Jet sine(sinq(a.c[0])), cosine(cosq(a.c[0]));
    sine.order = cosine.order = a.order;
    if (a.degree == 0) return {sine, cosine};
    sine.degree = cosine.degree = a.order;
    for (int k = 1; k <= a.order; k++) {
        quad up = 0, down = 0;
        for (int j = 1; j <= std::min(k, a.degree); j++) {
            up += j * a.c[j] * cosine.c[k - j];
            down += j * a.c[j] * sine.c[k - j];
        }
        sine.c[k] = up / k;
        cosine.c[k] = -down / k;
    }
    return {sine, cosine};
}

// exp' = a' exp, coefficient by coefficient.
inline Jet exponential(const Jet &a) {
    Jet power(expq(a.c[0]));
    power.order = a.order;
    if (a.degree == 0) return power;
    power.degree = a.order;
    for (int k = 1; k <= a.order; k++) {
        quad sum = 0;
        for (int j = 1; j <= std::min(k, a.degree); j++)
            sum += j * a.c[j] * power.c[k - j];
        power.c[k] = sum / k;
    }
    return power;
}

inline quad value(const Jet &a, quad s) {
    quad sum = 0;
    for (int k = a.degree; k >= 0; k--)
        sum = sum * s + a.c[k];
    return sum;
}

inline quad slope(const Jet &a, quad s) {
    quad sum = 0;
    for (int k = a.degree; k >= 1; k--)
        sum = sum * s + k * a.c[k];
    return sum;
}

// The coefficients from c[from] on, for reference::first_root.
inline reference::Series series_from(const Jet &a, int from) {
    reference::Series series;
    series.order = std::max(0, a.degree - from);
    for (int k = from; k <= a.degree; k++)
        series.c[k - from] = a.c[k];
    return series;
}

} // namespace certificates

#endif
