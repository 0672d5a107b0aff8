// Barriers of parts of a block (PTX ISA, bar.sync and bar.arrive with a number and a count).

__device__ void named_sync(int barrier, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

__device__ void named_arrive(int barrier, int threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

extern "C" __global__ void half_with_its_own_barrier(const int* in, int* out) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = 0;
  __syncthreads();
  tile[t] = in[t];  // races
  if (ordered) {
    if (t < 64) {
      asm volatile("bar.sync 1, 64;" ::: "memory");
    } else {
      asm volatile("bar.sync 2, 64;" ::: "memory");
    }
  }
  out[t] = tile[t ^ 32];  // races
}

// The barriers synchronise warps 0 and 2, 1 and 3; the data goes between 0 and 1, 2 and 3.
extern "C" __global__ void barrier_of_the_other_half(const int* in, int* out) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = 0;
  __syncthreads();
  const int warp = t / 32;
  tile[t] = in[t];  // races
  named_sync(1 + (ordered ? warp / 2 : warp % 2), 64);
  out[t] = tile[t ^ 32];  // races
}

// The threads of each half are ordered, but they read data of the other half.
extern "C" __global__ void halves_are_not_ordered(const int* in, int* out) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = 0;
  __syncthreads();
  tile[t] = in[t];  // races
  named_sync(ordered ? 1 : 1 + t / 64, ordered ? 128 : 64);
  out[t] = tile[t ^ 64];  // races
}

// Warps 0 and 1 produce, warps 2 and 3 consume: the tile is full.
extern "C" __global__ void producer_announces_full(const int* in, int* out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  if (t < 64) tile[t] = 0;
  __syncthreads();
  if (t < 64) {
    if (!ordered) named_arrive(1, 128);
    tile[t] = in[t];  // races
    if (ordered) named_arrive(1, 128);
  } else {
    named_sync(1, 128);
    out[t] = tile[127 - t];  // races
  }
}

// The reverse direction: the tile may be filled again.
extern "C" __global__ void consumer_announces_empty(const int* in, int* out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  if (t < 64) {
#pragma unroll 1
    for (int step = 0; step < 3; ++step) {
      if (step > 0) named_sync(2, 128);
      tile[t] = in[64 * step + t];  // races
      named_arrive(1, 128);
    }
  } else {
    int sum = 0;
#pragma unroll 1
    for (int step = 0; step < 3; ++step) {
      named_sync(1, 128);
      if (!ordered && step < 2) named_arrive(2, 128);
      sum += tile[127 - t];  // races
      if (ordered && step < 2) named_arrive(2, 128);
    }
    out[t] = sum;
  }
}

// An arrival without a wait does not order the later accesses of the thread.
extern "C" __global__ void arriving_is_not_waiting(const int* in, int* out) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = 0;
  __syncthreads();
  tile[t] = in[t];  // races
  if (t < 64) {
    named_sync(1, 128);
  } else if (ordered) {
    named_sync(1, 128);
  } else {
    named_arrive(1, 128);
  }
  if (t >= 64) out[t] = tile[t - 64];  // races
}

// Both kinds of barrier in one kernel.
extern "C" __global__ void named_then_whole_block(const int* in, int* out) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = in[t];  // races
  named_sync(3 + t / 64, 64);
  const int near = tile[t ^ 32];  // races
  if (ordered) __syncthreads();
  tile[t ^ 64] = near;  // races
  __syncthreads();
  out[t] = tile[127 - t];
}

// The order is transitive: warp 0 before warp 1 before warp 2.
extern "C" __global__ void order_is_transitive(const int* in, int* out) {
  __shared__ int data[32];
  const int t = threadIdx.x;
  if (t < 32) data[t] = 0;
  __syncthreads();
  if (t < 32) {
    data[t] = in[t];  // races
    named_arrive(1, 64);
  } else if (t < 64) {
    if (ordered) named_sync(1, 64);
    named_arrive(2, 64);
    if (!ordered) named_sync(1, 64);
  } else {
    named_sync(2, 64);
    out[t] = data[t - 64];  // races
  }
}
