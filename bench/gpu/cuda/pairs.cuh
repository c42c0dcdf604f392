// The loops of the CUDA rivals, the same shapes as the WGSL ones: sources staged in shared memory, targets in registers,
// an unrolled inner loop, sources split over the grid (with a second reduction) or inside the block.
// Each target meets every source. A law gives the coefficient of the displacement; see laws.cuh. Fast inverse square root throughout.
#pragma once
#include <cuda_runtime.h>

// Targets per block, and the sources of one block along y.
struct Split {
  int chunk;
  int parts;
};

template <class Law, int Width, int Targets, int Unroll, int Slices>
__global__ void __launch_bounds__(Width)
pairs(const float4* __restrict__ point, const float2* __restrict__ extra, float* __restrict__ out, int n, Split split,
      Law law) {
  constexpr int members = Width / Slices;
  constexpr int share = Width / Slices;
  __shared__ float4 tile[Width];
  __shared__ float2 tileExtra[Law::hasExtra ? Width : 1];
  const int member = threadIdx.x % members;
  const int slice = threadIdx.x / members;
  const int block = blockIdx.x * members * Targets;
  const int first = blockIdx.y * split.chunk;
  const int last = min(first + split.chunk, n);

  typename Law::Target target[Targets];
  float x[Targets], y[Targets], z[Targets], ax[Targets], ay[Targets], az[Targets];
#pragma unroll
  for (int r = 0; r < Targets; r++) {
    const int i = min(block + r * members + member, n - 1);
    const float4 p = point[i];
    x[r] = p.x, y[r] = p.y, z[r] = p.z;
    target[r] = law.target(p, Law::hasExtra ? extra[i] : float2{});
    ax[r] = ay[r] = az[r] = 0.0f;
  }

  auto visit = [&](int at) {
    const float4 s = tile[at];
    const float2 e = Law::hasExtra ? tileExtra[at] : float2{};
#pragma unroll
    for (int r = 0; r < Targets; r++) {
      float dx = s.x - x[r], dy = s.y - y[r], dz = s.z - z[r];
      const float w = law.coefficient(law.weight(s, e), dx, dy, dz, e, target[r]);
      ax[r] += w * dx, ay[r] += w * dy, az[r] += w * dz;
    }
  };

  for (int start = first; start < last; start += Width) {
    __syncthreads();
    if (start + threadIdx.x < last) {
      tile[threadIdx.x] = law.source(point[start + threadIdx.x]);
      if (Law::hasExtra) tileExtra[threadIdx.x] = law.sourceExtra(extra[start + threadIdx.x]);
    }
    __syncthreads();
    if (start + Width <= last) {
      for (int step = 0; step < share / Unroll; step++) {
#pragma unroll
        for (int u = 0; u < Unroll; u++) visit(slice * share + step * Unroll + u);
      }
    } else {
      for (int at = slice * share; at < min(slice * share + share, last - start); at++) visit(at);
    }
  }

  if (Slices > 1) {
    __shared__ float3 sums[Slices > 1 ? Width : 1];
#pragma unroll
    for (int r = 0; r < Targets; r++) {
      __syncthreads();
      sums[threadIdx.x] = make_float3(ax[r], ay[r], az[r]);
      __syncthreads();
      if (slice == 0)
        for (int other = member + members; other < Width; other += members)
          ax[r] += sums[other].x, ay[r] += sums[other].y, az[r] += sums[other].z;
    }
    if (slice > 0) return;
  }
#pragma unroll
  for (int r = 0; r < Targets; r++) {
    const int i = block + r * members + member;
    if (i >= n) continue;
    const float scale = split.parts > 1 ? 1.0f : law.scale(target[r]);
    if (split.parts > 1) {
      float* part = out + size_t(blockIdx.y) * 3 * n;
      part[i] = ax[r], part[n + i] = ay[r], part[2 * n + i] = az[r];
    } else {
      out[3 * i] = scale * ax[r], out[3 * i + 1] = scale * ay[r], out[3 * i + 2] = scale * az[r];
    }
  }
}

// The second reduction: partial sums [part][axis][target] become [target][axis].
template <class Law>
__global__ void combine(const float4* __restrict__ point, const float2* __restrict__ extra,
                        const float* __restrict__ parts, float* __restrict__ out, int n, int count, Law law) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float ax = 0, ay = 0, az = 0;
  for (int p = 0; p < count; p++) {
    const float* part = parts + size_t(p) * 3 * n;
    ax += part[i], ay += part[n + i], az += part[2 * n + i];
  }
  const float scale = law.scale(law.target(point[i], Law::hasExtra ? extra[i] : float2{}));
  out[3 * i] = scale * ax, out[3 * i + 1] = scale * ay, out[3 * i + 2] = scale * az;
}
