// The laws of the CUDA rivals, written by hand as an expert would. A target gets the sum of d * coefficient(weight(source), pair),
// times scale(target). But for the weight, the coefficient is the same for both points of a pair.
// Sums of squares begin with the constant, which saves an addition by fusing all of it.
#pragma once
#include <cuda_runtime.h>

// a = G m_j d / (r^2 + eps^2)^(3/2)
struct Gravity {
  static constexpr bool hasExtra = false;
  struct Target {};
  float softening2 = 0.05f * 0.05f;

  __device__ Target target(float4, float2) const { return {}; }
  __device__ float4 source(float4 p) const { return p; }
  __device__ float2 sourceExtra(float2 e) const { return e; }
  __device__ float scale(Target) const { return 1.0f; }
  __device__ float weight(float4 s, float2) const { return s.w; }
  __device__ float coefficient(float weight, float& dx, float& dy, float& dz, float2, Target) const {
    const float inverse = rsqrtf(fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, softening2))));
    return (weight * inverse) * (inverse * inverse);
  }
};

// F = -k q_i q_j d / r^3, nothing from coincident points
struct Coulomb {
  static constexpr bool hasExtra = false;
  struct Target {
    float charge;
  };

  __device__ Target target(float4 p, float2) const { return {p.w}; }
  __device__ float4 source(float4 p) const { return p; }
  __device__ float2 sourceExtra(float2 e) const { return e; }
  __device__ float scale(Target t) const { return -t.charge; }
  __device__ float weight(float4 s, float2) const { return s.w; }
  __device__ float coefficient(float weight, float& dx, float& dy, float& dz, float2, Target) const {
    const float r2 = dx * dx + dy * dy + dz * dz;
    const float inverse = rsqrtf(r2 > 0.0f ? r2 : 1.0f);
    return (weight * inverse) * (inverse * inverse);
  }
};

// F = 24 eps (s^6 - 2 s^12) d / r^2 with s = sigma / r, nearest images in a cubic box, cut off
struct LennardJones {
  static constexpr bool hasExtra = true;
  struct Target {
    float halfSigma, scale;
  };
  float box, inverseBox, cutoff2;

  __device__ Target target(float4, float2 e) const { return {0.5f * e.x, 24.0f * sqrtf(e.y)}; }
  __device__ float4 source(float4 p) const { return p; }
  __device__ float2 sourceExtra(float2 e) const { return make_float2(0.5f * e.x, sqrtf(e.y)); }
  __device__ float scale(Target t) const { return t.scale; }
  __device__ float weight(float4, float2 e) const { return e.y; }
  __device__ float coefficient(float weight, float& dx, float& dy, float& dz, float2 e, Target t) const {
    dx -= box * rintf(inverseBox * dx);
    dy -= box * rintf(inverseBox * dy);
    dz -= box * rintf(inverseBox * dz);
    return apart(weight, dx, dy, dz, e, t);
  }
  // The same for the displacement to the nearest image.
  __device__ float apart(float weight, float dx, float dy, float dz, float2 e, Target t) const {
    const float r2 = dx * dx + dy * dy + dz * dz;
    const float inverse2 = __fdividef(1.0f, r2 > 0.0f ? r2 : 1.0f);
    const float sigma = e.x + t.halfSigma;
    const float s2 = sigma * sigma * inverse2;
    const float s6 = s2 * s2 * s2;
    const float w = (weight * (1.0f - 2.0f * s6)) * (s6 * inverse2);
    return r2 <= cutoff2 ? w : 0.0f;
  }
};
