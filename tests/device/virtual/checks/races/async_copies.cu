// Asynchronous copies, which complete at their wait, not at their issue.
#include <cuda_pipeline.h>

// Every thread copies an element and reads the element of the opposite thread.
extern "C" __global__ void barrier_after_wait(const int* in, int* out) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = 0;
  __syncthreads();
  __pipeline_memcpy_async(&tile[t], &in[t], 4);  // races
  __pipeline_commit();
  __pipeline_wait_prior(0);
  if (ordered) __syncthreads();
  out[t] = tile[127 - t];  // races
}

extern "C" __global__ void wait_before_barrier(const int* in, int* out) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = 0;
  __syncthreads();
  __pipeline_memcpy_async(&tile[t], &in[t], 4);  // races
  __pipeline_commit();
  if (ordered) __pipeline_wait_prior(0);
  __syncthreads();
  out[t] = tile[127 - t];  // races
}

// The issuing thread itself must wait too.
extern "C" __global__ void wait_for_own_copy(const int* in, int* out) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = 0;
  __pipeline_memcpy_async(&tile[t], &in[t], 4);  // races
  __pipeline_commit();
  if (ordered) __pipeline_wait_prior(0);
  out[t] = tile[t];  // races
  __pipeline_wait_prior(0);
}

// The wait does not include the last group, which is the one that is read.
extern "C" __global__ void wait_for_enough_groups(const int* in, int* out) {
  __shared__ int tile[2][128];
  const int t = threadIdx.x;
  tile[0][t] = tile[1][t] = 0;
  __syncthreads();
  __pipeline_memcpy_async(&tile[0][t], &in[t], 4);
  __pipeline_commit();
  __pipeline_memcpy_async(&tile[1][t], &in[128 + t], 4);  // races
  __pipeline_commit();
  __pipeline_wait_prior(ordered ? 0 : 1);
  __syncthreads();
  out[t] = tile[0][127 - t] + tile[1][127 - t];  // races
}

// The wait does not include a copy that is in no group yet.
extern "C" __global__ void commit_before_wait(const int* in, int* out) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = 0;
  __syncthreads();
  __pipeline_memcpy_async(&tile[t], &in[t], 4);  // races
  if (ordered) __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[t] = tile[127 - t];  // races
}

// wait_all needs no commit.
extern "C" __global__ void wait_for_all(const int* in, int* out) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = 0;
  __syncthreads();
  __pipeline_memcpy_async(&tile[t], &in[t], 4);  // races
  if (ordered) {
    asm volatile("cp.async.wait_all;" ::: "memory");
  } else {
    asm volatile("cp.async.wait_group 0;" ::: "memory");
  }
  __syncthreads();
  out[t] = tile[127 - t];  // races
}

// The destination of a copy must not be written by others before the copy completes.
extern "C" __global__ void overwritten_in_flight(const int* in, int* out) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = 0;
  __syncthreads();
  __pipeline_memcpy_async(&tile[t], &in[t], 4);  // races
  __pipeline_commit();
  if (ordered) __pipeline_wait_prior(0);
  tile[t] = t;  // races
  __pipeline_wait_prior(0);
  __syncthreads();
  out[t] = tile[127 - t];
}

extern "C" __global__ void two_copies_to_one_place(const int* in, int* out) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = 0;
  __pipeline_memcpy_async(&tile[t], &in[t], 4);  // races
  __pipeline_commit();
  if (ordered) __pipeline_wait_prior(0);
  __pipeline_memcpy_async(&tile[t], &in[t + 128], 4);  // races
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[t] = tile[t];
}

// The buffer is refilled while others still read its old contents.
extern "C" __global__ void refill_after_barrier(const int* in, int* out) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  int sum = 0;
  for (int step = 0; step < 4; ++step) {
    __pipeline_memcpy_async(&tile[t], &in[128 * step + t], 4);  // races
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += tile[127 - t];  // races
    if (ordered) __syncthreads();
  }
  out[t] = sum;
}

// The next tile is in flight during the sum over this one; the barrier orders the reads of a slow
// warp before the refill of its buffer.
extern "C" __global__ void two_buffers(const int* in, int* out) {
  __shared__ int tile[2][128];
  const int t = threadIdx.x;
  int sum = 0;
  __pipeline_memcpy_async(&tile[0][t], &in[t], 4);
  __pipeline_commit();
  for (int step = 0; step < 6; ++step) {
    if (step < 5) {
      __pipeline_memcpy_async(&tile[(step + 1) % 2][t], &in[128 * (step + 1) + t], 4);  // races
    }
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += tile[step % 2][127 - t];  // races
    if (ordered) __syncthreads();
  }
  out[t] = sum;
}

// Four stages with one barrier per step: a stage is refilled only after that barrier.
extern "C" __global__ void four_stages(const int* in, int* out) {
  constexpr int stages = 4;
  __shared__ int tile[stages][128];
  const int t = threadIdx.x;
  for (int stage = 0; stage < stages; ++stage) tile[stage][t] = 0;
  int sum = 0;
  for (int step = 0; step < stages - 1; ++step) {
    __pipeline_memcpy_async(&tile[step][t], &in[128 * step + t], 4);
    __pipeline_commit();
  }
  for (int step = 0; step < 6; ++step) {
    __pipeline_wait_prior(stages - 2);
    __syncthreads();
    const int next = step + (ordered ? stages - 1 : stages);
    if (next < 8) {
      __pipeline_memcpy_async(&tile[next % stages][t], &in[128 * next + t], 4);  // races
    }
    __pipeline_commit();
    sum += tile[step % stages][127 - t];  // races
  }
  out[t] = sum;
}

// The lanes of a warp copy for one another: a warp barrier is enough.
extern "C" __global__ void copy_within_warp(const int* in, int* out) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = 0;
  __syncwarp();
  __pipeline_memcpy_async(&tile[t], &in[t], 4);  // races
  __pipeline_commit();
  __pipeline_wait_prior(0);
  if (ordered) __syncwarp();
  out[t] = tile[t ^ 1];  // races
}

// Every word of a copy of 16 bytes is in flight.
extern "C" __global__ void words_of_a_wide_copy(const int* in, int* out) {
  __shared__ __align__(16) int tile[512];
  const int t = threadIdx.x;
  for (int i = 0; i < 4; ++i) tile[4 * t + i] = 0;
  __syncthreads();
  __pipeline_memcpy_async(&tile[4 * t], &in[4 * t], 16);  // races
  __pipeline_commit();
  if (ordered) {
    __pipeline_wait_prior(0);
    __syncthreads();
  }
  out[t] = tile[(4 * t + 3) ^ 4];  // races
  __pipeline_wait_prior(0);
}

// The wait is in a function of its own.
__device__ __noinline__ void wait_here() { asm volatile("cp.async.wait_all;" ::: "memory"); }
extern "C" __global__ void wait_in_function(const int* in, int* out) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = 0;
  __syncthreads();
  __pipeline_memcpy_async(&tile[t], &in[t], 4);  // races
  wait_here();
  if (ordered) __syncthreads();
  out[t] = tile[127 - t];  // races
}
