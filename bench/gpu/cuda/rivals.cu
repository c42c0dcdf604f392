// CUDA rivals of the ladder: every law in several shapes, timed as replays of a CUDA graph, and the plain p = 256 tile of
// GPU Gems 3, chapter 31, on the points that the ladder has (laws.ts). Prints one JSON object a line:
// {"law","n","kernel","microseconds","results"}, the results of 64 targets, which the ladder judges as it does its own.
//
//   nvcc -O3 -use_fast_math -std=c++17 -arch=native rivals.cu -o rivals && ./rivals gravity 4096 16384
//
// Laws: gravity, coulomb, lennard-jones.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "laws.cuh"
#include "pairs.cuh"

#define CHECK(call)                                                                          \
  do {                                                                                       \
    cudaError_t error = (call);                                                              \
    if (error != cudaSuccess) {                                                              \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));         \
      exit(1);                                                                               \
    }                                                                                        \
  } while (0)

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

struct Arrays {
  float4* point;
  float2* extra;
  float* out;
  float* parts;
  int n;
};

using Launch = std::function<void(const Arrays&, cudaStream_t)>;

// The median of seven samples of at least 40 ms, each many launches in one graph.
static float microseconds(const Launch& launch, const Arrays& arrays) {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  auto sample = [&](int launches, int replays, cudaGraphExec_t graph) {
    CHECK(cudaEventRecord(begin, stream));
    for (int k = 0; k < replays; k++) CHECK(cudaGraphLaunch(graph, stream));
    CHECK(cudaEventRecord(end, stream));
    CHECK(cudaEventSynchronize(end));
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    return 1000.0f * milliseconds / (launches * replays);
  };
  auto record = [&](int launches) {
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int k = 0; k < launches; k++) launch(arrays, stream);
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphDestroy(graph));
    return executable;
  };
  cudaGraphExec_t one = record(1);
  sample(1, 1, one);
  const float single = sample(1, 1, one);
  const int launches = std::max(1, std::min(100, int(2000.0f / single)));
  cudaGraphExec_t many = record(launches);
  const int replays = std::max(1, int(40000.0f / (single * launches)));
  std::vector<float> samples;
  for (int k = 0; k < 7; k++) samples.push_back(sample(launches, replays, many));
  std::sort(samples.begin(), samples.end());
  CHECK(cudaGraphExecDestroy(one));
  CHECK(cudaGraphExecDestroy(many));
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  CHECK(cudaStreamDestroy(stream));
  return samples[3];
}

// `width` is the distance from one target's results to the next one's.
static void report(const char* law, const std::string& kernel, const Launch& launch, const Arrays& arrays, int width) {
  CHECK(cudaMemset(arrays.out, 0, sizeof(float) * 4 * arrays.n));
  const float us = microseconds(launch, arrays);
  CHECK(cudaGetLastError());
  std::vector<float> all(size_t(arrays.n) * width);
  CHECK(cudaMemcpy(all.data(), arrays.out, all.size() * sizeof(float), cudaMemcpyDeviceToHost));
  printf("{\"law\":\"%s\",\"n\":%d,\"kernel\":\"%s\",\"microseconds\":%.3f,\"results\":[", law, arrays.n, kernel.c_str(),
         us);
  for (int k = 0; k < 64; k++) {
    const size_t at = size_t(k) * arrays.n / 64 * width;
    printf("%s%.9g,%.9g,%.9g", k ? "," : "", all[at], all[at + 1], all[at + 2]);
  }
  printf("]}\n");
  fflush(stdout);
}

template <class Law, int Width, int Targets, int Unroll, int Slices>
static void shape(const Law& law, const Arrays& arrays, int parts) {
  constexpr int perBlock = Width / Slices * Targets;
  const int tiles = (arrays.n + Width - 1) / Width;
  const int chunk = (tiles + parts - 1) / parts * Width;
  const int used = (arrays.n + chunk - 1) / chunk;
  const Launch launch = [&](const Arrays& a, cudaStream_t stream) {
    const dim3 grid((a.n + perBlock - 1) / perBlock, used);
    pairs<Law, Width, Targets, Unroll, Slices>
        <<<grid, Width, 0, stream>>>(a.point, a.extra, used > 1 ? a.parts : a.out, a.n, Split{chunk, used}, law);
    if (used > 1)
      combine<Law><<<(a.n + 255) / 256, 256, 0, stream>>>(a.point, a.extra, a.parts, a.out, a.n, used, law);
  };
  char name[96];
  snprintf(name, sizeof name, "width %d, targets %d, unroll %d, slices %d, parts %d", Width, Targets, Unroll, Slices,
           used);
  report(Law::name, name, launch, arrays, 3);
}

template <class Law>
static void shapes(const Law& law, const Arrays& arrays) {
  if (arrays.n <= 8192) {
    shape<Law, 1024, 1, 8, 32>(law, arrays, 1);
    shape<Law, 1024, 1, 8, 16>(law, arrays, 1);
    shape<Law, 512, 1, 8, 16>(law, arrays, 1);
    shape<Law, 256, 1, 8, 8>(law, arrays, 1);
    shape<Law, 256, 1, 8, 4>(law, arrays, 1);
    shape<Law, 256, 1, 16, 4>(law, arrays, 1);
    shape<Law, 256, 2, 8, 8>(law, arrays, 1);
    shape<Law, 256, 2, 8, 8>(law, arrays, 2);
    shape<Law, 128, 2, 8, 1>(law, arrays, 32);
  } else if (arrays.n <= 131072) {
    shape<Law, 512, 8, 16, 1>(law, arrays, 32);
    shape<Law, 512, 8, 16, 1>(law, arrays, 16);
    shape<Law, 512, 4, 16, 1>(law, arrays, 16);
    shape<Law, 256, 8, 16, 1>(law, arrays, 32);
    shape<Law, 256, 8, 16, 1>(law, arrays, 64);
    shape<Law, 128, 8, 8, 1>(law, arrays, 64);
    shape<Law, 128, 16, 4, 1>(law, arrays, 128);
  } else {
    shape<Law, 128, 16, 2, 1>(law, arrays, 32);
    shape<Law, 128, 16, 4, 1>(law, arrays, 32);
    shape<Law, 128, 8, 8, 1>(law, arrays, 32);
    shape<Law, 256, 8, 8, 1>(law, arrays, 32);
    shape<Law, 256, 8, 16, 1>(law, arrays, 16);
    shape<Law, 512, 8, 16, 1>(law, arrays, 16);
  }
}

int main(int count, char** arguments) {
  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  int driver = 0;
  CHECK(cudaDriverGetVersion(&driver));
  fprintf(stderr, "%s, CUDA driver %d\n", device.name, driver);
  if (count < 3) fprintf(stderr, "expected a law and numbers of points\n"), exit(2);
  const std::string name = arguments[1];
  for (int k = 2; k < count; k++) {
    const int n = atoi(arguments[k]);
    // Of a liquid, for Lennard-Jones.
    const double box = cbrt(n / 0.8), edge = name == LennardJones::name ? box : 1;
    Arrays arrays{nullptr, nullptr, nullptr, nullptr, n};
    CHECK(cudaMalloc(&arrays.point, sizeof(float4) * n));
    CHECK(cudaMalloc(&arrays.extra, sizeof(float2) * n));
    CHECK(cudaMalloc(&arrays.out, sizeof(float4) * n));
    CHECK(cudaMalloc(&arrays.parts, sizeof(float) * 3 * n * 128));
    std::vector<float4> points(n);
    uint32_t state = 0x9e3779b9u ^ uint32_t(n);
    auto random = [&]() {
      state ^= state << 13, state ^= state >> 17, state ^= state << 5;
      return state / 4294967296.0;
    };
    for (float4& p : points) p.x = edge * random(), p.y = edge * random(), p.z = edge * random();
    for (float4& p : points) p.w = 0.5 + random();
    const std::vector<float2> extra(n, make_float2(1, 1));
    CHECK(cudaMemcpy(arrays.point, points.data(), sizeof(float4) * n, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(arrays.extra, extra.data(), sizeof(float2) * n, cudaMemcpyHostToDevice));
    if (name == Gravity::name) {
      if (n % 256 == 0)
        report("gravity", "gpu gems 3, p = 256",
               [](const Arrays& a, cudaStream_t stream) {
                 gems<<<a.n / 256, 256, 0, stream>>>(a.point, reinterpret_cast<float4*>(a.out), a.n, 0.05f * 0.05f);
               },
               arrays, 4);
      shapes(Gravity{}, arrays);
    } else if (name == Coulomb::name) {
      shapes(Coulomb{}, arrays);
    } else if (name == LennardJones::name) {
      LennardJones law;
      law.box = box;
      law.inverseBox = 1 / box;
      shapes(law, arrays);
    } else {
      fprintf(stderr, "expected gravity, coulomb or lennard-jones, got %s\n", name.c_str()), exit(2);
    }
    CHECK(cudaFree(arrays.point));
    CHECK(cudaFree(arrays.extra));
    CHECK(cudaFree(arrays.out));
    CHECK(cudaFree(arrays.parts));
  }
}
