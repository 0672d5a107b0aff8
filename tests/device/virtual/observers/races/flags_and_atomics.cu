// Order without barriers: flags, fences, atomics. Each kernel is free of races where `ordered`, and
// otherwise has one, between the lines marked so. The test defines `ordered` and compiles the file
// both ways.

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

// The producer's fence alone leaves the consumer free to have read before.
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

// The warp that comes last adds up what all have left.
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

// An atomic update is no licence for others' plain reads.
extern "C" __global__ void plain_read_of_atomic(const int* in, int* out) {
  __shared__ int count;
  const int t = threadIdx.x;
  if (t == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, in[t]);  // races
  if (ordered) __syncthreads();
  out[t] = count;  // races
}

// A look at a counter that others still change is in order if it is volatile.
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

// Places handed out by an atomic counter are each taken once.
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

// A lock with its fences: the critical section is in order.
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
