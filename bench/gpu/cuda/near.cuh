// Near points as an expert would find them: the nearest and the number within a radius by a grid of cells in a unit cube, and steps of
// a liquid by Verlet lists with a skin, which are made anew every 20 steps without a check, as in the benchmark of LAMMPS.
#pragma once
#include "cells.cuh"

// Points without a law.
struct Places {
  static constexpr bool hasExtra = false;
  __device__ float4 source(float4 p) const { return p; }
  __device__ float2 sourceExtra(float2 e) const { return e; }
};

struct Span {
  int first, last;
};

// The cells of an axis within the reach of x, without images.
__device__ inline Span cellsAround(float x, float reach, float per, int cells) {
  return {max(0, int(floorf((x - reach) * per))), min(cells - 1, int(floorf((x + reach) * per)))};
}

// Visits the places of all cells within a reach of p, row by row, each cut to the sphere of `limit()`, the square of a radius.
template <class Limit, class Visit>
__device__ inline void visitAround(const Sorted& s, const Grid& g, float4 p, float reach, Limit limit, Visit visit) {
  const float edge = g.box / g.across, perX = g.along / g.box, per = 1 / edge;
  const Span ys = cellsAround(p.y, reach, per, g.across), zs = cellsAround(p.z, reach, per, g.across);
  for (int z = zs.first; z <= zs.last; z++)
    for (int y = ys.first; y <= ys.last; y++) {
      const float gapY = gapTo(y, p.y, edge), gapZ = gapTo(z, p.z, edge);
      const float rest = limit() - gapY * gapY - gapZ * gapZ;
      if (rest < 0) continue;
      const Span xs = cellsAround(p.x, sqrtf(rest), perX, g.along);
      const int start = (z * g.across + y) * g.along;
      const int last = s.start[start + xs.last + 1];
      for (int j = s.start[start + xs.first]; j < last; j++) visit(j);
    }
}

__device__ inline float squared(float4 p, float4 q) {
  const float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
  return dx * dx + dy * dy + dz * dz;
}

__global__ void countAround(Sorted s, Grid g, float* out, int n) {
  const int place = blockIdx.x * 64 + threadIdx.x;
  if (place >= n) return;
  const float4 p = s.point[place];
  const float most = g.reach * g.reach;
  int found = 0;
  visitAround(s, g, p, g.reach, [=] { return most; }, [&](int j) { found += j != place && squared(p, s.point[j]) <= most; });
  out[s.order[place]] = found;
}

// Ascending terms in registers: a nearer source moves those behind it. The reach suits the density, and doubles where it is too short.
template <int K>
__global__ void nearestAround(Sorted s, Grid g, float* out, int n) {
  const int place = blockIdx.x * 64 + threadIdx.x;
  if (place >= n) return;
  const float4 p = s.point[place];
  float term[K];
  int source[K];
  for (float reach = g.reach;; reach *= 2) {
#pragma unroll
    for (int k = 0; k < K; k++) term[k] = reach * reach, source[k] = -1;
    visitAround(s, g, p, reach, [&] { return term[K - 1]; }, [&](int j) {
      const float r2 = squared(p, s.point[j]);
      if (r2 >= term[K - 1] || j == place) return;
#pragma unroll
      for (int k = K - 1; k >= 0; k--) {
        const bool moves = k > 0 && r2 < term[k - 1];
        if (r2 < term[k]) {
          term[k] = moves ? term[k - 1] : r2;
          source[k] = moves ? source[k - 1] : j;
        }
      }
    });
    if (source[K - 1] >= 0 || reach > 2 * g.box) break;
  }
  const int i = s.order[place];
#pragma unroll
  for (int k = 0; k < K; k++) out[K * i + k] = source[k] < 0 ? -1 : s.order[source[k]];
}

static void sortInCells(const Arrays& a, const Sorted& s, const Grid& grid, int n, cudaStream_t stream) {
  const int groups = Sorted::groups(grid), points = (n + 255) / 256;
  CHECK(cudaMemsetAsync(s.start, 0, sizeof(int) * 2048 * groups, stream));
  countCells<<<points, 256, 0, stream>>>(a.point, s, grid, n);
  sumCells<<<groups, 256, 0, stream>>>(s);
  startCells<<<groups, 256, 0, stream>>>(s);
  movePoints<<<points, 256, 0, stream>>>(a.point, a.extra, s, grid, n, Places{});
}

static void countWithin(float radius, int n, std::vector<Kernel>& kernels) {
  for (int part : {1, 2}) {
    const int across = std::max(1, int(part / radius));
    const Grid grid{2 * across, across, 1, radius};
    kernels.push_back({"cells of 1/" + std::to_string(part) + " of the radius", [=](const Arrays& a, cudaStream_t stream) {
                         const Sorted s(a.parts, grid, n);
                         sortInCells(a, s, grid, n, stream);
                         countAround<<<(n + 63) / 64, 64, 0, stream>>>(s, grid, a.out, n);
                       }, 1, Sorted::words(grid, n)});
  }
}

template <int K>
static void nearest(int n, std::vector<Kernel>& kernels) {
  // A sphere with 1.6 times as many points as are looked for, on average.
  const float reach = cbrtf(1.6f * K / (4.18879f * n));
  for (int part : {1, 2, 3}) {
    const int across = std::max(1, int(part / reach));
    const Grid grid{across, across, 1, reach};
    kernels.push_back({"cells of 1/" + std::to_string(part) + " of the reach", [=](const Arrays& a, cudaStream_t stream) {
                         const Sorted s(a.parts, grid, n);
                         sortInCells(a, s, grid, n, stream);
                         nearestAround<K><<<(n + 63) / 64, 64, 0, stream>>>(s, grid, a.out, n);
                       }, K, Sorted::words(grid, n), 1, K});
  }
}

// Sources within the cutoff and the skin of each place. Lists of neighbouring places lie side by side.
__global__ void makeLists(Sorted s, Grid g, int* lists, int* lengths, int n, int most) {
  const int place = blockIdx.x * 64 + threadIdx.x;
  if (place >= n) return;
  const float4 p = s.point[place];
  const float per = g.across / g.box, perX = g.along / g.box, most2 = g.reach * g.reach;
  const int y0 = int(floorf(p.y * per)), z0 = int(floorf(p.z * per));
  const int first = int(floorf((p.x - g.reach) * perX)), last = int(floorf((p.x + g.reach) * perX));
  int found = 0;
  for (int row = 0; row < 9; row++) {
    const int y = imageOf(y0 + row % 3 - 1, g.across), z = imageOf(z0 + row / 3 - 1, g.across);
    for (int x = first; x <= last; x++) {
      const int cell = (z * g.across + y) * g.along + imageOf(x, g.along);
      for (int j = s.start[cell]; j < s.start[cell + 1]; j++) {
        float4 q = s.point[j];
        q.x -= g.box * rintf((q.x - p.x) / g.box), q.y -= g.box * rintf((q.y - p.y) / g.box), q.z -= g.box * rintf((q.z - p.z) / g.box);
        if (j != place && squared(p, q) <= most2 && found < most) lists[size_t(found++) * n + place] = j;
      }
    }
  }
  lengths[place] = found;
}

// Forces, then kicks and a drift. Points have mass, sigma and epsilon 1.
__global__ void stepByLists(const float4* from, float4* to, float4* velocity, const int* lists, const int* lengths, float* out,
                            const int* order, float box, float cutoff2, float dt, int n) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  const float4 p = from[i];
  const float inverseBox = 1 / box;
  float ax = 0, ay = 0, az = 0;
  const int length = lengths[i];
#pragma unroll 2
  for (int k = 0; k < length; k++) {
    const float4 q = from[lists[size_t(k) * n + i]];
    float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
    dx -= box * rintf(inverseBox * dx), dy -= box * rintf(inverseBox * dy), dz -= box * rintf(inverseBox * dz);
    const float r2 = dx * dx + dy * dy + dz * dz;
    const float inverse2 = __fdividef(1.0f, r2), s6 = inverse2 * inverse2 * inverse2;
    const float w = r2 <= cutoff2 ? 24.0f * (1.0f - 2.0f * s6) * (s6 * inverse2) : 0.0f;
    ax += w * dx, ay += w * dy, az += w * dz;
  }
  float4 v = velocity[i];
  v.x += dt * ax, v.y += dt * ay, v.z += dt * az;
  velocity[i] = v;
  to[i] = make_float4(p.x + dt * v.x, p.y + dt * v.y, p.z + dt * v.z, p.w);
  if (out) out[3 * order[i]] = ax, out[3 * order[i] + 1] = ay, out[3 * order[i] + 2] = az;
}

// Steps of length 0, so that the forces of the last one are those of the points, which are judged. They take as long as others.
static void verletSteps(float box, float cutoff, int n, std::vector<Kernel>& kernels) {
  const float skin = 0.3f, dt = 0;
  const int steps = 20, most = 128, across = int(box / (cutoff + skin));
  const Grid grid{2 * across, across, box, cutoff + skin};
  const size_t sorted = (Sorted::words(grid, n) + 3) / 4 * 4;
  const size_t words = sorted + (8 + 1 + most) * size_t(n);
  if (across < 3) return;
  kernels.push_back({"Verlet lists, every 20 steps", [=](const Arrays& a, cudaStream_t stream) {
                       const Sorted s(a.parts, grid, n);
                       float4* other = reinterpret_cast<float4*>(a.parts + sorted);
                       float4* velocity = other + n;
                       int *lengths = reinterpret_cast<int*>(velocity + n), *lists = lengths + n;
                       CHECK(cudaMemsetAsync(velocity, 0, sizeof(float4) * n, stream));
                       sortInCells(a, s, grid, n, stream);
                       makeLists<<<(n + 63) / 64, 64, 0, stream>>>(s, grid, lists, lengths, n, most);
                       for (int step = 0; step < steps; step++) {
                         const bool even = step % 2 == 0;
                         stepByLists<<<(n + 127) / 128, 128, 0, stream>>>(even ? s.point : other, even ? other : s.point, velocity,
                                                                         lists, lengths, step == steps - 1 ? a.out : nullptr, s.order,
                                                                         box, cutoff * cutoff, dt, n);
                       }
                     }, 3, words, steps});
}
