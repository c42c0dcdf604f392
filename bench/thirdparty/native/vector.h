/* Vectors of floats as wide as the compiler's flags allow: 16 with AVX-512, 8 with AVX2, else 4; or with SCALAR, plain
   floats. GCC and Clang write +, -, *, / and comparisons of them as instructions; the rest is here. */

#pragma once
#include <math.h>

#define INLINE static inline __attribute__((always_inline))

#ifdef SCALAR

typedef float V;
INLINE V splat(float x) { return x; }
INLINE V root(V x) { return sqrtf(x); }
INLINE V larger(V x, V y) { return x > y ? x : y; }
INLINE V nearest_whole(V x) { return rintf(x); }
INLINE V where_between(V x, V above, V upto, V value) { return x > above && x <= upto ? value : 0; }
INLINE V exponential(V x) { return expf(x); }

#else
#include <immintrin.h>

#if defined(__AVX512F__)
#define W 16
#elif defined(__AVX2__)
#define W 8
#else
#define W 4
#endif

typedef float V __attribute__((vector_size(4 * W)));
typedef int I __attribute__((vector_size(4 * W)));

INLINE V splat(float x) { return x - (V){0}; }

#if W == 16
INLINE V root(V x) { return _mm512_sqrt_ps(x); }
INLINE V larger(V x, V y) { return _mm512_max_ps(x, y); }
INLINE V nearest_whole(V x) { return _mm512_roundscale_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
/* The comparison as a mask register: turning it into lanes of ones costs more than it saves. */
INLINE V where_between(V x, V above, V upto, V value) {
  __mmask16 keep = _mm512_cmp_ps_mask(x, above, _CMP_GT_OQ) & _mm512_cmp_ps_mask(x, upto, _CMP_LE_OQ);
  return _mm512_maskz_mov_ps(keep, value);
}
#else
#if W == 8
INLINE V root(V x) { return _mm256_sqrt_ps(x); }
INLINE V larger(V x, V y) { return _mm256_max_ps(x, y); }
INLINE V nearest_whole(V x) { return _mm256_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
#else
INLINE V root(V x) { return _mm_sqrt_ps(x); }
INLINE V larger(V x, V y) { return _mm_max_ps(x, y); }
INLINE V nearest_whole(V x) { return _mm_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
#endif
/* `value` where `above < x <= upto`, else 0, whatever `value` is there. */
INLINE V where_between(V x, V above, V upto, V value) { return (V)((x > above) & (x <= upto) & (I)value); }
#endif

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
