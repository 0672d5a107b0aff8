// Barriers that are objects in shared memory: cuda::barrier, and the primitives beneath it.
#include <cooperative_groups.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>

#include <cuda/barrier>
#include <cuda/std/utility>

#pragma nv_diag_suppress static_var_with_dynamic_init

using barrier = cuda::barrier<cuda::thread_scope_block>;

// The header's function requires compute capability 9.0; PTX requires only 8.0.
__device__ bool is_over(__mbarrier_t* object, int parity) {
  int over;
  asm volatile(
      "{\n .reg .pred p;\n mbarrier.test_wait.parity.shared.b64 p, [%1], %2;\n"
      " selp.s32 %0, 1, 0, p;\n}\n"
      : "=r"(over)
      : "r"(static_cast<unsigned>(__cvta_generic_to_shared(object))), "r"(parity)
      : "memory");
  return over != 0;
}
__device__ void wait_for(__mbarrier_t* object, int parity) {
  while (!is_over(object, parity)) {
  }
}

extern "C" __global__ void arrive_and_wait(const int* in, int* out) {
  __shared__ int tile[128];
  __shared__ barrier all;
  const int t = threadIdx.x;
  if (t == 0) init(&all, 128);
  tile[t] = 0;
  __syncthreads();
  tile[t] = in[t];  // races
  if (ordered) {
    all.arrive_and_wait();
  } else {
    (void)all.arrive();
  }
  out[t] = tile[127 - t];  // races
}

// The wait of other threads does not cover accesses after the arrival.
extern "C" __global__ void work_between_arrive_and_wait(const int* in, int* out) {
  __shared__ int tile[128];
  __shared__ barrier all;
  const int t = threadIdx.x;
  if (t == 0) init(&all, 128);
  tile[t] = 0;
  __syncthreads();
  if (ordered) tile[t] = in[t];
  auto token = all.arrive();
  if (!ordered) tile[t] = in[t];  // races
  all.wait(cuda::std::move(token));
  out[t] = tile[127 - t];  // races
}

// Every use of the object must be ordered after its initialisation.
extern "C" __global__ void use_after_init(const int* in, int* out) {
  __shared__ __mbarrier_t object;
  const int t = threadIdx.x;
  if (t == 0) __mbarrier_init(&object, 128);  // races
  if (ordered) __syncthreads();
  if (ordered || t < 32) (void)__mbarrier_arrive(&object);  // races
  if (!ordered) __syncthreads();
  out[t] = in[t];
}

// A full and an empty barrier between a producer and a consumer warp.
extern "C" __global__ void producer_and_consumer(const int* in, int* out) {
  __shared__ int tile[32];
  __shared__ __mbarrier_t full, empty;
  const int t = threadIdx.x;
  if (t == 0) {
    __mbarrier_init(&full, 32);
    __mbarrier_init(&empty, 32);
  }
  __syncthreads();
  if (t < 32) {
    for (int step = 0; step < 5; ++step) {
      wait_for(&empty, (step + 1) % 2);
      tile[t] = in[32 * step + t];  // races
      (void)__mbarrier_arrive(&full);
    }
  } else {
    int sum = 0;
    for (int step = 0; step < 5; ++step) {
      wait_for(&full, step % 2);
      if (!ordered) (void)__mbarrier_arrive(&empty);
      sum += tile[63 - t];  // races
      if (ordered) (void)__mbarrier_arrive(&empty);
    }
    out[t] = sum;
  }
}

// A wait for the parity of the phase before returns at once.
extern "C" __global__ void parity_of_the_phase(const int* in, int* out) {
  __shared__ int tile[32];
  __shared__ __mbarrier_t all;
  const int t = threadIdx.x;
  if (t < 32) tile[t] = 0;
  if (t == 0) __mbarrier_init(&all, 64);
  __syncthreads();
  (void)__mbarrier_arrive(&all);
  wait_for(&all, 0);
  if (t < 32) {
    tile[t] = in[t];  // races
    (void)__mbarrier_arrive(&all);
  } else {
    if (ordered) (void)__mbarrier_arrive(&all);
    wait_for(&all, ordered ? 1 : 0);
    out[t] = tile[63 - t];  // races
    if (!ordered) (void)__mbarrier_arrive(&all);
  }
}

// A single test of the object that fails orders nothing.
extern "C" __global__ void test_until_true(const int* in, int* out) {
  __shared__ int tile[32];
  __shared__ __mbarrier_t full;
  const int t = threadIdx.x;
  if (t < 32) tile[t] = 0;
  if (t == 0) __mbarrier_init(&full, 33);
  __syncthreads();
  if (t < 32) {
    tile[t] = in[t];  // races
    (void)__mbarrier_arrive(&full);
    if (ordered && t == 0) (void)__mbarrier_arrive(&full);
  } else {
    while (!is_over(&full, 0) && ordered) {
    }
    out[t] = tile[63 - t];  // races
  }
}

// The object waits for the copies that were in flight at the arrival.
extern "C" __global__ void copies_arrive(const int* in, int* out) {
  __shared__ int tile[32];
  __shared__ __mbarrier_t full;
  const int t = threadIdx.x;
  if (t < 32) tile[t] = 0;
  if (t == 0) __mbarrier_init(&full, 32);
  __syncthreads();
  if (t < 32) {
    if (ordered) {
      __pipeline_memcpy_async(&tile[t], &in[t], 4);
      __pipeline_arrive_on(&full);
    } else {
      __pipeline_arrive_on(&full);
      __pipeline_memcpy_async(&tile[t], &in[t], 4);  // races
    }
    (void)__mbarrier_arrive(&full);
  } else {
    wait_for(&full, 0);
    out[t] = tile[63 - t];  // races
  }
}

// A barrier of the block does not complete copies, even if other threads have waited for them.
extern "C" __global__ void every_reader_waits(const int* in, int* out) {
  __shared__ int tile[32];
  __shared__ __mbarrier_t full;
  const int t = threadIdx.x;
  if (t < 32) tile[t] = 0;
  if (t == 0) __mbarrier_init(&full, 32);
  __syncthreads();
  if (t < 32) {
    __pipeline_memcpy_async(&tile[t], &in[t], 4);  // races
    __pipeline_arrive_on(&full);
    (void)__mbarrier_arrive(&full);
  }
  __syncthreads();
  if (ordered || t >= 64) wait_for(&full, 0);
  if (t >= 32) out[t] = tile[t % 32];  // races
}

// One thread's wait is enough for all threads that are ordered after it.
extern "C" __global__ void barrier_after_one_wait(const int* in, int* out) {
  __shared__ int tile[32];
  __shared__ __mbarrier_t full;
  const int t = threadIdx.x;
  if (t < 32) tile[t] = 0;
  if (t == 0) __mbarrier_init(&full, 32);
  __syncthreads();
  if (t < 32) {
    __pipeline_memcpy_async(&tile[t], &in[t], 4);  // races
    __pipeline_arrive_on(&full);
    (void)__mbarrier_arrive(&full);
  }
  if (!ordered) __syncthreads();
  if (t == 33) wait_for(&full, 0);
  if (ordered) __syncthreads();
  if (t >= 64) out[t] = tile[t % 32];  // races
}

extern "C" __global__ void memcpy_async_with_barrier(const int* in, int* out) {
  __shared__ __align__(16) int tile[128];
  __shared__ barrier all;
  const int t = threadIdx.x;
  if (t == 0) init(&all, 128);
  tile[t] = 0;
  __syncthreads();
  cuda::memcpy_async(&tile[t], &in[t], sizeof(int), all);  // races
  if (ordered) all.arrive_and_wait();
  out[t] = tile[127 - t];  // races
}

// From compute capability 9.0 on this is one bulk copy by one thread.
extern "C" __global__ void block_copies_with_barrier(const int* in, int* out) {
  __shared__ __align__(16) int tile[128];
  __shared__ barrier all;
  const int t = threadIdx.x;
  if (t == 0) init(&all, 128);
  tile[t] = 0;
  __syncthreads();
  cuda::memcpy_async(cooperative_groups::this_thread_block(), tile, in,  // races
                     cuda::aligned_size_t<16>(512), all);
  auto token = all.arrive();
  if (ordered) all.wait(cuda::std::move(token));
  out[t] = tile[127 - t];  // races
}

// The object does not wait for threads that have dropped out.
extern "C" __global__ void arrive_and_drop(const int* in, int* out) {
  __shared__ int tile[128];
  __shared__ barrier some;
  const int t = threadIdx.x;
  if (t == 0) init(&some, 128);
  tile[t] = 0;
  __syncthreads();
  if (t >= 64) {
    tile[t] = in[t];
    some.arrive_and_drop();
    return;
  }
  some.arrive_and_wait();
  tile[t] = tile[127 - t];  // races
  if (ordered) some.arrive_and_wait();
  out[t] = tile[63 - t];  // races
}
