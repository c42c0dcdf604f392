// The shapes of the loops that are timed for each law, by the number of points.
#pragma once
#include "once.cuh"
#include "pairs.cuh"
#include "timing.cuh"

template <class Law, int Width, int Targets, int Unroll, int Slices>
static void shape(const Law& law, int n, std::vector<Kernel>& kernels, int parts) {
  constexpr int perBlock = Width / Slices * Targets;
  const int tiles = (n + Width - 1) / Width;
  const int chunk = (tiles + parts - 1) / parts * Width;
  const int used = (n + chunk - 1) / chunk;
  const Launch launch = [=](const Arrays& a, cudaStream_t stream) {
    const dim3 grid((a.n + perBlock - 1) / perBlock, used);
    pairs<Law, Width, Targets, Unroll, Slices>
        <<<grid, Width, 0, stream>>>(a.point, a.extra, used > 1 ? a.parts : a.out, a.n, Split{chunk, used}, law);
    if (used > 1)
      combine<Law><<<(a.n + 255) / 256, 256, 0, stream>>>(a.point, a.extra, a.parts, a.out, a.n, used, law);
  };
  char name[96];
  snprintf(name, sizeof name, "width %d, targets %d, unroll %d, slices %d, parts %d", Width, Targets, Unroll, Slices,
           used);
  kernels.push_back({name, launch, 3, size_t(3) * n * used});
}

// The largest memory for parts of results, in numbers.
static const size_t mostParts = size_t(1) << 28;

// At least two blocks of points, and enough thread blocks for every processor to have several.
template <class Law, int Width, int Targets>
static void shapeOnce(const Law& law, int n, std::vector<Kernel>& kernels) {
  constexpr int size = Width * Targets;
  const int blocks = n / size, ahead = blocks / 2 + 1;
  const int each = std::max(1, blocks * ahead / 4096);
  const int down = (ahead + each - 1) / each;
  const size_t parts = size_t(4) * n * (ahead + down);
  if (n % size != 0 || blocks < 2 || parts > mostParts) return;
  const Launch launch = [=](const Arrays& a, cudaStream_t stream) {
    float4* slots = reinterpret_cast<float4*>(a.parts);
    once<Law, Width, Targets><<<dim3(blocks, down), Width, 0, stream>>>(a.point, a.extra, slots, n, Ahead{ahead, each}, law);
    collect<Law><<<(n + 255) / 256, 256, 0, stream>>>(a.point, a.extra, slots, a.out, n, ahead + down, law);
  };
  char name[96];
  snprintf(name, sizeof name, "each pair once, width %d, targets %d", Width, Targets);
  kernels.push_back({name, launch, 3, parts});
}

template <class Law>
static void shapes(const Law& law, int n, std::vector<Kernel>& kernels) {
  shapeOnce<Law, 32, 4>(law, n, kernels);
  shapeOnce<Law, 64, 4>(law, n, kernels);
  shapeOnce<Law, 32, 8>(law, n, kernels);
  shapeOnce<Law, 64, 8>(law, n, kernels);
  shapeOnce<Law, 128, 8>(law, n, kernels);
  shapeOnce<Law, 64, 16>(law, n, kernels);
  if (n <= 8192) {
    shape<Law, 1024, 1, 8, 32>(law, n, kernels, 1);
    shape<Law, 1024, 1, 8, 16>(law, n, kernels, 1);
    shape<Law, 512, 1, 8, 16>(law, n, kernels, 1);
    shape<Law, 256, 1, 8, 8>(law, n, kernels, 1);
    shape<Law, 256, 1, 8, 4>(law, n, kernels, 1);
    shape<Law, 256, 1, 16, 4>(law, n, kernels, 1);
    shape<Law, 256, 2, 8, 8>(law, n, kernels, 1);
    shape<Law, 256, 2, 8, 8>(law, n, kernels, 2);
    shape<Law, 128, 2, 8, 1>(law, n, kernels, 32);
  } else if (n <= 131072) {
    shape<Law, 512, 8, 16, 1>(law, n, kernels, 32);
    shape<Law, 512, 8, 16, 1>(law, n, kernels, 16);
    shape<Law, 512, 4, 16, 1>(law, n, kernels, 16);
    shape<Law, 256, 8, 16, 1>(law, n, kernels, 32);
    shape<Law, 256, 8, 16, 1>(law, n, kernels, 64);
    shape<Law, 128, 8, 8, 1>(law, n, kernels, 64);
    shape<Law, 128, 16, 4, 1>(law, n, kernels, 128);
  } else {
    shape<Law, 128, 16, 2, 1>(law, n, kernels, 32);
    shape<Law, 128, 16, 4, 1>(law, n, kernels, 32);
    shape<Law, 128, 8, 8, 1>(law, n, kernels, 32);
    shape<Law, 256, 8, 8, 1>(law, n, kernels, 32);
    shape<Law, 256, 8, 16, 1>(law, n, kernels, 16);
    shape<Law, 512, 8, 16, 1>(law, n, kernels, 16);
  }
}
