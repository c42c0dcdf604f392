// Sums of Gaussians over points with many features: target i gets the sum of exp(-|x_i - x_j|^2) b_j. Pairs meet as in a product of
// matrices: a block loads a few features of its targets and sources into shared memory while the features before are summed up, and a
// thread has the numbers of its pairs in registers. Squares are those of differences, or follow from products and the squares of
// norms, |x|^2 + |y|^2 - 2 x.y, which takes half of the operations and loses digits of near points.
#pragma once
#include "pairs.cuh"
#include "timing.cuh"

// Some features of the points of a side. A thread takes fours of points, which are as far apart as there are threads side by side.
template <int Depth, int Points, int Threads>
struct Side {
  static constexpr int loads = Depth * Points / Threads;
  static_assert(loads * Threads == Depth * Points, "each thread loads as many features");
  // Four more numbers, so that the next feature lies in other banks.
  float numbers[Depth][Points + 4];

  __device__ static void load(float (&ahead)[loads], const float* __restrict__ x, int first, int n, int from, int length) {
#pragma unroll
    for (int l = 0; l < loads; l++) {
      const int at = l * Threads + threadIdx.x, k = from + at % Depth;
      ahead[l] = k < length ? x[size_t(min(first + at / Depth, n - 1)) * length + k] : 0.0f;
    }
  }
  __device__ void store(const float (&ahead)[loads]) {
#pragma unroll
    for (int l = 0; l < loads; l++) {
      const int at = l * Threads + threadIdx.x;
      numbers[at % Depth][at / Depth] = ahead[l];
    }
  }
  __device__ float4 four(int k, int place) const { return *reinterpret_cast<const float4*>(&numbers[k][4 * place]); }
};

__device__ inline float axisOf(const float4& four, int axis) {
  return axis == 0 ? four.x : axis == 1 ? four.y : axis == 2 ? four.z : four.w;
}

// `Rows` x `Columns` threads with 4 `Tall` x 4 `Wide` pairs each.
template <bool Products, int Rows, int Columns, int Tall, int Wide, int Depth>
__global__ void __launch_bounds__(Rows * Columns)
kernelSum(const float* __restrict__ x, const float* __restrict__ b, const float* __restrict__ norms, float* __restrict__ out,
          int n, int length, Split split) {
  constexpr int targets = 4 * Tall, sources = 4 * Wide, threads = Rows * Columns;
  using Targets = Side<Depth, Rows * targets, threads>;
  using Sources = Side<Depth, Columns * sources, threads>;
  __shared__ __align__(16) Targets ofTargets;
  __shared__ __align__(16) Sources ofSources;
  const int row = threadIdx.x / Columns, column = threadIdx.x % Columns;
  const int block = blockIdx.x * Rows * targets;
  const int first = blockIdx.y * split.chunk, last = min(first + split.chunk, n);
  const auto target = [&](int r) { return block + (r / 4 * Rows + row) * 4 + r % 4; };

  float sums[targets] = {}, own[targets] = {};
#pragma unroll
  for (int r = 0; r < targets; r++)
    if (Products) own[r] = norms[min(target(r), n - 1)];
  for (int start = first; start < last; start += Columns * sources) {
    float pairs[targets][sources] = {};
    float aheadTargets[Targets::loads], aheadSources[Sources::loads];
    Targets::load(aheadTargets, x, block, n, 0, length);
    Sources::load(aheadSources, x, start, n, 0, length);
    for (int from = 0; from < length; from += Depth) {
      __syncthreads();
      ofTargets.store(aheadTargets);
      ofSources.store(aheadSources);
      __syncthreads();
      Targets::load(aheadTargets, x, block, n, from + Depth, length);
      Sources::load(aheadSources, x, start, n, from + Depth, length);
#pragma unroll
      for (int k = 0; k < Depth; k++) {
        float4 t[Tall], s[Wide];
#pragma unroll
        for (int q = 0; q < Tall; q++) t[q] = ofTargets.four(k, q * Rows + row);
#pragma unroll
        for (int q = 0; q < Wide; q++) s[q] = ofSources.four(k, q * Columns + column);
#pragma unroll
        for (int r = 0; r < targets; r++)
#pragma unroll
          for (int c = 0; c < sources; c++) {
            const float one = axisOf(t[r / 4], r % 4), other = axisOf(s[c / 4], c % 4), d = one - other;
            pairs[r][c] = Products ? fmaf(one, other, pairs[r][c]) : fmaf(d, d, pairs[r][c]);
          }
      }
    }
#pragma unroll
    for (int c = 0; c < sources; c++) {
      const int j = start + (c / 4 * Columns + column) * 4 + c % 4;
      const float weight = j < last ? b[j] : 0.0f, norm = Products ? norms[min(j, n - 1)] : 0.0f;
#pragma unroll
      for (int r = 0; r < targets; r++) {
        const float square = Products ? own[r] + norm - 2.0f * pairs[r][c] : pairs[r][c];
        sums[r] += target(r) == j ? 0.0f : weight * __expf(-square);
      }
    }
  }
#pragma unroll
  for (int r = 0; r < targets; r++) {
    // The threads of a row are neighbours in a warp.
    for (int apart = Columns / 2; apart > 0; apart /= 2) sums[r] += __shfl_xor_sync(~0u, sums[r], apart);
    if (column == 0 && target(r) < n) out[size_t(blockIdx.y) * n + target(r)] = sums[r];
  }
}

__global__ void squaresOfNorms(const float* __restrict__ x, float* __restrict__ norms, int n, int length) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < length && i < n; k++) sum = fmaf(x[size_t(i) * length + k], x[size_t(i) * length + k], sum);
  if (i < n) norms[i] = sum;
}

__global__ void sumOfParts(const float* __restrict__ parts, float* __restrict__ out, int n, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int p = 0; p < count && i < n; p++) sum += parts[size_t(p) * n + i];
  if (i < n) out[i] = sum;
}

// Features lie in the array of points, and weights in that of extra numbers. @param blocks thread blocks to make, at least
template <bool Products, int Rows, int Columns, int Tall, int Wide, int Depth>
static void kernelShape(int n, int length, int blocks, std::vector<Kernel>& kernels) {
  const int targets = Rows * Tall * 4, sources = Columns * Wide * 4;
  const int down = (n + targets - 1) / targets, tiles = (n + sources - 1) / sources;
  const int chunk = (tiles + (blocks + down - 1) / down - 1) / ((blocks + down - 1) / down) * sources;
  const int chunks = std::max(chunk, sources), parts = (n + chunks - 1) / chunks;
  const Launch launch = [=](const Arrays& a, cudaStream_t stream) {
    const float *x = reinterpret_cast<const float*>(a.point), *b = reinterpret_cast<const float*>(a.extra);
    float* norms = a.parts + size_t(parts) * n;
    const int each = (n + 255) / 256;
    if (Products) squaresOfNorms<<<each, 256, 0, stream>>>(x, norms, n, length);
    kernelSum<Products, Rows, Columns, Tall, Wide, Depth><<<dim3(down, parts), Rows * Columns, 0, stream>>>(
        x, b, norms, parts > 1 ? a.parts : a.out, n, length, Split{chunks, parts});
    if (parts > 1) sumOfParts<<<each, 256, 0, stream>>>(a.parts, a.out, n, parts);
  };
  char name[96];
  snprintf(name, sizeof name, "%s, %d x %d threads, %d x %d pairs each, parts %d", Products ? "products" : "differences",
           Rows, Columns, 4 * Tall, 4 * Wide, parts);
  kernels.push_back({name, launch, 1, size_t(parts + 1) * n});
}

static void kernelShapes(int n, int length, std::vector<Kernel>& kernels) {
  for (const int blocks : {256, 1024, 4096}) {
    kernelShape<false, 16, 16, 2, 2, 8>(n, length, blocks, kernels);
    kernelShape<true, 16, 16, 2, 2, 8>(n, length, blocks, kernels);
    kernelShape<false, 8, 8, 1, 1, 8>(n, length, blocks, kernels);
    kernelShape<true, 8, 8, 1, 1, 8>(n, length, blocks, kernels);
  }
}
