/* Softened gravity over all ordered pairs, and each pair once, with vector intrinsics: what the generated WebAssembly is
   held against. The width follows from the compiler's flags: AVX2 with -mavx2, else 128 bits.

   usage: gravity <points> <passes>     prints the milliseconds of each pass, plain and once, one pass a line */

#include <immintrin.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __AVX2__
#define W 8
typedef __m256 V;
#define LOAD _mm256_loadu_ps
#define STORE _mm256_storeu_ps
#define SET _mm256_set1_ps
#define ADD _mm256_add_ps
#define SUB _mm256_sub_ps
#define MUL _mm256_mul_ps
#define DIV _mm256_div_ps
#define SQRT _mm256_sqrt_ps
#else
#define W 4
typedef __m128 V;
#define LOAD _mm_loadu_ps
#define STORE _mm_storeu_ps
#define SET _mm_set1_ps
#define ADD _mm_add_ps
#define SUB _mm_sub_ps
#define MUL _mm_mul_ps
#define DIV _mm_div_ps
#define SQRT _mm_sqrt_ps
#endif

static const float softening2 = 0.0025f;
static float *x, *y, *z, *m, *ax, *ay, *az;

#define PAIR(j)                                                                                                        \
  V dx = SUB(SET(x[j]), xi), dy = SUB(SET(y[j]), yi), dz = SUB(SET(z[j]), zi);                                         \
  V s = ADD(ADD(ADD(SET(softening2), MUL(dx, dx)), MUL(dy, dy)), MUL(dz, dz));

static void plain(int n) {
  for (int i = 0; i < n; i += W) {
    V xi = LOAD(x + i), yi = LOAD(y + i), zi = LOAD(z + i), tx = SET(0), ty = SET(0), tz = SET(0);
    for (int j = 0; j < n; j++) {
      PAIR(j)
      V c = DIV(SET(m[j]), MUL(s, SQRT(s)));
      tx = ADD(tx, MUL(c, dx)), ty = ADD(ty, MUL(c, dy)), tz = ADD(tz, MUL(c, dz));
    }
    STORE(ax + i, tx), STORE(ay + i, ty), STORE(az + i, tz);
  }
}

/* Blocks of points: targets in lanes, what sources receive in one vector each, added up over lanes at the end. */
#define BLOCK 256
static void once(int n) {
  static V rx[BLOCK], ry[BLOCK], rz[BLOCK];
  memset(ax, 0, n * sizeof *ax), memset(ay, 0, n * sizeof *ay), memset(az, 0, n * sizeof *az);
  for (int a = 0; a < n; a += BLOCK)
    for (int b = a; b < n; b += BLOCK) {
      memset(rx, 0, sizeof rx), memset(ry, 0, sizeof ry), memset(rz, 0, sizeof rz);
      for (int i = a; i < a + BLOCK; i += W) {
        V xi = LOAD(x + i), yi = LOAD(y + i), zi = LOAD(z + i), mi = LOAD(m + i), tx = SET(0), ty = SET(0), tz = SET(0);
        for (int j = b; j < b + BLOCK; j++) {
          PAIR(j)
          V w = DIV(SET(1), MUL(s, SQRT(s)));
          V c = MUL(SET(m[j]), w), d = MUL(mi, w);
          tx = ADD(tx, MUL(c, dx)), ty = ADD(ty, MUL(c, dy)), tz = ADD(tz, MUL(c, dz));
          if (a == b) continue;
          int k = j - b;
          rx[k] = SUB(rx[k], MUL(d, dx)), ry[k] = SUB(ry[k], MUL(d, dy)), rz[k] = SUB(rz[k], MUL(d, dz));
        }
        STORE(ax + i, ADD(LOAD(ax + i), tx)), STORE(ay + i, ADD(LOAD(ay + i), ty)), STORE(az + i, ADD(LOAD(az + i), tz));
      }
      if (a != b)
        for (int k = 0; k < BLOCK; k++)
          for (int l = 0; l < W; l++)
            ax[b + k] += ((float *)&rx[k])[l], ay[b + k] += ((float *)&ry[k])[l], az[b + k] += ((float *)&rz[k])[l];
    }
}

static double milliseconds(void (*pass)(int), int n) {
  struct timespec from, to;
  clock_gettime(CLOCK_MONOTONIC, &from);
  pass(n);
  clock_gettime(CLOCK_MONOTONIC, &to);
  return (to.tv_sec - from.tv_sec) * 1e3 + (to.tv_nsec - from.tv_nsec) * 1e-6;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 4096, passes = argc > 2 ? atoi(argv[2]) : 3;
  float **arrays[] = {&x, &y, &z, &m, &ax, &ay, &az};
  if (n % BLOCK) return fprintf(stderr, "points expected a multiple of %d, got %d\n", BLOCK, n), 2;
  for (int k = 0; k < 7; k++) *arrays[k] = calloc(n, sizeof(float));
  for (int i = 0; i < n; i++) {
    x[i] = fmod(3 * i * 0.6180339887498949, 1), y[i] = fmod((3 * i + 1) * 0.6180339887498949, 1);
    z[i] = fmod((3 * i + 2) * 0.6180339887498949, 1), m[i] = 1.0f / n;
  }
  for (int pass = 0; pass < passes; pass++) printf("%f %f\n", milliseconds(plain, n), milliseconds(once, n));
  return ax[0] == 12345;
}
