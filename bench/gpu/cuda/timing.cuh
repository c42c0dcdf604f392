// What a kernel is to the program that times it, how long it takes on the device's clock, and how long a whole call takes with copies
// from and to the host.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#define CHECK(call)                                                                          \
  do {                                                                                       \
    cudaError_t error = (call);                                                              \
    if (error != cudaSuccess) {                                                              \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));         \
      exit(1);                                                                               \
    }                                                                                        \
  } while (0)

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
  // Numbers of memory for parts of results.
  size_t parts;
  // Steps of a launch, each of which counts as a run.
  int steps = 1;
  // The most results of a target; the others only keep the distance.
  int numbers = 3;
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

// Milliseconds of one run. Runs are repeated until they have taken `atLeast` milliseconds.
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
  return kernel.microseconds / 1000 / kernel.steps;
}

// The arrays of a caller, in ordinary memory.
struct Host {
  std::vector<float4> point;
  std::vector<float2> extra;
  std::vector<float> out;
};

// Copies the points there, computes, and copies the results back, as a program does that has its points on the host.
static void call(const Kernel& kernel, const Arrays& arrays, bool hasExtra, Host& host, cudaStream_t stream) {
  host.out.resize(size_t(arrays.n) * kernel.width);
  CHECK(cudaMemcpyAsync(arrays.point, host.point.data(), sizeof(float4) * host.point.size(), cudaMemcpyHostToDevice, stream));
  if (hasExtra)
    CHECK(cudaMemcpyAsync(arrays.extra, host.extra.data(), sizeof(float2) * host.extra.size(), cudaMemcpyHostToDevice, stream));
  kernel.launch(arrays, stream);
  CHECK(cudaMemcpyAsync(host.out.data(), arrays.out, sizeof(float) * host.out.size(), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaGetLastError());
}

// Milliseconds of one whole call. Calls are repeated until they have taken `atLeast` milliseconds.
static double called(const Kernel& kernel, const Arrays& arrays, bool hasExtra, Host& host, cudaStream_t stream, float atLeast) {
  using clock = std::chrono::steady_clock;
  const auto start = clock::now();
  double spent = 0;
  int calls = 0;
  do {
    call(kernel, arrays, hasExtra, host, stream);
    calls++;
    spent = std::chrono::duration<double, std::milli>(clock::now() - start).count();
  } while (spent < atLeast);
  return spent / calls;
}

static Kernel& fastestOf(std::vector<Kernel>& kernels, const Arrays& arrays, cudaStream_t stream) {
  for (Kernel& kernel : kernels)
    if (!kernel.graph) timed(kernel, arrays, stream, 1);
  return *std::min_element(kernels.begin(), kernels.end(),
                           [](const Kernel& a, const Kernel& b) { return a.microseconds < b.microseconds; });
}

// @param numbers of each target
static void write(const Kernel& kernel, Host& host, size_t numbers, const char* file) {
  std::vector<float>& all = host.out;
  const size_t n = all.size() / kernel.width;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < numbers; k++) all[numbers * i + k] = all[kernel.width * i + k];
  FILE* answers = fopen(file, "wb");
  if (!answers || fwrite(all.data(), sizeof(float), numbers * n, answers) != numbers * n)
    fprintf(stderr, "%s cannot be written\n", file), exit(1);
  fclose(answers);
}
