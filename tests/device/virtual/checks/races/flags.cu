// Order without barriers: fences and flags.

extern "C" __global__ void flag_with_fences(const int* in, int* out) {
  __shared__ int data[32];
  __shared__ volatile int flag;
  const int t = threadIdx.x;
  if (t < 32) data[t] = 0;
  if (t == 0) flag = 0;
  __syncthreads();
  if (t < 32) {
    data[t] = in[t];  // races
    __syncwarp();
    if (ordered) __threadfence_block();
    if (t == 0) flag = 1;
  } else {
    while (flag == 0) {
    }
    if (ordered) __threadfence_block();
    out[t] = data[63 - t];  // races
  }
}

// With the producer's fence alone, the consumer may have read before.
extern "C" __global__ void flag_without_fence_of_consumer(const int* in, int* out) {
  __shared__ int data[32];
  __shared__ volatile int flag;
  const int t = threadIdx.x;
  if (t < 32) data[t] = 0;
  if (t == 0) flag = 0;
  __syncthreads();
  if (t < 32) {
    data[t] = in[t];  // races
    __syncwarp();
    __threadfence_block();
    if (t == 0) flag = 1;
  } else {
    while (flag == 0) {
    }
    if (ordered) __threadfence_block();
    out[t] = data[63 - t];  // races
  }
}

// A fence after the flag is too late.
extern "C" __global__ void fence_before_flag(const int* in, int* out) {
  __shared__ int data;
  __shared__ volatile int flag;
  const int t = threadIdx.x;
  if (t == 0) data = 0;
  if (t == 0) flag = 0;
  __syncthreads();
  if (t == 0) {
    data = in[7];  // races
    if (ordered) __threadfence_block();
    flag = 1;
    if (!ordered) __threadfence_block();
  }
  if (t == 32) {
    while (flag == 0) {
    }
    __threadfence_block();
    out[t] = data;  // races
  }
}

extern "C" __global__ void flag_by_atomics(const int* in, int* out) {
  __shared__ int data;
  __shared__ int flag;
  const int t = threadIdx.x;
  if (t == 0) data = 0;
  if (t == 0) flag = 0;
  __syncthreads();
  if (t == 0) {
    data = in[7];  // races
    if (ordered) __threadfence_block();
    atomicExch(&flag, 1);
  }
  if (t == 32) {
    while (atomicAdd(&flag, 0) == 0) {
    }
    __threadfence_block();
    out[t] = data;  // races
  }
}

// The warp that arrives last adds up the values of all.
extern "C" __global__ void last_to_arrive(const int* in, int* out) {
  __shared__ int partial[4];
  __shared__ int arrived;
  const int t = threadIdx.x;
  if (t < 4) partial[t] = 0;
  if (t == 0) arrived = 0;
  __syncthreads();
  if (t % 32 == 0) {
    partial[t / 32] = in[t];  // races
    if (ordered) __threadfence_block();
    if (atomicAdd(&arrived, 1) == 3) {
      if (ordered) __threadfence_block();
      out[0] = partial[0] + partial[1] + partial[2] + partial[3];  // races
    }
  }
}

// A lock with its fences orders the critical sections.
extern "C" __global__ void lock(const int* in, int* out) {
  __shared__ int held;
  __shared__ int total;
  const int t = threadIdx.x;
  if (t == 0) held = 0;
  if (t == 0) total = 0;
  __syncthreads();
  if (t % 32 == 0) {
    while (atomicCAS(&held, 0, 1) != 0) {
    }
    if (ordered) __threadfence_block();
    total += in[t];  // races
    if (ordered) __threadfence_block();
    atomicExch(&held, 0);
  }
  __syncthreads();
  if (t == 0) out[0] = total;
}

// Writes after the first message are not released by it.
extern "C" __global__ void second_message(const int* in, int* out) {
  __shared__ int first;
  __shared__ int second;
  __shared__ volatile int flag;
  const int t = threadIdx.x;
  if (t == 0) {
    first = 0;
    second = 0;
    flag = 0;
  }
  __syncthreads();
  if (t == 0) {
    first = in[1];
    __threadfence();
    flag = 1;
    second = in[2];  // races
    if (ordered) __threadfence();
    flag = 2;
  }
  if (t == 32) {
    while (flag != 2) {
    }
    __threadfence();
    out[0] = first;
    out[1] = second;  // races
  }
}

// A lane's fence covers the writes of other lanes only after a barrier of these lanes.
extern "C" __global__ void fence_of_one_lane(const int* in, int* out) {
  __shared__ int data[32];
  __shared__ volatile int flag;
  const int t = threadIdx.x;
  if (t < 32) data[t] = 0;
  if (t == 0) flag = 0;
  __syncthreads();
  if (t < 32) {
    data[t] = in[t];  // races
    if (ordered) __syncwarp();
    if (t == 0) {
      __threadfence_block();
      flag = 1;
    }
  } else {
    while (flag == 0) {
    }
    __threadfence_block();
    out[t] = data[63 - t];  // races
  }
}

// The flag may be in another memory than the data.
extern "C" __global__ void flag_in_global_memory(const int* in, int* out) {
  __shared__ int data;
  volatile int* const flag = out + 512;
  const int t = threadIdx.x;
  if (t == 0) data = 0;
  __syncthreads();
  if (t == 0) {
    data = in[7];  // races
    if (ordered) __threadfence_system();
    *flag = 1;
  }
  if (t == 32) {
    while (*flag == 0) {
    }
    if (ordered) __threadfence_system();
    out[0] = data;  // races
  }
}

extern "C" __global__ void release_and_acquire(const int* in, int* out) {
  __shared__ int data;
  __shared__ int flag;
  const int t = threadIdx.x;
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(&flag));
  if (t == 0) data = 0;
  if (t == 0) flag = 0;
  __syncthreads();
  if (t == 0) {
    data = in[7];  // races
    if (ordered) {
      asm volatile("st.release.cta.shared.s32 [%0], 1;" ::"r"(address) : "memory");
    } else {
      asm volatile("st.relaxed.cta.shared.s32 [%0], 1;" ::"r"(address) : "memory");
    }
  }
  if (t == 32) {
    int seen = 0;
    while (seen == 0) {
      if (ordered) {
        asm volatile("ld.acquire.cta.shared.s32 %0, [%1];" : "=r"(seen) : "r"(address) : "memory");
      } else {
        asm volatile("ld.relaxed.cta.shared.s32 %0, [%1];" : "=r"(seen) : "r"(address) : "memory");
      }
    }
    out[0] = data;  // races
  }
}
