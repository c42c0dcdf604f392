/* What there is beside sums, with vectors as wide as the compiler's flags say: the nearest point, the nearest k, the
   logarithm of a sum of exponentials, and a whole matrix. No point is a source of its own. */

#include "serve.h"
#include "vector.h"

enum task { ARGMIN, LOGSUMEXP, NEAREST, MATRIX };

#define LOAD(array, at) (*(const V *)((array) + (at)))
#define UNROLL _Pragma("GCC unroll 4")
#define TARGETS(step) _Pragma("omp parallel for schedule(dynamic, 4)") for (int i = 0; i < count; i += step)

/* Results of all targets, `width` each. */
static float *value;
static int *indices;
static int width = 1;

/* Lanes of `yes` where the mask is set, of `no` elsewhere. */
INLINE V chosen(I mask, V yes, V no) { return (V)((mask & (I)yes) | (~mask & (I)no)); }

INLINE V squared_distance(int j, int i) {
  V dx = splat(x[j]) - LOAD(x, i), dy = splat(y[j]) - LOAD(y, i), dz = splat(z[j]) - LOAD(z, i);
  return dx * dx + dy * dy + dz * dz;
}

/* The lanes' own numbers from i on. */
INLINE I numbers(int i) {
  I own;
  for (int l = 0; l < W; l++) own[l] = i + l;
  return own;
}

/* Runs `visit`, in which j, r and r2 are known, for R vectors of targets from i on and sources from `first` to before
   `last`; r2 is infinite between a point and itself. */
#define VISIT(R, i, first, last, visit)                                                                                \
  for (int j = first; j < last; j++) {                                                                                 \
    int near = j >= i && j < i + R * W;                                                                                \
    UNROLL for (int r = 0; r < R; r++) {                                                                               \
      V r2 = squared_distance(j, i + r * W);                                                                           \
      if (__builtin_expect(near, 0)) r2 = chosen(numbers(i + r * W) == j, splat(INFINITY), r2);                        \
      visit                                                                                                            \
    }                                                                                                                  \
  }

INLINE void argmin_of(const int R, int i) {
  V least[4];
  I at[4];
  UNROLL for (int r = 0; r < R; r++) least[r] = splat(INFINITY), at[r] = (I){0} - 1;
  VISIT(R, i, 0, count, {
    I closer = r2 < least[r];
    least[r] = smaller(r2, least[r]);
    at[r] = (closer & j) | (~closer & at[r]);
  })
  for (int t = 0; t < R * W && i + t < count; t++) value[i + t] = least[t / W][t % W], indices[i + t] = at[t / W][t % W];
}

/* First the largest term, then the sum relative to it, in blocks. */
INLINE void logsumexp_of(const int R, int i) {
  V least[4];
  double total[4 * W];
  memset(total, 0, sizeof total);
  UNROLL for (int r = 0; r < R; r++) least[r] = splat(INFINITY);
  VISIT(R, i, 0, count, { least[r] = smaller(r2, least[r]); })
  for (int first = 0; first < count; first += BLOCK) {
    int last = first + BLOCK < count ? first + BLOCK : count;
    V block[4];
    UNROLL for (int r = 0; r < R; r++) block[r] = splat(0);
    VISIT(R, i, first, last, { block[r] += exponential(least[r] - r2); })
    for (int t = 0; t < R * W; t++) total[t] += block[t / W][t % W];
  }
  for (int t = 0; t < R * W && i + t < count; t++) value[i + t] = log(total[t]) - least[t / W][t % W];
}

/* Sources in lanes: most of them are farther than the k known, which one comparison tells of W at once. */
static void nearest_of(int i) {
  float *distance = value + (size_t)i * width;
  int *at = indices + (size_t)i * width;
  for (int k = 0; k < width; k++) distance[k] = INFINITY, at[k] = -1;
  const V xi = splat(x[i]), yi = splat(y[i]), zi = splat(z[i]);
  for (int j = 0; j < count; j += W) {
    V dx = LOAD(x, j) - xi, dy = LOAD(y, j) - yi, dz = LOAD(z, j) - zi, r2 = dx * dx + dy * dy + dz * dz;
    for (int lanes = lanes_below(r2, splat(distance[width - 1])); lanes; lanes &= lanes - 1) {
      int l = __builtin_ctz(lanes), place = width - 1;
      if (j + l == i || j + l >= count || !(r2[l] < distance[place])) continue;
      for (; place > 0 && distance[place - 1] > r2[l]; place--) distance[place] = distance[place - 1], at[place] = at[place - 1];
      distance[place] = r2[l], at[place] = j + l;
    }
  }
  for (int k = 0; k < width; k++) distance[k] = sqrtf(distance[k]);
}

static void row_of(int i) {
  float *row = value + (size_t)i * count;
  const V xi = splat(x[i]), yi = splat(y[i]), zi = splat(z[i]);
  for (int j = 0; j < count; j += W) {
    V dx = LOAD(x, j) - xi, dy = LOAD(y, j) - yi, dz = LOAD(z, j) - zi;
    V e = exponential(-(dx * dx + dy * dy + dz * dz));
    memcpy(row + j, &e, (count - j < W ? count - j : W) * sizeof(float));
  }
  row[i] = 0;
}

#define BLOCKED(task, R)                                                                                               \
  static void task##_##R(void) { TARGETS(R * W) task##_of(R, i); }
BLOCKED(argmin, 1) BLOCKED(argmin, 2) BLOCKED(argmin, 4)
BLOCKED(logsumexp, 1) BLOCKED(logsumexp, 2) BLOCKED(logsumexp, 4)
static void nearest(void) { TARGETS(1) nearest_of(i); }
static void matrix(void) { TARGETS(1) row_of(i); }

static Loop *const loops[][3] = {
  {argmin_1, argmin_2, argmin_4}, {logsumexp_1, logsumexp_2, logsumexp_4}, {nearest}, {matrix}};

static double value_at(long k) { return value[k]; }
static double index_at(long k) { return indices[k]; }

int main(int argc, char **argv) {
  need(lacking());
  Run run = read_run(argc, argv);
  if (run.what == NEAREST) width = parameter[0];
  if (run.what == MATRIX) width = count;
  value = zeros((size_t)padded * width * sizeof(float));
  indices = zeros((size_t)padded * (run.what == MATRIX ? 1 : width) * sizeof(int));
  long total = (long)count * width;
  const Output outputs[] = {{'o', total, value_at}, {'i', run.what == MATRIX ? 0 : total, index_at}};
  return serve(loops[run.what], run.what < NEAREST ? 3 : 1, outputs, 2);
}
