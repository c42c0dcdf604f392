// Each pair once: both points of a pair get their share of one evaluation. Blocks of points meet each other block that is up to half
// of all blocks ahead. The threads of a warp hold targets in registers and pass sources around by shuffles, with what each
// source has received so far. What a block gives to another goes to a slot, and a second kernel adds up the slots of each point.
#pragma once
#include <cuda_runtime.h>

// Blocks ahead, its own included, and how many of them one thread block visits.
struct Ahead {
  int blocks;
  int each;
};

template <class Law, int Width, int Targets>
__global__ void __launch_bounds__(Width)
once(const float4* __restrict__ point, const float2* __restrict__ extra, float4* __restrict__ slots, int n, Ahead ahead,
     Law law) {
  constexpr int size = Width * Targets, groups = size / 32, warps = Width / 32;
  __shared__ float4 there[size], received[size];
  __shared__ float2 thereExtra[Law::hasExtra ? size : 1];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, next = (lane + 1) % 32;
  const int blocks = n / size, here = blockIdx.x * size + threadIdx.x;

  typename Law::Target target[Targets];
  float x[Targets], y[Targets], z[Targets], own[Targets], ax[Targets], ay[Targets], az[Targets];
#pragma unroll
  for (int r = 0; r < Targets; r++) {
    const int i = here + r * Width;
    const float4 p = point[i];
    const float2 e = Law::hasExtra ? extra[i] : float2{};
    x[r] = p.x, y[r] = p.y, z[r] = p.z;
    target[r] = law.target(p, e);
    own[r] = law.weight(law.source(p), law.sourceExtra(e));
    ax[r] = ay[r] = az[r] = 0.0f;
  }

  const int first = blockIdx.y * ahead.each;
  for (int k = first; k < min(first + ahead.each, ahead.blocks); k++) {
    const int other = (blockIdx.x + k) % blocks;
    // Two blocks opposite each other meet twice, and a block meets itself in both directions.
    const bool both = k > 0 && 2 * k != blocks;
    __syncthreads();
#pragma unroll
    for (int r = 0; r < Targets; r++) {
      const int at = threadIdx.x + r * Width, j = other * size + at;
      there[at] = law.source(point[j]);
      if (Law::hasExtra) thereExtra[at] = law.sourceExtra(extra[j]);
      received[at] = make_float4(0, 0, 0, 0);
    }
    __syncthreads();
    for (int phase = 0; phase < groups; phase++) {
      // No two warps have the same sources at a time.
      const int at = (phase + warp * (groups / warps)) % groups * 32 + lane;
      float4 s = there[at];
      float2 e = Law::hasExtra ? thereExtra[at] : float2{};
      float3 f = make_float3(0, 0, 0);
#pragma unroll 2
      for (int step = 0; step < 32; step++) {
#pragma unroll
        for (int r = 0; r < Targets; r++) {
          float dx = s.x - x[r], dy = s.y - y[r], dz = s.z - z[r];
          const float w = law.coefficient(1.0f, dx, dy, dz, e, target[r]);
          const float mine = w * law.weight(s, e), its = w * own[r];
          ax[r] += mine * dx, ay[r] += mine * dy, az[r] += mine * dz;
          f.x -= its * dx, f.y -= its * dy, f.z -= its * dz;
        }
        s.x = __shfl_sync(~0u, s.x, next), s.y = __shfl_sync(~0u, s.y, next);
        s.z = __shfl_sync(~0u, s.z, next), s.w = __shfl_sync(~0u, s.w, next);
        if (Law::hasExtra) e.x = __shfl_sync(~0u, e.x, next), e.y = __shfl_sync(~0u, e.y, next);
        f.x = __shfl_sync(~0u, f.x, next), f.y = __shfl_sync(~0u, f.y, next), f.z = __shfl_sync(~0u, f.z, next);
      }
      received[at].x += f.x, received[at].y += f.y, received[at].z += f.z;
      __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < Targets; r++) {
      const int at = threadIdx.x + r * Width;
      slots[size_t(k) * n + other * size + at] = both ? received[at] : make_float4(0, 0, 0, 0);
    }
  }
#pragma unroll
  for (int r = 0; r < Targets; r++)
    slots[size_t(ahead.blocks + blockIdx.y) * n + here + r * Width] = make_float4(ax[r], ay[r], az[r], 0);
}

// The sum of all slots of each point.
template <class Law>
__global__ void collect(const float4* __restrict__ point, const float2* __restrict__ extra,
                        const float4* __restrict__ slots, float* __restrict__ out, int n, int count, Law law) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float ax = 0, ay = 0, az = 0;
#pragma unroll 8
  for (int k = 0; k < count; k++) {
    const float4 s = slots[size_t(k) * n + i];
    ax += s.x, ay += s.y, az += s.z;
  }
  const float scale = law.scale(law.target(point[i], Law::hasExtra ? extra[i] : float2{}));
  out[3 * i] = scale * ax, out[3 * i + 1] = scale * ay, out[3 * i + 2] = scale * az;
}
