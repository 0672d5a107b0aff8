// Managed, pinned, constant and pooled memory, variables of the device, and copies of volumes.
#include "programs.h"

__global__ void increment(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += 1;  // finding: managed
}

bool managed(bool defect) {
  const int n = 500;
  int* values = nullptr;
  require(cudaMallocManaged(&values, n * sizeof(int)));
  for (int i = 0; i < n; ++i) values[i] = i;
  increment<<<2, 256>>>(values, defect ? n + 4 : n);
  require(cudaDeviceSynchronize());
  bool right = true;
  for (int i = 0; i < n; ++i) right = right && values[i] == i + 1;
  require(cudaFree(values));
  return right;
}

__global__ void square(const int* from, int* to) {
  to[threadIdx.x] = from[threadIdx.x] * from[threadIdx.x];  // finding: pinned
}

bool pinned(bool defect) {
  int* host = nullptr;
  int* mapped = nullptr;
  require(cudaHostAlloc(&host, 64 * sizeof(int), cudaHostAllocMapped));
  for (int i = 0; i < 64; ++i) host[i] = i;
  require(cudaHostGetDevicePointer(&mapped, host, 0));
  int* const squares = device_array<int>(64);
  square<<<1, defect ? 96 : 64>>>(mapped, squares);
  const std::vector<int> result = take(squares, 64);
  bool right = true;
  for (int i = 0; i < 64; ++i) right = right && result[i] == i * i;
  require(cudaFreeHost(host));
  return right;
}

__constant__ int weights[5];

__global__ void weigh(const int* values, int* sums, int n, int taps) {
  const int i = threadIdx.x;
  int sum = 0;
  for (int tap = 0; tap < taps; ++tap) {
    if (i + tap < n) sum += weights[tap] * values[i + tap];  // finding: constant
  }
  sums[i] = sum;
}

bool constant(bool defect) {
  const int n = 128;
  require(cudaMemcpyToSymbol(weights, sequence(5, 1).data(), 5 * sizeof(int)));
  int* const values = device_array(std::vector<int>(n, 1));
  int* const sums = device_array<int>(n);
  weigh<<<1, n>>>(values, sums, n, defect ? 6 : 5);
  require(cudaFree(values));
  return take(sums, n)[0] == 15;
}

__device__ int table[32];
__device__ int total;

__global__ void add_table(int entries) {
  for (int i = threadIdx.x; i < entries; i += blockDim.x) {
    atomicAdd(&total, table[i]);  // finding: symbols
  }
}

bool symbols(bool defect) {
  require(cudaMemcpyToSymbol(table, sequence(32).data(), 16 * sizeof(int)));
  require(cudaMemcpyToSymbol(table, sequence(16, 16).data(), 16 * sizeof(int), 16 * sizeof(int)));
  size_t bytes = 0;
  require(cudaGetSymbolSize(&bytes, table));
  add_table<<<1, 16>>>(static_cast<int>(bytes / sizeof(int)) + (defect ? 1 : 0));
  int sum = 0;
  require(cudaMemcpyFromSymbol(&sum, total, sizeof sum));
  return sum == 496;
}

__global__ void fill(int* values) { values[threadIdx.x] = threadIdx.x; }  // finding: pool

bool pool(bool defect) {
  cudaStream_t stream;
  cudaMemPool_t memory;
  unsigned long long threshold = 1 << 20;
  require(cudaStreamCreate(&stream));
  require(cudaDeviceGetDefaultMemPool(&memory, 0));
  require(cudaMemPoolSetAttribute(memory, cudaMemPoolAttrReleaseThreshold, &threshold));
  int* values = nullptr;
  std::vector<int> result(256);
  require(cudaMallocAsync(&values, 256 * sizeof(int), stream));
  if (defect) require(cudaFreeAsync(values, stream));
  fill<<<1, 256, 0, stream>>>(values);
  if (defect) return false;
  require(cudaMemcpyAsync(result.data(), values, 1024, cudaMemcpyDeviceToHost, stream));
  require(cudaFreeAsync(values, stream));
  require(cudaStreamSynchronize(stream));
  require(cudaStreamDestroy(stream));
  return result == sequence(256);
}

__global__ void sum_volume(cudaPitchedPtr volume, cudaExtent extent, int* sum) {
  const char* const slice =
      static_cast<const char*>(volume.ptr) + threadIdx.x * volume.pitch * volume.ysize;
  for (int y = 0; y < extent.height; ++y) {
    const int* const row = reinterpret_cast<const int*>(slice + y * volume.pitch);
    for (int x = 0; x < extent.width / sizeof(int); ++x) {
      atomicAdd(sum, row[x]);  // finding: volume
    }
  }
}

bool volume(bool defect) {
  const cudaExtent extent = make_cudaExtent(7 * sizeof(int), 5, 4);
  std::vector<int> values = sequence(7 * 5 * 4);
  cudaPitchedPtr device;
  require(cudaMalloc3D(&device, extent));
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(values.data(), extent.width, 7, 5);
  copy.dstPtr = device;
  copy.extent = make_cudaExtent(extent.width, 5, defect ? 3 : 4);
  copy.kind = cudaMemcpyHostToDevice;
  require(cudaMemcpy3D(&copy));
  int* const sum = device_array(std::vector<int>(1));
  sum_volume<<<1, 4>>>(device, extent, sum);
  require(cudaFree(device.ptr));
  return take(sum, 1)[0] == 140 * 139 / 2;
}

constexpr Program kPrograms[] = {{"managed", managed}, {"pinned", pinned}, {"constant", constant},
                                 {"symbols", symbols}, {"pool", pool},     {"volume", volume}};

int main(int arguments, char** argument) { return run_program(kPrograms, arguments, argument); }
