/* All-pairs sums with vectors as wide as the compiler's flags say: every ordered pair, or each pair once. One, two or
   four vectors of targets at a time; `serve` takes the fastest of the three. */

#include "sums.h"

#define LOAD(array, at) (*(const V *)((array) + (at)))

/* Adds the lanes of a block's sums to the doubles of its targets. */
INLINE void collect(double *total, V block) {
  for (int l = 0; l < W; l++) total[l] += block[l];
}

#define UNROLL _Pragma("GCC unroll 4")

/* What R vectors of targets from `i` on receive from every source. */
INLINE void receive(const enum law law, const int R, int i) {
  for (int first = 0; first < count; first += BLOCK) {
    int last = first + BLOCK < count ? first + BLOCK : count;
    V tx[4], ty[4], tz[4];
    UNROLL for (int r = 0; r < R; r++) tx[r] = ty[r] = tz[r] = splat(0);
    for (int j = first; j < last; j++) {
      V xj = splat(x[j]), yj = splat(y[j]), zj = splat(z[j]), wj = splat(weight[j]), sj = splat(radius[j]);
      UNROLL for (int r = 0; r < R; r++) {
        int t = i + r * W;
        V dx = displacement(law, xj, LOAD(x, t), 0), dy = displacement(law, yj, LOAD(y, t), 1);
        V dz = displacement(law, zj, LOAD(z, t), 2);
        V c = core(law, wj, dx * dx + dy * dy + dz * dz, LOAD(radius, t), sj);
        if (is_vector(law)) tx[r] += c * dx, ty[r] += c * dy, tz[r] += c * dz;
        else tx[r] += c;
      }
    }
    UNROLL for (int r = 0; r < R; r++) {
      collect(result[0] + i + r * W, tx[r]);
      if (is_vector(law)) collect(result[1] + i + r * W, ty[r]), collect(result[2] + i + r * W, tz[r]);
    }
  }
}

/* One block of points against another, each pair once: targets in lanes, what sources receive in one vector each, added up
   over lanes at the end. A block against itself visits every ordered pair, and sources receive nothing. */
INLINE void block_pair(const enum law law, const int R, const int itself, int a, int b) {
  static V rx[BLOCK], ry[BLOCK], rz[BLOCK];
  if (!itself) memset(rx, 0, sizeof rx), memset(ry, 0, sizeof ry), memset(rz, 0, sizeof rz);
  for (int i = a; i < a + BLOCK; i += R * W) {
    V tx[4], ty[4], tz[4];
    UNROLL for (int r = 0; r < R; r++) tx[r] = ty[r] = tz[r] = splat(0);
    for (int j = b; j < b + BLOCK; j++) {
      V xj = splat(x[j]), yj = splat(y[j]), zj = splat(z[j]), wj = splat(weight[j]), sj = splat(radius[j]);
      V ox = splat(0), oy = splat(0), oz = splat(0);
      UNROLL for (int r = 0; r < R; r++) {
        int t = i + r * W;
        V dx = displacement(law, xj, LOAD(x, t), 0), dy = displacement(law, yj, LOAD(y, t), 1);
        V dz = displacement(law, zj, LOAD(z, t), 2);
        V f = core(law, itself ? wj : splat(1), dx * dx + dy * dy + dz * dz, LOAD(radius, t), sj);
        V c = itself ? f : f * wj, d = f * LOAD(weight, t);
        if (is_vector(law)) {
          tx[r] += c * dx, ty[r] += c * dy, tz[r] += c * dz;
          ox += d * dx, oy += d * dy, oz += d * dz;
        } else tx[r] += c, ox -= d;
      }
      if (itself) continue;
      rx[j - b] -= ox;
      if (is_vector(law)) ry[j - b] -= oy, rz[j - b] -= oz;
    }
    UNROLL for (int r = 0; r < R; r++) {
      collect(result[0] + i + r * W, tx[r]);
      if (is_vector(law)) collect(result[1] + i + r * W, ty[r]), collect(result[2] + i + r * W, tz[r]);
    }
  }
  for (int k = 0; k < (itself ? 0 : BLOCK); k++)
    for (int l = 0; l < W; l++) {
      result[0][b + k] += rx[k][l];
      if (is_vector(law)) result[1][b + k] += ry[k][l], result[2][b + k] += rz[k][l];
    }
}

INLINE void each_once(const enum law law, const int R) {
  for (int a = 0; a < padded; a += BLOCK) {
    block_pair(law, R, 1, a, a);
    for (int b = a + BLOCK; b < padded; b += BLOCK) block_pair(law, R, 0, a, b);
  }
}

/* A function for each law, loop and number of registers: constants where the loops above have arguments. Compiled with
   OpenMP, threads share the targets. */
#define EVERY(law, R)                                                                                                  \
  static void law##_every_##R(void) {                                                                                  \
    begin();                                                                                                           \
    _Pragma("omp parallel for schedule(dynamic, 4)") for (int i = 0; i < padded; i += R * W) receive(law, R, i);       \
    finish(law);                                                                                                       \
  }
#define ONCE(law, R)                                                                                                   \
  static void law##_once_##R(void) { begin(), each_once(law, R), finish(law); }
#define LOOPS(law) EVERY(law, 1) EVERY(law, 2) EVERY(law, 4) ONCE(law, 1) ONCE(law, 2) ONCE(law, 4)
#define NAMES(law)                                                                                                     \
  {{law##_every_1, law##_every_2, law##_every_4}, {law##_once_1, law##_once_2, law##_once_4}}

LOOPS(GRAVITY)
LOOPS(COULOMB)
LOOPS(LENNARD_JONES)
LOOPS(GAUSSIAN)

static Loop *const loops[][2][3] = {NAMES(GRAVITY), NAMES(COULOMB), NAMES(LENNARD_JONES), NAMES(GAUSSIAN)};

int main(int argc, char **argv) {
  need(lacking());
  Run run = read_run(argc, argv);
  make_results();
  Output output = output_of(run.what);
  return serve(loops[run.what][run.once], 3, &output, 1);
}
