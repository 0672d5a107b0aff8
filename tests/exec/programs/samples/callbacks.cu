// Asynchronous copies with functions of the host. The defect: the host reads a copy before it waits
// for it.
#include <atomic>
#include <thread>

#include "common.h"

__global__ void incKernel(int* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i]++;
}

struct Workload {
  int id, n;
  int *h_data, *d_data;
  cudaStream_t stream;
  std::atomic<bool> done{false};
  bool success = false;
};

void CUDART_CB verify(cudaStream_t, cudaError_t status, void* p) {
  auto* w = static_cast<Workload*>(p);
  w->success = status == cudaSuccess;
  for (int i = 0; i < w->n; ++i) w->success &= w->h_data[i] == i + w->id + 1;
}

void CUDART_CB finish(void* p) { static_cast<Workload*>(p)->done = true; }

int main(int argc, char** argv) {
  const Timing timing;
  const bool defect = has_defect(argc, argv);
  const int n = 5000, workers = 3;
  Workload w[workers];
  for (int k = 0; k < workers; ++k) {
    w[k].id = k;
    w[k].n = n;
    CHECK(cudaHostAlloc(&w[k].h_data, n * sizeof(int), cudaHostAllocPortable));
    CHECK(cudaMalloc(&w[k].d_data, n * sizeof(int)));
    CHECK(cudaStreamCreate(&w[k].stream));
    for (int i = 0; i < n; ++i) w[k].h_data[i] = i + k;
  }
  bool ok = true;
  for (auto& one : w) {
    CHECK(cudaMemcpyAsync(one.d_data, one.h_data, n * sizeof(int), cudaMemcpyHostToDevice,
                          one.stream));
    incKernel<<<(n + 255) / 256, 256, 0, one.stream>>>(one.d_data, n);
    CHECK(cudaMemcpyAsync(one.h_data, one.d_data, n * sizeof(int), cudaMemcpyDeviceToHost,
                          one.stream));
    if (defect) ok &= one.h_data[n - 1] == n + one.id;  // finding here
    CHECK(cudaStreamAddCallback(one.stream, verify, &one, 0));
    CHECK(cudaLaunchHostFunc(one.stream, finish, &one));
  }
  for (auto& one : w) {
    CHECK(cudaStreamSynchronize(one.stream));
    ok &= one.done && one.success;
  }
  CHECK(cudaDeviceSynchronize());
  for (auto& one : w) {
    CHECK(cudaStreamDestroy(one.stream));
    CHECK(cudaFreeHost(one.h_data));
    CHECK(cudaFree(one.d_data));
  }
  std::puts(ok ? "correct" : "wrong");
  return !ok;
}
