// Streams and events, graphs, properties of devices, occupancy, and cooperative groups.
#include <cooperative_groups.h>

#include "programs.h"

__global__ void produce(int* values) { values[threadIdx.x] = 2 * threadIdx.x; }
__global__ void consume(const int* values, int* sums) {
  sums[threadIdx.x] = values[threadIdx.x] + 1;
}

/// The defect is a race between streams, whose place is a call of the host.
bool streams(bool defect) {
  cudaStream_t first;
  cudaStream_t second;
  cudaEvent_t produced;
  require(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  require(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  require(cudaEventCreateWithFlags(&produced, cudaEventDisableTiming));
  int* const values = device_array<int>(128);
  int* const sums = device_array<int>(128);
  produce<<<1, 128, 0, first>>>(values);
  require(cudaEventRecord(produced, first));
  if (!defect) require(cudaStreamWaitEvent(second, produced));
  consume<<<1, 128, 0, second>>>(values, sums);
  require(cudaStreamSynchronize(second));
  require(cudaStreamSynchronize(first));
  const bool right = take(sums, 128) == sequence(128, 1, 2);
  require(cudaFree(values));
  require(cudaEventDestroy(produced));
  require(cudaStreamDestroy(first));
  require(cudaStreamDestroy(second));
  return right;
}

__global__ void twice(int* values, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) values[i] *= 2;  // finding: graph
}

bool graph(bool defect) {
  int* const values = device_array(std::vector<int>(100, 1));
  cudaStream_t stream;
  cudaGraph_t recorded;
  cudaGraphExec_t graph;
  require(cudaStreamCreate(&stream));
  require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  twice<<<1, 32, 0, stream>>>(values, 100);
  twice<<<1, 32, 0, stream>>>(values, defect ? 101 : 100);
  require(cudaStreamEndCapture(stream, &recorded));
  require(cudaGraphInstantiate(&graph, recorded, 0));
  for (int i = 0; i < 3; ++i) require(cudaGraphLaunch(graph, stream));
  require(cudaStreamSynchronize(stream));
  require(cudaGraphExecDestroy(graph));
  require(cudaGraphDestroy(recorded));
  require(cudaStreamDestroy(stream));
  return take(values, 100) == std::vector<int>(100, 64);
}

__global__ void number(int* values, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    values[i] = i;  // finding: devices
  }
}

bool devices(bool defect) {
  int count = 0;
  require(cudaGetDeviceCount(&count));
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties;
    require(cudaGetDeviceProperties(&properties, device));
    int multiprocessors = 0;
    require(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    if (multiprocessors != properties.multiProcessorCount) return false;
    require(cudaSetDevice(device));
    const int n = 64 * multiprocessors;
    int* const values = device_array<int>(n);
    number<<<multiprocessors, properties.warpSize>>>(values, defect ? n + 1 : n);
    if (take(values, n) != sequence(n)) return false;
  }
  return count > 0;
}

__global__ void negate(int* values, int n, bool defect) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n || defect) values[i] = -values[i];  // finding: occupancy
}

bool occupancy(bool defect) {
  const int n = 1500;
  int least = 0;
  int threads = 0;
  int resident = 0;
  require(cudaOccupancyMaxPotentialBlockSize(&least, &threads, negate));
  require(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, negate, threads, 0));
  int* const values = device_array(sequence(n));
  negate<<<(n + threads - 1) / threads, threads>>>(values, n, defect);
  return take(values, n) == sequence(n, 0, -1) && resident > 0;
}

__global__ void rotate(const int* from, int* middle, int* to, int n, bool defect) {
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  const int i = static_cast<int>(grid.thread_rank());
  middle[i] = from[i];  // finding: cooperative
  if (!defect) grid.sync();
  to[i] = middle[(i + n / 2) % n];
}

bool cooperative(bool defect) {
  int n = 256;
  int* from = device_array(sequence(n));
  int* middle = device_array<int>(n);
  int* to = device_array<int>(n);
  void* arguments[] = {&from, &middle, &to, &n, &defect};
  require(cudaLaunchCooperativeKernel(rotate, dim3(4), dim3(64), arguments));
  const std::vector<int> result = take(to, n);
  require(cudaFree(from));
  require(cudaFree(middle));
  return result[0] == 128 && result[255] == 127;
}

constexpr Program kPrograms[] = {{"streams", streams},
                                 {"graph", graph},
                                 {"devices", devices},
                                 {"occupancy", occupancy},
                                 {"cooperative", cooperative}};

int main(int arguments, char** argument) { return run_program(kPrograms, arguments, argument); }
