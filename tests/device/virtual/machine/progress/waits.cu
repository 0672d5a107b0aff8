// Blocks and warps that wait for one another by polling memory. `out` holds zeros.

__device__ int load(const int* from) { return *(const volatile int*)from; }
__device__ void store(int* to, int value) { *(volatile int*)to = value; }

// Every block takes a ticket and waits for its turn.
extern "C" __global__ void ticket_lock(int* out) {
  if (threadIdx.x == 0) {
    const int ticket = atomicAdd(&out[0], 1);
    while (load(&out[1]) != ticket) {
    }
    out[2] = out[2] + ticket;
    __threadfence();
    store(&out[1], ticket + 1);
  }
}

// The block that arrives last adds up the values of all.
extern "C" __global__ void last_block(int* out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    out[16 + blockIdx.x] = blockIdx.x;
    __threadfence();
    last = atomicAdd(&out[0], 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    __threadfence();
    int sum = 0;
    for (int i = 0; i < gridDim.x; ++i) sum += load(&out[16 + i]);
    out[2] = sum;
  }
}

// Twice: all blocks must have left the first barrier before the second.
extern "C" __global__ void grid_barrier(int* out) {
  for (int round = 1; round <= 2; ++round) {
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(&out[0], 1);
      while (load(&out[0]) < round * gridDim.x) {  // waits
      }
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(&out[2], blockIdx.x);
}

// Sums travel from block to block.
extern "C" __global__ void waits_for_the_block_before(int* out) {
  if (threadIdx.x != 0) return;
  int sum = blockIdx.x;
  if (blockIdx.x != 0) {
    while (load(&out[16 + blockIdx.x - 1]) == 0) {
    }
    __threadfence();
    sum += load(&out[16 + blockIdx.x - 1]) - 1;
  }
  store(&out[16 + blockIdx.x], sum + 1);
  if (blockIdx.x == gridDim.x - 1) out[2] = sum;
}

extern "C" __global__ void waits_for_the_block_after(int* out) {
  if (threadIdx.x != 0) return;
  int sum = blockIdx.x;
  if (blockIdx.x != gridDim.x - 1) {
    while (load(&out[16 + blockIdx.x + 1]) == 0) {  // waits
    }
    __threadfence();
    sum += load(&out[16 + blockIdx.x + 1]) - 1;
  }
  store(&out[16 + blockIdx.x], sum + 1);
  if (blockIdx.x == 0) out[2] = sum;
}

// As in a stream-K product, the block that owns a tile waits for the parts of the others.
extern "C" __global__ void fix_up(int* out) {
  if (threadIdx.x != 0) return;
  const int owner = blockIdx.x / 4 * 4;
  if (blockIdx.x != owner) {
    out[16 + blockIdx.x] = blockIdx.x;
    __threadfence();
    atomicAdd(&out[16 + owner], 1);
    return;
  }
  while (load(&out[16 + owner]) != 3) {
  }
  __threadfence();
  int sum = owner;
  for (int i = 1; i < 4; ++i) sum += load(&out[16 + owner + i]);
  atomicAdd(&out[2], sum);
}

// A lock for which the lanes of a warp compete.
extern "C" __global__ void lock_within_a_warp(int* out) {
  while (atomicCAS(&out[0], 0, 1) != 0) {
  }
  out[2] = load(&out[2]) + threadIdx.x;
  __threadfence();
  atomicExch(&out[0], 0);
}

// A warp waits for another warp of its block.
extern "C" __global__ void flag_in_shared_memory(int* out) {
  __shared__ int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    while (load(&flag) == 0) {
    }
    if (threadIdx.x == 0) out[2] = 7;
  } else if (threadIdx.x == 32) {
    store(&flag, 1);
  }
}

// A long computation without memory accesses, which ends.
extern "C" __global__ void long_and_silent(int* out) {
  unsigned state = 1;
  for (int i = 0; i < 1000000; ++i) state = state * 1664525u + load(&out[5]) + 1013904223u;
  if (threadIdx.x == 0) out[2] = state;
}

// The flag is set and reset before the waiting thread reads it. In the end the thread reads it set.
extern "C" __global__ void flag_that_flickers(int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    while (load(&out[1]) != 1000) {
    }
    out[2] = 7;
  } else {
    for (int i = 1; i <= 1000; ++i) {
      store(&out[0], 1);
      store(&out[0], 0);
      store(&out[1], i);
    }
  }
}

extern "C" __global__ void flag_that_nobody_sets(int* out) {
  if (threadIdx.x == 0) {
    while (load(&out[3]) == 0) {  // waits
    }
  }
  __syncthreads();
  out[2] = 1;
}

extern "C" __global__ void lock_taken_twice(int* out) {
  if (threadIdx.x != 0) return;
  for (int i = 0; i < 2; ++i) {
    while (atomicCAS(&out[4], 0, 1) != 0) {  // waits
    }
  }
  out[2] = 1;
}

// Warp 1 waits at the barrier for warp 0, which waits for a store of warp 1 behind the barrier.
extern "C" __global__ void flag_behind_the_barrier(int* out) {
  __shared__ int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    while (load(&flag) == 0) {  // waits
    }
  }
  __syncthreads();
  if (threadIdx.x == 32) store(&flag, 1);
}

extern "C" __global__ void barriers_crossed(int* out) {
  if (threadIdx.x < 32) {
    asm volatile("bar.sync 1, 64;" ::: "memory");  // waits
    asm volatile("bar.sync 2, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 2, 64;" ::: "memory");  // waits
    asm volatile("bar.sync 1, 64;" ::: "memory");
  }
  out[2] = 1;
}

// Lanes 0 to 15 wait for lanes that have exited.
extern "C" __global__ void lanes_that_wait_apart(int* out) {
  if (threadIdx.x < 16) {
    __syncwarp(0xffffffff);  // waits
  } else if (threadIdx.x < 32) {
    __syncthreads();  // waits
  }
  out[2] = 1;
}

extern "C" __global__ void endless(int* out) {
  unsigned state = threadIdx.x;
  do {
    asm volatile("xor.b32 %0, %0, 1;" : "+r"(state));
  } while (state != 5000);  // loops
  out[2] = state;
}
