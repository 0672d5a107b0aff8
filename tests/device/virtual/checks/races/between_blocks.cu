// Accesses of several blocks to the same memory: only releases and acquires of device scope order
// them.

__device__ unsigned counter;
__device__ volatile int flag;
__device__ volatile int second_flag;
__device__ int lock;
__device__ int data[128];
__device__ int result;

extern "C" __global__ void blocks_write_apart(const int* in, int* out) {
  const int first = ordered ? blockIdx.x * blockDim.x : 0;
  out[first + threadIdx.x] = in[threadIdx.x] + blockIdx.x;  // races
}

// The pattern of the CUDA C++ Programming Guide, 7.5: the block that arrives last adds up.
extern "C" __global__ void last_block_adds_up(const int* in, int* out) {
  __shared__ bool last;
  const int t = threadIdx.x;
  if (t == 0) {
    out[blockIdx.x] = in[blockIdx.x];  // races
    if (ordered) __threadfence();
    last = atomicInc(&counter, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && t == 0) {
    if (ordered) __threadfence();
    int sum = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) sum += out[i];  // races
    out[100] = sum;
  }
}

extern "C" __global__ void message_to_next_block(const int* in, int* out) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0 && t == 0) {
    data[0] = in[5];  // races
    if (ordered) __threadfence();
    flag = 1;
  }
  if (blockIdx.x == 1 && t == 0) {
    while (flag == 0) {
    }
    if (ordered) __threadfence();
    out[0] = data[0];  // races
  }
}

// A fence of block scope does not order accesses of another block.
extern "C" __global__ void fence_of_the_device(const int* in, int* out) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0 && t == 0) {
    data[0] = in[5];  // races
    if (ordered) {
      __threadfence();
    } else {
      __threadfence_block();
    }
    flag = 1;
  }
  if (blockIdx.x == 1 && t == 0) {
    while (flag == 0) {
    }
    __threadfence();
    out[0] = data[0];  // races
  }
}

// A release of block scope is not strong for another block: the flag races, too.
extern "C" __global__ void release_to_the_device(const int* in, int* out) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0 && t == 0) {
    data[0] = in[5];  // races
    if (ordered) {
      asm volatile("st.release.gpu.global.s32 [%0], 1;" ::"l"(&lock) : "memory");
    } else {
      asm volatile("st.release.cta.global.s32 [%0], 1;" ::"l"(&lock) : "memory");  // races
    }
  }
  if (blockIdx.x == 1 && t == 0) {
    int raised = 0;
    while (raised == 0) {
      asm volatile("ld.acquire.gpu.global.s32 %0, [%1];"
                   : "=r"(raised)
                   : "l"(&lock)  // races
                   : "memory");
    }
    out[0] = data[0];  // races
  }
}

extern "C" __global__ void barrier_of_the_grid(const int* in, int* out) {
  const unsigned all = gridDim.x * blockDim.x;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];  // races
  __syncthreads();
  if (threadIdx.x == 0) {
    if (ordered) __threadfence();
    atomicAdd(&counter, 1u);
    while (*const_cast<volatile unsigned*>(&counter) < gridDim.x) {
    }
    if (ordered) __threadfence();
  }
  __syncthreads();
  const int other = out[all - 1 - i];  // races
  out[512 + i] = other;
}

extern "C" __global__ void lock_of_the_grid(const int*, int* out) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  if (ordered) __threadfence();
  out[0] += 1;  // races
  if (ordered) __threadfence();
  atomicExch(&lock, 0);
}

// Every thread executes a fence, all synchronise, and one sets the flag.
extern "C" __global__ void fence_barrier_flag(const int* in, int* out) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = in[t];  // races
    if (ordered) __threadfence();
    __syncthreads();
    if (t == 0) flag = 1;
  } else {
    if (t == 0) {
      while (flag == 0) {
      }
    }
    __syncthreads();
    __threadfence();
    out[t] = data[127 - t];  // races
  }
}

// After an acquire by the first lane, the warp barrier orders the other lanes, too. A relaxed read
// is no acquire.
extern "C" __global__ void warp_barrier_passes_on(const int* in, int* out) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = in[t];  // races
    __syncthreads();
    if (t == 0) {
      __threadfence();
      flag = 1;
    }
  } else {
    if (t % 32 == 0) {
      while (flag == 0) {
      }
      if (ordered || t == 0) __threadfence();
    }
    __syncwarp();
    out[t] = data[127 - t];  // races
  }
}

extern "C" __global__ void chain_of_blocks(const int* in, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    data[0] = in[5];  // races
    __threadfence();
    flag = 1;
  } else if (blockIdx.x == 1) {
    while (flag == 0) {
    }
    if (ordered) __threadfence();
    second_flag = 1;
  } else if (blockIdx.x == 2) {
    while (second_flag == 0) {
    }
    __threadfence();
    out[0] = data[0];  // races
  }
}

extern "C" __global__ void histogram_of_the_grid(const int* in, int* out) {
  int* const bin = &out[in[threadIdx.x] % 7];
  if (ordered) {
    atomicAdd(bin, 1);
  } else {
    *bin += 1;  // races
  }
}

// Atomics of block scope are not atomic for another block.
extern "C" __global__ void atomics_of_the_device(const int*, int* out) {
  if (threadIdx.x != 0) return;
  if (ordered) {
    atomicAdd(out, 1);
  } else {
    atomicAdd_block(out, 1);  // races
  }
}

extern "C" __global__ void plain_read_of_a_count(const int*, int* out) {
  if (threadIdx.x != 0) return;
  atomicAdd(&counter, 1u);  // races
  if (ordered) {
    out[blockIdx.x] = atomicAdd(&counter, 0u);
  } else {
    out[blockIdx.x] = counter;  // races
  }
}

// The block that arrives last has observed the updates of all others, and resets the counter. The
// first block has not.
extern "C" __global__ void counter_reset_by_last_block(const int*, int* out) {
  __shared__ unsigned ticket;
  if (threadIdx.x == 0) ticket = atomicInc(&counter, 1000);  // races
  __syncthreads();
  const bool resets = ordered ? ticket == gridDim.x - 1 : blockIdx.x == 0;
  if (resets && threadIdx.x == 1) counter = 0;  // races
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
