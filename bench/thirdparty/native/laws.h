/* The laws, as a physicist would write them for speed: what is common to both points of a pair, apart from the factors
   that belong to one point. With f = core(1, ...): the target receives factor_i * sum_j (weight_j * f * displacement),
   and the source the same with the roles exchanged and the opposite displacement. */

#pragma once
#include "serve.h"

enum law { GRAVITY, COULOMB, LENNARD_JONES, GAUSSIAN };

/* Parameters by law: gravity: G, softening; Coulomb: k; Lennard-Jones: cutoff, box x, y, z; Gaussian: height, width. */

/* Whether results are vectors along the displacement, or one number. */
INLINE int is_vector(enum law law) { return law != GAUSSIAN; }

/* `numerator` times what both points share; `radius` is the law's second attribute. */
INLINE V core(enum law law, V numerator, V r2, V radius_i, V radius_j) {
  switch (law) {
  case GRAVITY: {
    V s = r2 + parameter[1] * parameter[1];
    return numerator / (s * root(s));
  }
  case COULOMB: {
    /* A point and itself: finite, and multiplied by a displacement of 0. */
    V s = larger(r2, splat((real)1e-20));
    return numerator / (s * root(s));
  }
  case LENNARD_JONES: {
    V radius = radius_i + radius_j, inverse = 1 / r2, s2 = radius * radius * inverse, s6 = s2 * s2 * s2;
    return where_between(r2, splat(0), splat(parameter[0] * parameter[0]), numerator * inverse * s6 * (2 * s6 - 1));
  }
  case GAUSSIAN: return numerator * exponential(r2 * ((real)-0.5 / (parameter[1] * parameter[1])));
  }
  return numerator;
}

/* The displacement to the nearest image; `edge` is the box along this axis. */
INLINE V displacement(enum law law, V source, V target, int axis) {
  V d = source - target;
  if (law != LENNARD_JONES) return d;
  real edge = parameter[1 + axis];
  return d - edge * nearest_whole(d * (1 / edge));
}

/* The factor of a point with this weight, applied once. */
static double factor(enum law law, double weight) {
  switch (law) {
  case GRAVITY: return parameter[0];
  case COULOMB: return -parameter[0] * weight;
  case LENNARD_JONES: return -24 * weight;
  case GAUSSIAN: return parameter[0] * weight;
  }
  return 1;
}
