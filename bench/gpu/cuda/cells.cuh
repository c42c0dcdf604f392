// Pairs within a cutoff in a cubic box by a grid of cells, sorted by counting, as an expert would write them: each target visits
// three by three rows of cells along x. A row beyond a face belongs to an image, so the target is moved and no pair needs its
// nearest image. Cells are as wide as the cutoff, and as long, or a fifth of it; then a row is cut to the sphere around the target.
#pragma once
#include "timing.cuh"

struct Grid {
  int along, across;
  float box, reach;
  __host__ __device__ int cells() const { return along * across * across; }
};

// Parts of the memory for a run, in words.
struct Sorted {
  float4* point;
  float2* extra;
  int *order, *cell, *rank, *start, *sum;
  __host__ __device__ static int groups(const Grid& g) { return (g.cells() + 1 + 2047) / 2048; }
  static size_t words(const Grid& g, int n) { return 9 * size_t(n) + 2049 * size_t(groups(g)); }
  Sorted(float* memory, const Grid& g, int n) {
    point = reinterpret_cast<float4*>(memory);
    extra = reinterpret_cast<float2*>(memory + 4 * size_t(n));
    order = reinterpret_cast<int*>(memory + 6 * size_t(n));
    cell = order + n, rank = cell + n, start = rank + n, sum = start + 2048 * size_t(groups(g));
  }
};

__device__ inline float inside(float x, float box) {
  const float y = x - box * floorf(x / box);
  return y < box ? y : 0.0f;
}

__global__ void countCells(const float4* point, Sorted s, Grid g, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float4 p = point[i];
  const float perX = g.along / g.box, per = g.across / g.box;
  const int x = min(g.along - 1, int(inside(p.x, g.box) * perX));
  const int y = min(g.across - 1, int(inside(p.y, g.box) * per)), z = min(g.across - 1, int(inside(p.z, g.box) * per));
  s.cell[i] = (z * g.across + y) * g.along + x;
  s.rank[i] = atomicAdd(&s.start[s.cell[i]], 1);
}

__global__ void sumCells(Sorted s) {
  __shared__ int all;
  if (threadIdx.x == 0) all = 0;
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < 8; k++) sum += s.start[blockIdx.x * 2048 + k * 256 + threadIdx.x];
  atomicAdd(&all, sum);
  __syncthreads();
  if (threadIdx.x == 0) s.sum[blockIdx.x] = all;
}

__global__ void startCells(Sorted s) {
  __shared__ int before, sums[256];
  if (threadIdx.x == 0) before = 0;
  __syncthreads();
  int earlier = 0, own = 0;
  for (int k = threadIdx.x; k < blockIdx.x; k += 256) earlier += s.sum[k];
  atomicAdd(&before, earlier);
  const int first = blockIdx.x * 2048 + threadIdx.x * 8;
  for (int k = 0; k < 8; k++) own += s.start[first + k];
  sums[threadIdx.x] = own;
  __syncthreads();
  for (int step = 1; step < 256; step *= 2) {
    const int sum = sums[threadIdx.x] + (threadIdx.x >= step ? sums[threadIdx.x - step] : 0);
    __syncthreads();
    sums[threadIdx.x] = sum;
    __syncthreads();
  }
  int place = sums[threadIdx.x] - own + before;
  for (int k = 0; k < 8; k++) {
    const int found = s.start[first + k];
    s.start[first + k] = place;
    place += found;
  }
}

template <class Law>
__global__ void movePoints(const float4* point, const float2* extra, Sorted s, Grid g, int n, Law law) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const int place = s.start[s.cell[i]] + s.rank[i];
  float4 p = point[i];
  p.x = inside(p.x, g.box), p.y = inside(p.y, g.box), p.z = inside(p.z, g.box);
  s.point[place] = law.source(p);
  if (Law::hasExtra) s.extra[place] = law.sourceExtra(extra[i]);
  s.order[place] = i;
}

// The cell of the box that a cell is an image of.
__device__ inline int imageOf(int cell, int cells) { return cell < 0 ? cell + cells : cell >= cells ? cell - cells : cell; }

__device__ inline float gapTo(int cell, float x, float edge) { return fmaxf(fmaxf(cell * edge - x, x - (cell + 1) * edge), 0.0f); }

template <class Law, bool Cut>
__global__ void visitCells(const float2* extra, float* out, Sorted s, Grid g, int n, Law law) {
  const int place = blockIdx.x * 64 + threadIdx.x;
  if (place >= n) return;
  const float4 p = s.point[place];
  const int i = s.order[place];
  const typename Law::Target target = law.target(p, Law::hasExtra ? extra[i] : float2{});
  const float edgeX = g.box / g.along, edge = g.box / g.across, perX = 1 / edgeX, per = 1 / edge;
  const int y0 = int(floorf(p.y * per)), z0 = int(floorf(p.z * per));
  float ax = 0, ay = 0, az = 0;
  for (int row = 0; row < 9; row++) {
    const int y = y0 + row % 3 - 1, z = z0 + row / 3 - 1;
    float half = g.reach;
    if (Cut) {
      const float gapY = gapTo(y, p.y, edge), gapZ = gapTo(z, p.z, edge);
      const float rest = g.reach * g.reach - gapY * gapY - gapZ * gapZ;
      if (rest < 0) continue;
      half = sqrtf(rest);
    }
    const int first = int(floorf((p.x - half) * perX)), cells = int(floorf((p.x + half) * perX)) - first + 1;
    const int imageY = imageOf(y, g.across), imageZ = imageOf(z, g.across);
    const int start = (imageZ * g.across + imageY) * g.along;
    const float py = p.y + (imageY - y) * edge, pz = p.z + (imageZ - z) * edge;
    for (int done = 0; done < cells;) {
      const int image = imageOf(first + done, g.along);
      const float px = p.x + (image - first - done) * edgeX;
      const int number = min(cells - done, g.along - image);
      done += number;
      const int last = s.start[start + image + number];
#pragma unroll 2
      for (int j = s.start[start + image]; j < last; j++) {
        const float4 q = s.point[j];
        const float2 e = Law::hasExtra ? s.extra[j] : float2{};
        const float dx = q.x - px, dy = q.y - py, dz = q.z - pz;
        const float w = j == place ? 0.0f : law.apart(law.weight(q, e), dx, dy, dz, e, target);
        ax += w * dx, ay += w * dy, az += w * dz;
      }
    }
  }
  const float scale = law.scale(target);
  out[3 * i] = scale * ax, out[3 * i + 1] = scale * ay, out[3 * i + 2] = scale * az;
}

template <class Law, bool Cut>
static void byCells(const Law& law, float box, float cutoff, int n, std::vector<Kernel>& kernels) {
  const int across = int(box / cutoff);
  const Grid grid{Cut ? int(5 * box / cutoff) : across, across, box, cutoff * 1.0001f};
  if (across < 3 || grid.cells() > 4 * n + 4096) return;
  const Launch launch = [=](const Arrays& a, cudaStream_t stream) {
    const Sorted s(a.parts, grid, n);
    const int groups = Sorted::groups(grid), points = (n + 255) / 256;
    CHECK(cudaMemsetAsync(s.start, 0, sizeof(int) * 2048 * groups, stream));
    countCells<<<points, 256, 0, stream>>>(a.point, s, grid, n);
    sumCells<<<groups, 256, 0, stream>>>(s);
    startCells<<<groups, 256, 0, stream>>>(s);
    movePoints<<<points, 256, 0, stream>>>(a.point, a.extra, s, grid, n, law);
    visitCells<Law, Cut><<<(n + 63) / 64, 64, 0, stream>>>(a.extra, a.out, s, grid, n, law);
  };
  kernels.push_back({Cut ? "cells, rows cut to the sphere" : "cells, 27 of the cutoff's size", launch, 3, Sorted::words(grid, n)});
}
