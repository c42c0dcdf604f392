// CUDA rivals of WebGPU: every law in several shapes, timed as replays of a CUDA graph, and the plain p = 256 tile of
// GPU Gems 3, chapter 31. cuda.ts writes the points, reads the answers and judges them.
//
//   nvcc -O3 -use_fast_math -std=c++17 -arch=native rivals.cu -o rivals
//   ./rivals <law> <n> <points> <answers> <box> <cutoff>
//
// Laws: gravity, coulomb, lennard-jones-box. The file of points holds (x, y, z, mass or charge) of all, and then
// (sigma, epsilon) of all. First it prints {"device", "kernels"} in a line, and then it answers lines by lines:
//
//   time <kernel> <milliseconds>   the milliseconds of one run, of so many that they take at least as long together
//   results <kernel>               "written", when the answers, three numbers a target, are in their file

#include <algorithm>
#include <cmath>
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

struct Kernel {
  std::string name;
  Launch launch;
  // The distance from one target's results to the next one's.
  int width;
  // Many launches, recorded when they are first timed.
  cudaGraphExec_t graph = nullptr;
  int launches = 0;
  float microseconds = 0;
};

static cudaGraphExec_t record(const Kernel& kernel, const Arrays& arrays, cudaStream_t stream, int launches) {
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  for (int k = 0; k < launches; k++) kernel.launch(arrays, stream);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CHECK(cudaGraphDestroy(graph));
  return executable;
}

// Microseconds of all replays together.
static float replayed(cudaGraphExec_t graph, int replays, cudaStream_t stream) {
  static cudaEvent_t begin, end;
  if (!begin) CHECK(cudaEventCreate(&begin));
  if (!end) CHECK(cudaEventCreate(&end));
  CHECK(cudaEventRecord(begin, stream));
  for (int k = 0; k < replays; k++) CHECK(cudaGraphLaunch(graph, stream));
  CHECK(cudaEventRecord(end, stream));
  CHECK(cudaEventSynchronize(end));
  float milliseconds = 0;
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  return 1000 * milliseconds;
}

// Of one run, of so many that they take at least `atLeast` milliseconds together.
static double timed(Kernel& kernel, const Arrays& arrays, cudaStream_t stream, float atLeast) {
  if (!kernel.graph) {
    cudaGraphExec_t one = record(kernel, arrays, stream, 1);
    replayed(one, 1, stream);
    const float single = replayed(one, 1, stream);
    CHECK(cudaGraphExecDestroy(one));
    kernel.launches = std::max(1, std::min(100, int(2000 / single)));
    kernel.graph = record(kernel, arrays, stream, kernel.launches);
    kernel.microseconds = single;
  }
  const int replays = std::max(1, int(std::ceil(1000 * atLeast / (kernel.microseconds * kernel.launches))));
  kernel.microseconds = replayed(kernel.graph, replays, stream) / (float(replays) * kernel.launches);
  return kernel.microseconds / 1000;
}

static void write(const Kernel& kernel, const Arrays& arrays, cudaStream_t stream, const char* file) {
  CHECK(cudaMemsetAsync(arrays.out, 0, sizeof(float) * 4 * arrays.n, stream));
  kernel.launch(arrays, stream);
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaGetLastError());
  std::vector<float> all(size_t(arrays.n) * kernel.width);
  CHECK(cudaMemcpy(all.data(), arrays.out, all.size() * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < arrays.n; i++)
    for (int axis = 0; axis < 3; axis++) all[3 * size_t(i) + axis] = all[size_t(kernel.width) * i + axis];
  FILE* answers = fopen(file, "wb");
  if (!answers || fwrite(all.data(), sizeof(float), 3 * size_t(arrays.n), answers) != 3 * size_t(arrays.n))
    fprintf(stderr, "%s cannot be written\n", file), exit(1);
  fclose(answers);
}

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
  kernels.push_back({name, launch, 3});
}

template <class Law>
static void shapes(const Law& law, int n, std::vector<Kernel>& kernels) {
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

template <class T>
static T* uploaded(FILE* file, int n) {
  std::vector<T> values(n);
  if (fread(values.data(), sizeof(T), n, file) != size_t(n)) fprintf(stderr, "expected %d points\n", n), exit(2);
  T* there = nullptr;
  CHECK(cudaMalloc(&there, sizeof(T) * n));
  CHECK(cudaMemcpy(there, values.data(), sizeof(T) * n, cudaMemcpyHostToDevice));
  return there;
}

int main(int count, char** arguments) {
  if (count != 7) fprintf(stderr, "expected a law, a number of points, two files, a box and a cutoff\n"), exit(2);
  const std::string name = arguments[1];
  const int n = atoi(arguments[2]);
  FILE* points = fopen(arguments[3], "rb");
  if (!points) fprintf(stderr, "%s cannot be read\n", arguments[3]), exit(2);
  Arrays arrays{uploaded<float4>(points, n), uploaded<float2>(points, n), nullptr, nullptr, n};
  CHECK(cudaMalloc(&arrays.out, sizeof(float4) * n));
  CHECK(cudaMalloc(&arrays.parts, sizeof(float) * 3 * n * 128));

  std::vector<Kernel> kernels;
  if (name == "gravity") {
    const Launch tile = [](const Arrays& a, cudaStream_t stream) {
      gems<<<a.n / 256, 256, 0, stream>>>(a.point, reinterpret_cast<float4*>(a.out), a.n, 0.05f * 0.05f);
    };
    if (n % 256 == 0) kernels.push_back({"gpu gems 3, p = 256", tile, 4});
    shapes(Gravity{}, n, kernels);
  } else if (name == "coulomb") {
    shapes(Coulomb{}, n, kernels);
  } else if (name == "lennard-jones-box") {
    const float box = atof(arguments[5]), cutoff = atof(arguments[6]);
    shapes(LennardJones{box, 1 / box, cutoff * cutoff}, n, kernels);
  } else {
    fprintf(stderr, "expected gravity, coulomb or lennard-jones-box, got %s\n", name.c_str()), exit(2);
  }

  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  printf("{\"device\":\"%s\",\"kernels\":[", device.name);
  for (size_t k = 0; k < kernels.size(); k++) printf("%s\"%s\"", k ? "," : "", kernels[k].name.c_str());
  printf("]}\n");
  fflush(stdout);

  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  char request[16];
  size_t index;
  while (scanf("%15s %zu", request, &index) == 2 && index < kernels.size()) {
    if (request[0] == 't') {
      float atLeast;
      if (scanf("%f", &atLeast) != 1) return 2;
      printf("%.9g\n", timed(kernels[index], arrays, stream, atLeast));
    } else {
      write(kernels[index], arrays, stream, arguments[4]);
      puts("written");
    }
    fflush(stdout);
  }
}
