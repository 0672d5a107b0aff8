// A histogram with cuda::atomic_ref, a maximum, and a block that waits for the results of another
// through cuda::atomic. The defect: the histogram counts without an atomic operation.
#include <cuda/atomic>

#include "../samples/common.h"

constexpr int n = 4096, kBins = 16;

struct Mailbox {
  cuda::atomic<int, cuda::thread_scope_device> ready;
  int data[32];
};

__global__ void histogram(const unsigned* values, int* bins, unsigned* largest, bool defect) {
  const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned value = values[at];
  if (defect) {
    bins[value % kBins] += 1;  // finding here
  } else {
    cuda::atomic_ref<int, cuda::thread_scope_device> bin(bins[value % kBins]);
    bin.fetch_add(1, cuda::memory_order_relaxed);
  }
  cuda::atomic_ref<unsigned, cuda::thread_scope_device>(*largest).fetch_max(value);
}

__global__ void hand_over(Mailbox* box, int* result) {
  if (blockIdx.x == 0) {
    box->data[threadIdx.x] = static_cast<int>(threadIdx.x) * 3;
    __syncthreads();
    if (threadIdx.x == 0) {
      box->ready.store(1, cuda::memory_order_release);
      box->ready.notify_all();
    }
  } else {
    if (threadIdx.x == 0) box->ready.wait(0, cuda::memory_order_acquire);
    __syncthreads();
    result[threadIdx.x] = box->data[31 - threadIdx.x];
  }
}

__global__ void initialise(Mailbox* box) { new (box) Mailbox{}; }

__global__ void compare_and_swap(double* sum, const double* terms) {
  cuda::atomic_ref<double, cuda::thread_scope_device> all(*sum);
  double old = all.load(cuda::memory_order_relaxed);
  while (!all.compare_exchange_weak(old, old + terms[threadIdx.x], cuda::memory_order_relaxed)) {
  }
}

int main(int argc, char** argv) {
  const Timing timing;
  unsigned *values, *largest;
  int *bins, *result;
  double *sum, *terms;
  Mailbox* box;
  CHECK(cudaMallocManaged(&values, n * sizeof(unsigned)));
  CHECK(cudaMallocManaged(&bins, kBins * sizeof(int)));
  CHECK(cudaMallocManaged(&largest, sizeof(unsigned)));
  CHECK(cudaMallocManaged(&result, 32 * sizeof(int)));
  CHECK(cudaMallocManaged(&sum, sizeof(double)));
  CHECK(cudaMallocManaged(&terms, 64 * sizeof(double)));
  CHECK(cudaMalloc(&box, sizeof(Mailbox)));
  for (unsigned i = 0; i < n; ++i) values[i] = i * 2654435761U >> 8;
  for (int i = 0; i < kBins; ++i) bins[i] = 0;
  for (int i = 0; i < 64; ++i) terms[i] = i;
  *largest = 0;
  *sum = 0;
  histogram<<<n / 256, 256>>>(values, bins, largest, has_defect(argc, argv));
  initialise<<<1, 1>>>(box);
  hand_over<<<2, 32>>>(box, result);
  compare_and_swap<<<1, 64>>>(sum, terms);
  CHECK(cudaDeviceSynchronize());
  int total = 0;
  unsigned most = 0;
  for (int i = 0; i < kBins; ++i) total += bins[i];
  for (unsigned i = 0; i < n; ++i) most = values[i] > most ? values[i] : most;
  const bool right = total == n && *largest == most && result[0] == 93 && *sum == 63 * 32;
  std::puts(right ? "correct" : "wrong");
  for (void* one : {static_cast<void*>(values), static_cast<void*>(bins),
                    static_cast<void*>(largest), static_cast<void*>(result),
                    static_cast<void*>(sum), static_cast<void*>(terms), static_cast<void*>(box)})
    CHECK(cudaFree(one));
}
