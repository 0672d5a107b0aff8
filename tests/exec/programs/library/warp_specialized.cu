// Producer and consumer warps with cuda::barrier, as in the CUDA C++ Programming Guide. The defect:
// the consumers do not wait until a buffer is filled.
#include <cuda/barrier>

#include "../samples/common.h"

using Barrier = cuda::barrier<cuda::thread_scope_block>;
constexpr int kBuffer = 64, kRounds = 8;

__device__ void produce(Barrier ready[], Barrier filled[], int* buffer, const int* in) {
  for (int i = 0; i < kRounds; ++i) {
    ready[i % 2].arrive_and_wait();
    for (unsigned at = threadIdx.x; at < kBuffer; at += 32)
      buffer[i % 2 * kBuffer + at] = in[i * kBuffer + at];
    Barrier::arrival_token token = filled[i % 2].arrive();
    (void)token;
  }
}

__device__ void consume(Barrier ready[], Barrier filled[], int* buffer, int* out, bool defect) {
  const unsigned lane = threadIdx.x - 32;
  Barrier::arrival_token first = ready[0].arrive();
  Barrier::arrival_token second = ready[1].arrive();
  (void)first, (void)second;
  for (int i = 0; i < kRounds; ++i) {
    if (defect) {
      Barrier::arrival_token token = filled[i % 2].arrive();
      (void)token;
    } else {
      filled[i % 2].arrive_and_wait();
    }
    for (unsigned at = lane; at < kBuffer; at += 32)
      out[i * kBuffer + at] = 2 * buffer[i % 2 * kBuffer + at];  // finding here
    Barrier::arrival_token token = ready[i % 2].arrive();
    (void)token;
  }
}

__global__ void twice(const int* in, int* out, bool defect) {
  __shared__ int buffer[2 * kBuffer];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier barriers[4];
  if (threadIdx.x < 4) init(barriers + threadIdx.x, blockDim.x);
  __syncthreads();
  if (threadIdx.x < 32) {
    produce(barriers, barriers + 2, buffer, in);
  } else {
    consume(barriers, barriers + 2, buffer, out, defect);
  }
}

__global__ void reverse(const int* in, int* out) {
  __shared__ alignas(16) int tile[256];
  __shared__ Barrier barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(tile + 4 * threadIdx.x, in + 4 * threadIdx.x, cuda::aligned_size_t<16>(16),
                     barrier);
  barrier.arrive_and_wait();
  for (int i = 0; i < 4; ++i) out[4 * threadIdx.x + i] = tile[255 - 4 * threadIdx.x - i];
}

int main(int argc, char** argv) {
  const Timing timing;
  constexpr int n = kBuffer * kRounds;
  int *in, *out;
  CHECK(cudaMallocManaged(&in, n * sizeof(int)));
  CHECK(cudaMallocManaged(&out, n * sizeof(int)));
  for (int i = 0; i < n; ++i) in[i] = i;
  twice<<<1, 64>>>(in, out, has_defect(argc, argv));
  CHECK(cudaDeviceSynchronize());
  bool right = true;
  for (int i = 0; i < n; ++i) right = right && out[i] == 2 * i;
  reverse<<<1, 64>>>(in, out);
  CHECK(cudaDeviceSynchronize());
  std::puts(right && out[0] == 255 && out[255] == 0 ? "correct" : "wrong");
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
