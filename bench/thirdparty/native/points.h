/* The points of a run, one array a coordinate, and what they receive, summed in double. Padded with points of no weight. */

#pragma once
#include <stdlib.h>
#include <string.h>

/* Sources in one block: float sums inside, double sums over blocks. Also what counts are padded to. */
#define BLOCK 256

static int count, padded;
static float *x, *y, *z, *weight, *radius;
static double *result[3];

static void *zeros(size_t bytes) {
  void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
  if (!memory) exit(3);
  return memset(memory, 0, bytes);
}

static void make_points(int n) {
  float **arrays[] = {&x, &y, &z, &weight, &radius};
  count = n, padded = (n + BLOCK - 1) / BLOCK * BLOCK;
  for (int k = 0; k < 5; k++) *arrays[k] = zeros(padded * sizeof(float));
  for (int k = 0; k < 3; k++) result[k] = zeros(padded * sizeof(double));
}
