// Atomic and volatile accesses do not race with one another; weak accesses race with them.

extern "C" __global__ void histogram(const int* in, int* out) {
  __shared__ int bins[8];
  const int t = threadIdx.x;
  if (t < 8) bins[t] = 0;
  __syncthreads();
  const int bin = in[t] * 5 % 8;
  if (ordered) {
    atomicAdd(&bins[bin], 1);
  } else {
    bins[bin]++;  // races
  }
  __syncthreads();
  if (t < 8) out[t] = bins[t];
}

// An atomic update does not order weak reads by other threads.
extern "C" __global__ void plain_read_of_atomic(const int* in, int* out) {
  __shared__ int count;
  const int t = threadIdx.x;
  if (t == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, in[t]);  // races
  if (ordered) __syncthreads();
  out[t] = count;  // races
}

// A read of a counter that others still change is no race if it is volatile.
extern "C" __global__ void look_at_counter(const int* in, int* out) {
  __shared__ int count;
  const int t = threadIdx.x;
  if (t == 0) count = 0;
  __syncthreads();
  if (t < 32) {
    atomicAdd(&count, in[t]);  // races
  } else if (ordered) {
    out[t] = *(volatile int*)&count;
  } else {
    out[t] = count;  // races
  }
}

// An atomic counter assigns each place to one thread.
extern "C" __global__ void compaction(const int* in, int* out) {
  __shared__ int list[128];
  __shared__ int length;
  const int t = threadIdx.x;
  if (t == 0) length = 0;
  __syncthreads();
  if (in[t] % 3 == 0) {
    const int place = atomicAdd(&length, 1);
    list[ordered ? place : place % 8] = in[t];  // races
  }
  __syncthreads();
  if (t < 8) out[t] = list[t];
}

// A barrier orders the updates of two warps, but not those of the other two warps.
extern "C" __global__ void updates_of_others(const int* in, int* out) {
  __shared__ int count;
  const int t = threadIdx.x;
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(&count));
  if (t == 0) count = 0;
  __syncthreads();
  asm volatile("red.shared.add.s32 [%0], %1;" ::"r"(address), "r"(in[t]) : "memory");  // races
  if (ordered) {
    __syncthreads();
  } else if (t >= 64) {
    asm volatile("bar.sync 1, 64;" ::: "memory");
  }
  if (t >= 64) out[t] = count;  // races
}

// One of two reads is volatile, the other is not.
extern "C" __global__ void plain_beside_volatile(const int* in, int* out) {
  __shared__ int word;
  const int t = threadIdx.x;
  if (t == 0) word = 0;
  __syncthreads();
  if (t < 32) {
    *(volatile int*)&word = in[5];  // races
  } else {
    int sum = 0;
    if (!ordered) sum = word;  // races
    asm volatile("" ::: "memory");
    out[t] = sum + *(volatile int*)&word;
  }
}

// A volatile store does not order the weak store before it.
extern "C" __global__ void volatile_over_plain(const int* in, int* out) {
  __shared__ int word;
  const int t = threadIdx.x;
  if (t == 0) word = 0;
  __syncthreads();
  if (t == 0) {
    if (!ordered) word = in[4];  // races
    asm volatile("" ::: "memory");
    *(volatile int*)&word = in[5];
  }
  if (t == 32) out[t] = *(volatile int*)&word;  // races
}

// One thread resets a counter while others already count.
extern "C" __global__ void counter_set_without_barrier(const int* in, int* out) {
  __shared__ int count;
  const int t = threadIdx.x;
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(&count));
  if (t == 0) count = 5;
  __syncthreads();
  if (t == 0) count = 0;  // races
  if (ordered) __syncthreads();
  asm volatile("red.shared.add.s32 [%0], %1;" ::"r"(address), "r"(in[t]) : "memory");  // races
  __syncthreads();
  out[t] = count;
}

// The last thread that counts has observed the updates of all others, and resets the counter.
extern "C" __global__ void last_thread_resets(const int* in, int* out) {
  __shared__ int count;
  const int t = threadIdx.x;
  if (t == 0) count = 0;
  __syncthreads();
  const int ticket = atomicAdd(&count, 1);  // races
  const bool resets = ordered ? ticket == blockDim.x - 1 : t == 5;
  if (resets) count = in[0];  // races
  out[t] = ticket;
}

// The last thread that counts reads what all others stored before their fences.
extern "C" __global__ void last_thread_reads(const int* in, int* out) {
  __shared__ int count;
  __shared__ int part[1024];
  const int t = threadIdx.x;
  if (t == 0) count = 0;
  __syncthreads();
  part[t] = in[t];  // races
  if (ordered) __threadfence_block();
  if (atomicAdd(&count, 1) == blockDim.x - 1) {
    if (ordered) __threadfence_block();
    int sum = 0;
    for (int i = 0; i < blockDim.x; ++i) sum += part[i];  // races
    out[0] = sum;
  }
}
