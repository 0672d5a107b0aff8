// The host sends work to a kernel that runs, through mapped memory, and waits for its answers.
#include <cuda/atomic>
#include <thread>

#include "common.h"

struct Mailbox {
  cuda::atomic<int, cuda::thread_scope_system> request{0};
  cuda::atomic<int, cuda::thread_scope_system> answer{0};
};

__global__ void server(Mailbox* box) {
  for (int n = 1;; ++n) {
    int r;
    while ((r = box->request.load(cuda::memory_order_acquire)) == 0) {
    }
    box->request.store(0, cuda::memory_order_relaxed);
    box->answer.store(r < 0 ? -1 : r * r, cuda::memory_order_release);
    if (r < 0) return;
  }
}

int main() {
  Mailbox* box;
  CHECK(cudaHostAlloc(&box, sizeof(Mailbox), cudaHostAllocMapped));
  new (box) Mailbox();
  server<<<1, 1>>>(box);
  CHECK(cudaGetLastError());
  for (int i : {3, 4, 5, -1}) {
    box->request.store(i, cuda::memory_order_release);
    int a;
    while ((a = box->answer.load(cuda::memory_order_acquire)) == 0) std::this_thread::yield();
    box->answer.store(0);
    std::printf("%d -> %d\n", i, a);
  }
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFreeHost(box));
}
