/* What points receive by a law, summed in double. */

#pragma once
#include "laws.h"
#include "points.h"
#include "serve.h"

static double *result[3];

static void make_results(void) {
  for (int k = 0; k < 3; k++) result[k] = zeros(padded * sizeof(double));
}

/* Before a pass over the pairs. */
static void begin(void) {
  for (int k = 0; k < 3; k++) memset(result[k], 0, padded * sizeof(double));
}

/* After it: the factors of the targets, and the removal of a point's own term. */
static void finish(enum law law) {
  for (int i = 0; i < count; i++) {
    double f = factor(law, weight[i]);
    /* exp(0) times its weight; of vectors it is zero. */
    if (!is_vector(law)) result[0][i] -= weight[i];
    for (int k = 0; k < 3; k++) result[k][i] *= f;
  }
}

static double component(long k) { return result[k % 3][k / 3]; }
static double sum(long k) { return result[0][k]; }

static Output output_of(enum law law) {
  Output vectors = {'o', 3L * count, component}, numbers = {'o', count, sum};
  return is_vector(law) ? vectors : numbers;
}
