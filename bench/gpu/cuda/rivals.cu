// CUDA rivals of WebGPU: every law in several shapes over all pairs, and over each pair once, and laws with a cutoff also by cells,
// timed as replays of a CUDA graph;
// whole calls with copies from and to the host; and the plain p = 256 tile of GPU Gems 3, chapter 31. cuda.ts writes the points,
// reads the answers and judges them.
//
//   nvcc -O3 -use_fast_math -std=c++17 -arch=native rivals.cu -o rivals
//   ./rivals <law> <n> <points> <answers> <box> <cutoff>
//
// Laws: gravity, coulomb, lennard-jones-box, nearest(8), nearest(32), count within a radius, steps of a liquid. The file of points holds (x, y, z, mass or charge) of all, and then
// (sigma, epsilon) of all. `kernel(100)` is a sum of Gaussians of 100 features; the file holds the features of all, and
// then the weights of all, each with zeros up to whole vectors. First it prints {"device", "kernels"} in a line, and then it answers lines by lines:
//
//   time <kernel> <milliseconds>   the milliseconds of one run; it repeats runs until they have taken this long
//   results <kernel>               "written", when the answers, three numbers a target or one of a kernel, are in their file
//   call <milliseconds>            the milliseconds of one whole call by the fastest kernel, repeated likewise
//   fastest                        the name of that kernel
//   answer                         as results, of the latest whole call

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "cells.cuh"
#include "features.cuh"
#include "laws.cuh"
#include "near.cuh"
#include "shapes.cuh"
#include "timing.cuh"

// L. Nyland, M. Harris, J. Prins, "Fast N-Body Simulation with CUDA", GPU Gems 3 (2007), chapter 31: one target a thread,
// tiles of p = 256 bodies, written from the description there. Whole tiles only.
__global__ void gems(const float4* __restrict__ point, float4* __restrict__ out, int n, float softening2) {
  __shared__ float4 tile[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  const float4 self = point[i];
  float3 a = make_float3(0, 0, 0);
  for (int start = 0; start < n; start += 256) {
    tile[threadIdx.x] = point[start + threadIdx.x];
    __syncthreads();
#pragma unroll 32
    for (int j = 0; j < 256; j++) {
      const float4 s = tile[j];
      const float dx = s.x - self.x, dy = s.y - self.y, dz = s.z - self.z;
      const float r2 = dx * dx + dy * dy + dz * dz + softening2;
      const float inverse = rsqrtf(r2);
      const float w = s.w * (inverse * inverse * inverse);
      a.x += w * dx, a.y += w * dy, a.z += w * dz;
    }
    __syncthreads();
  }
  out[i] = make_float4(a.x, a.y, a.z, 0);
}

template <class T>
static T* uploaded(FILE* file, size_t n, std::vector<T>& values) {
  values.resize(n);
  if (fread(values.data(), sizeof(T), n, file) != n) fprintf(stderr, "expected %zu vectors\n", n), exit(2);
  T* there = nullptr;
  CHECK(cudaMalloc(&there, sizeof(T) * n));
  CHECK(cudaMemcpy(there, values.data(), sizeof(T) * n, cudaMemcpyHostToDevice));
  return there;
}

// With more points, laws with a cutoff are computed near points alone.
static const int mostInPairs = 262144;

int main(int count, char** arguments) {
  if (count != 7) fprintf(stderr, "expected a law, a number of points, two files, a box and a cutoff\n"), exit(2);
  const std::string name = arguments[1];
  const int n = atoi(arguments[2]);
  FILE* points = fopen(arguments[3], "rb");
  if (!points) fprintf(stderr, "%s cannot be read\n", arguments[3]), exit(2);
  int features = 0;
  sscanf(name.c_str(), "kernel(%d)", &features);
  const size_t fours = features ? (size_t(n) * features + 3) / 4 : n, twos = features ? (n + 1) / 2 : n;
  Host host;
  Arrays arrays{uploaded(points, fours, host.point), uploaded(points, twos, host.extra), nullptr, nullptr, n};

  std::vector<Kernel> kernels;
  if (name == "gravity") {
    const Launch tile = [](const Arrays& a, cudaStream_t stream) {
      gems<<<a.n / 256, 256, 0, stream>>>(a.point, reinterpret_cast<float4*>(a.out), a.n, 0.05f * 0.05f);
    };
    if (n % 256 == 0) kernels.push_back({"gpu gems 3, p = 256", tile, 4, 0});
    shapes(Gravity{}, n, kernels);
  } else if (name == "coulomb") {
    shapes(Coulomb{}, n, kernels);
  } else if (name == "lennard-jones-box") {
    const float box = atof(arguments[5]), cutoff = atof(arguments[6]);
    const LennardJones law{box, 1 / box, cutoff * cutoff};
    if (n <= mostInPairs) shapes(law, n, kernels);
    byCells<LennardJones, false>(law, box, cutoff, n, kernels);
    byCells<LennardJones, true>(law, box, cutoff, n, kernels);
  } else if (name == "steps of a liquid") {
    verletSteps(atof(arguments[5]), atof(arguments[6]), n, kernels);
  } else if (name == "count within a radius") {
    countWithin(atof(arguments[6]), n, kernels);
  } else if (name == "nearest(8)") {
    nearest<8>(n, kernels);
  } else if (name == "nearest(32)") {
    nearest<32>(n, kernels);
  } else if (features > 0) {
    kernelShapes(n, features, kernels);
  } else {
    fprintf(stderr, "there is no law %s\n", name.c_str()), exit(2);
  }

  if (kernels.empty()) fprintf(stderr, "%s has no kernel for %d points\n", name.c_str(), n), exit(2);
  size_t parts = 1, width = 4;
  for (const Kernel& kernel : kernels) parts = std::max(parts, kernel.parts), width = std::max(width, size_t(kernel.width));
  CHECK(cudaMalloc(&arrays.out, sizeof(float) * width * n));
  CHECK(cudaMalloc(&arrays.parts, sizeof(float) * parts));

  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  printf("{\"device\":\"%s\",\"kernels\":[", device.name);
  for (size_t k = 0; k < kernels.size(); k++) printf("%s\"%s\"", k ? "," : "", kernels[k].name.c_str());
  printf("]}\n");
  fflush(stdout);

  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  const bool hasExtra = features > 0 || name == "lennard-jones-box";
  char request[16];
  while (scanf("%15s", request) == 1) {
    const std::string asked = request;
    const bool whole = asked == "call" || asked == "fastest" || asked == "answer";
    size_t index = 0;
    if (!whole && (scanf("%zu", &index) != 1 || index >= kernels.size())) return 2;
    Kernel& kernel = whole ? fastestOf(kernels, arrays, stream) : kernels[index];
    if (asked == "time" || asked == "call") {
      float atLeast;
      if (scanf("%f", &atLeast) != 1) return 2;
      printf("%.9g\n", asked == "time" ? timed(kernel, arrays, stream, atLeast)
                                       : called(kernel, arrays, hasExtra, host, stream, atLeast));
    } else if (asked == "fastest") {
      puts(kernel.name.c_str());
    } else {
      CHECK(cudaMemsetAsync(arrays.out, 0, sizeof(float) * width * n, stream));
      call(kernel, arrays, hasExtra, host, stream);
      write(kernel, host, std::min(kernel.width, kernel.numbers), arguments[4]);
      puts("written");
    }
    fflush(stdout);
  }
}
