/* The points of a run, one array a coordinate. Padded with points of no weight. */

#pragma once
#include <stdlib.h>
#include <string.h>
#include "vector.h"

/* Sources in one block: sums of reals inside, of doubles over blocks. Also what counts are padded to. */
#define BLOCK 256

static int count, padded;
static real *x, *y, *z, *weight, *radius;

static void *zeros(size_t bytes) {
  void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
  if (!memory) exit(3);
  return memset(memory, 0, bytes);
}

static void make_points(int n) {
  real **arrays[] = {&x, &y, &z, &weight, &radius};
  count = n, padded = (n + BLOCK - 1) / BLOCK * BLOCK;
  for (int k = 0; k < 5; k++) *arrays[k] = zeros(padded * sizeof(real));
}
