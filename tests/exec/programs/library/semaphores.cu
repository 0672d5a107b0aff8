// Critical sections that a counting semaphore of the device admits one at a time, and threads of a
// block that wait for its latch. The defect: a thread does not acquire the semaphore.
#include <cuda/latch>
#include <cuda/semaphore>

#include "../samples/common.h"

using Semaphore = cuda::counting_semaphore<cuda::thread_scope_device>;
using Latch = cuda::latch<cuda::thread_scope_block>;

__global__ void initialise(Semaphore* semaphore) { new (semaphore) Semaphore{1}; }

__global__ void count(Semaphore* semaphore, int* counter, bool defect) {
  if (threadIdx.x != 0) return;
  if (!defect || blockIdx.x != 3) semaphore->acquire();
  *counter += 1;  // finding here
  if (!defect || blockIdx.x != 3) semaphore->release();
}

__global__ void countdown(const int* in, int* out) {
  __shared__ int partial[128];
  __shared__ alignas(Latch) char storage[sizeof(Latch)];
  Latch& latch = *reinterpret_cast<Latch*>(storage);
  if (threadIdx.x == 0) new (storage) Latch(96);
  __syncthreads();
  if (threadIdx.x >= 32) {
    partial[threadIdx.x] = in[threadIdx.x];
    latch.count_down();
    return;
  }
  latch.wait();
  out[threadIdx.x] =
      partial[threadIdx.x + 32] + partial[threadIdx.x + 64] + partial[threadIdx.x + 96];
}

int main(int argc, char** argv) {
  const Timing timing;
  Semaphore* semaphore;
  int *counter, *in, *out;
  CHECK(cudaMalloc(&semaphore, sizeof(Semaphore)));
  CHECK(cudaMallocManaged(&counter, sizeof(int)));
  CHECK(cudaMallocManaged(&in, 128 * sizeof(int)));
  CHECK(cudaMallocManaged(&out, 32 * sizeof(int)));
  *counter = 0;
  for (int i = 0; i < 128; ++i) in[i] = i;
  initialise<<<1, 1>>>(semaphore);
  count<<<8, 32>>>(semaphore, counter, has_defect(argc, argv));
  countdown<<<1, 128>>>(in, out);
  CHECK(cudaDeviceSynchronize());
  std::puts(*counter == 8 && out[5] == 37 + 69 + 101 ? "correct" : "wrong");
  CHECK(cudaFree(semaphore));
  CHECK(cudaFree(counter));
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
