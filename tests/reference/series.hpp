// Truncated power series over quadruple precision: c[0] + c[1] s + ... + c[order] s^order + O(s^(order + 1)).
//
// The reference integrates by Taylor series, so that a step is its own dense output and events are roots of
// polynomials. Every operation keeps as many coefficients as its operands determine.

#ifndef REFERENCE_SERIES_HPP
#define REFERENCE_SERIES_HPP

#include <algorithm>
#include <array>
#include <quadmath.h>
#include <utility>

namespace reference {

using quad = __float128;

constexpr int MAX_ORDER = 48;

struct Series {
    std::array<quad, MAX_ORDER + 1> c{};
    int order = MAX_ORDER; // a constant is known to all orders

    Series() = default;
    Series(quad constant) {
        c[0] = constant;
    }
};

inline Series operator+(const Series &a, const Series &b) {
    Series sum;
    sum.order = std::min(a.order, b.order);
    for (int k = 0; k <= sum.order; k++)
        sum.c[k] = a.c[k] + b.c[k];
    return sum;
}

inline Series operator-(const Series &a, const Series &b) {
    Series difference;
    difference.order = std::min(a.order, b.order);
    for (int k = 0; k <= difference.order; k++)
        difference.c[k] = a.c[k] - b.c[k];
    return difference;
}

inline Series operator-(const Series &a) {
    return Series(0) - a;
}

inline Series operator*(const Series &a, const Series &b) {
    Series product;
    product.order = std::min(a.order, b.order);
    for (int k = 0; k <= product.order; k++)
        for (int j = 0; j <= k; j++)
            product.c[k] += a.c[j] * b.c[k - j];
    return product;
}

inline Series operator*(quad factor, Series a) {
    for (quad &coefficient : a.c)
        coefficient *= factor;
    return a;
}

inline Series operator/(Series a, quad divisor) {
    for (quad &coefficient : a.c)
        coefficient /= divisor;
    return a;
}

// From quotient * b = a, coefficient by coefficient.
inline Series operator/(const Series &a, const Series &b) {
    Series quotient;
    quotient.order = std::min(a.order, b.order);
    for (int k = 0; k <= quotient.order; k++) {
        quad rest = a.c[k];
        for (int j = 0; j < k; j++)
            rest -= quotient.c[j] * b.c[k - j];
        quotient.c[k] = rest / b.c[0];
    }
    return quotient;
}

// sin' = a' cos and cos' = -a' sin, coefficient by coefficient.
inline std::pair<Series, Series> sine_cosine(const Series &a) {
    Series sine(sinq(a.c[0]));
    Series cosine(cosq(a.c[0]));
    sine.order = cosine.order = a.order;
    for (int k = 1; k <= a.order; k++) {
        for (int j = 1; j <= k; j++) {
            sine.c[k] += j * a.c[j] * cosine.c[k - j];
            cosine.c[k] -= j * a.c[j] * sine.c[k - j];
        }
        sine.c[k] /= k;
        cosine.c[k] /= k;
    }
    return {sine, cosine};
}

inline std::pair<quad, quad> sine_cosine(quad a) {
    return {sinq(a), cosq(a)};
}

inline quad value(const Series &a, quad s) {
    quad sum = 0;
    for (int k = a.order; k >= 0; k--)
        sum = sum * s + a.c[k];
    return sum;
}

inline quad slope(const Series &a, quad s) {
    quad sum = 0;
    for (int k = a.order; k >= 1; k--)
        sum = sum * s + k * a.c[k];
    return sum;
}

// The same polynomial in s - origin, by repeated synthetic division.
inline Series moved(Series a, quad origin) {
    for (int i = 0; i < a.order; i++)
        for (int k = a.order - 1; k >= i; k--)
            a.c[k] += origin * a.c[k + 1];
    return a;
}

// a / s^count, for a series whose first `count` coefficients are zero but for rounding.
inline Series deflated(const Series &a, int count) {
    Series rest;
    rest.order = a.order - count;
    for (int k = 0; k <= rest.order; k++)
        rest.c[k] = a.c[k + count];
    return rest;
}

} // namespace reference

#endif
