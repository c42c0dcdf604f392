/* Vectors of reals, as wide as the compiler's flags allow: 64 bytes with AVX-512, 32 with AVX2, else 16; of floats, or with
   DOUBLE of doubles. GCC and Clang write +, -, *, / and comparisons of them as instructions;
   the rest is here. */

#pragma once
#include <math.h>

#define INLINE static inline __attribute__((always_inline))

#ifdef DOUBLE
typedef double real;
typedef long long whole;
#else
typedef float real;
typedef int whole;
#endif

#include <immintrin.h>

#ifdef DOUBLE
#define NAMED(prefix, name) prefix##_##name##_pd
#else
#define NAMED(prefix, name) prefix##_##name##_ps
#endif

#if defined(__AVX512F__)
#define BYTES 64
#define OP(name) NAMED(_mm512, name)
#define ROUND OP(roundscale)
#elif defined(__AVX2__)
#define BYTES 32
#define OP(name) NAMED(_mm256, name)
#define ROUND OP(round)
#else
#define BYTES 16
#define OP(name) NAMED(_mm, name)
#define ROUND OP(round)
#endif

/* Lanes. */
#define W ((int)(BYTES / sizeof(real)))

typedef real V __attribute__((vector_size(BYTES)));
typedef whole I __attribute__((vector_size(BYTES)));

INLINE V splat(real x) { return x - (V){0}; }
INLINE V root(V x) { return OP(sqrt)(x); }
INLINE V larger(V x, V y) { return OP(max)(x, y); }
INLINE V smaller(V x, V y) { return OP(min)(x, y); }
INLINE V nearest_whole(V x) { return ROUND(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }

#if BYTES == 64 && !defined(DOUBLE)
/* Comparisons as mask registers: turning them into lanes of ones costs more than it saves. */
INLINE V where_between(V x, V above, V upto, V value) {
  __mmask16 keep = _mm512_cmp_ps_mask(x, above, _CMP_GT_OQ) & _mm512_cmp_ps_mask(x, upto, _CMP_LE_OQ);
  return _mm512_maskz_mov_ps(keep, value);
}
INLINE int lanes_below(V x, V y) { return _mm512_cmp_ps_mask(x, y, _CMP_LT_OQ); }
#else
/* `value` where `above < x <= upto`, else 0, whatever `value` is there. */
INLINE V where_between(V x, V above, V upto, V value) { return (V)((x > above) & (x <= upto) & (I)value); }
#if BYTES < 64
/* A bit for each lane in which x < y. */
INLINE int lanes_below(V x, V y) { return OP(movemask)((V)(x < y)); }
#endif
#endif

#ifdef DOUBLE
INLINE V exponential(V x) {
  for (int l = 0; l < W; l++) x[l] = exp(x[l]);
  return x;
}
#else
/* exp for x <= 0, to float32 accuracy: 2^n exp(r) with |r| <= ln(2)/2. Below -87 the result is as at -87.
   Source: S. L. Moshier, Cephes, expf. */
INLINE V exponential(V x) {
  const V whole = splat(12582912 + 127); /* 1.5 * 2^23, and the bias of the exponent */
  x = larger(x, splat(-87));
  V bits = x * 1.44269504f + whole, n = bits - whole;
  V r = (x - n * 0.693359375f) - n * -2.12194440e-4f;
  V p = ((((1.9875691500e-4f * r + 1.3981999507e-3f) * r + 8.3334519073e-3f) * r + 4.1665795894e-2f) * r +
         1.6666665459e-1f) * r + 5.0000001201e-1f;
  return (p * (r * r) + r + 1) * (V)((I)bits << 23);
}
#endif

/* What a program says that was compiled for another processor, or null. */
__attribute__((unused)) static const char *lacking(void) {
#if defined(__AVX512F__)
  if (!__builtin_cpu_supports("avx512f")) return "AVX-512";
#elif defined(__AVX2__)
  if (!__builtin_cpu_supports("avx2")) return "AVX2";
#endif
  return 0;
}
