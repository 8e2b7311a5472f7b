// The first root of a polynomial in an interval, without missing one.

#ifndef REFERENCE_ROOTS_HPP
#define REFERENCE_ROOTS_HPP

#include "series.hpp"

#include <optional>
#include <stdexcept>

namespace reference {

// The root of p in [low, high], where p is monotone and changes sign: Newton's method, kept inside by bisection.
inline quad root_of_monotone(const Series &p, quad low, quad high) {
    const bool rising = value(p, low) < 0;
    quad root = (low + high) / 2;
    for (int i = 0; i < 400; i++) {
        const quad residual = value(p, root);
        if (residual == 0) break;
        if ((residual < 0) == rising)
            low = root;
        else
            high = root;
        quad next = root - residual / slope(p, root);
        if (!(next > low && next < high)) next = (low + high) / 2;
        if (fabsq(next - root) <= 2 * FLT128_EPSILON * fabsq(root)) return next;
        root = next;
    }
    return root;
}

// The first root of p in (low, high]. With p moved to the middle of the interval and r its half width,
//   |c0| > sum |ck| r^k            excludes a root,
//   |c1| > sum k |ck| r^(k - 1)    makes p monotone;
// where neither holds the interval is halved. A double root ends in an error: it is a grazing contact, at which the
// execution isn't continuous in its data and no reference can be given.
inline std::optional<quad> first_root(const Series &p, quad low, quad high, int depth = 0) {
    if (depth > 80) throw std::runtime_error("a double root: grazing contact");
    const quad middle = (low + high) / 2;
    const quad r = (high - low) / 2;
    const Series near = moved(p, middle);
    quad rest = 0, rest_of_slope = 0, power = 1;
    for (int k = 1; k <= near.order; k++) {
        if (k >= 2) rest_of_slope += k * fabsq(near.c[k]) * power;
        power *= r;
        rest += fabsq(near.c[k]) * power;
    }
    if (fabsq(near.c[0]) > rest) return std::nullopt;
    if (fabsq(near.c[1]) > rest_of_slope) {
        const quad at_low = value(p, low), at_high = value(p, high);
        if ((at_low > 0) == (at_high > 0)) return std::nullopt;
        return root_of_monotone(p, low, high);
    }
    if (const auto root = first_root(p, low, middle, depth + 1)) return root;
    return first_root(p, middle, high, depth + 1);
}

} // namespace reference

#endif
