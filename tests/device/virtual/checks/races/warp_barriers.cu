// Order by __syncwarp within a warp.

extern "C" __global__ void exchange_in_warp(const int* in, int* out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = in[t];  // races
  if (ordered) __syncwarp();
  out[t] = tile[t ^ 1];  // races
}

// Each half of a warp exchanges data within itself, with a barrier of its own.
extern "C" __global__ void exchange_in_half_warp(const int* in, int* out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = in[t];  // races
  if (ordered) __syncwarp(t % 32 < 16 ? 0x0000ffffu : 0xffff0000u);
  out[t] = tile[t ^ 8];  // races
}

// The barriers of the two halves do not order one half before the other.
extern "C" __global__ void exchange_across_half_warps(const int* in, int* out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = in[t];  // races
  __syncwarp(ordered ? 0xffffffffu : t % 32 < 16 ? 0x0000ffffu : 0xffff0000u);
  out[t] = tile[t ^ 16];  // races
}

// A warp barrier does not order the accesses of another warp.
extern "C" __global__ void warp_barrier_across_warps(const int* in, int* out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = 0;
  __syncthreads();
  tile[t] = in[t];  // races
  if (ordered) {
    __syncthreads();
  } else {
    __syncwarp();
  }
  out[t] = tile[t ^ 32];  // races
}

extern "C" __global__ void divergent_branches(const int* in, int* out) {
  __shared__ int tile[16];
  const int t = threadIdx.x;
  if (t < 16) tile[t] = 0;
  __syncwarp();
  if (t < 16) {
    tile[t] = in[t];  // races
  }
  if (ordered) __syncwarp();
  if (t >= 16) {
    out[t] = tile[t - 16];  // races
  }
}

// The last steps of a reduction, within one warp.
extern "C" __global__ void warp_reduction(const int* in, int* out) {
  __shared__ int partial[64];
  const int t = threadIdx.x;
  partial[t] = in[t];
  partial[t + 32] = in[t + 32];
  __syncwarp();
  for (int stride = 32; stride > 0; stride /= 2) {
    if (t < stride) partial[t] += partial[t + stride];  // races
    if (ordered) __syncwarp();
  }
  if (t == 0) out[0] = partial[0];
}

// CUDA programming guide, "Warp Shuffle Functions": no memory barrier is implied.
extern "C" __global__ void shuffle_is_no_barrier(const int* in, int* out) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  tile[t] = in[t];  // races
  const int other = __shfl_xor_sync(0xffffffffu, in[t], 1);
  if (ordered) __syncwarp();
  out[t] = tile[t ^ 1] - other;  // races
}

// The same guide, "Warp Vote Functions".
extern "C" __global__ void vote_is_no_barrier(const int* in, int* out) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  tile[t] = in[t];  // races
  const int any = __any_sync(0xffffffffu, in[t] == 3);
  if (ordered) __syncwarp();
  out[t] = tile[t ^ 1] + any;  // races
}

// A queue per warp: some lanes read it, others refill it.
extern "C" __global__ void refill_after_read(const int* in, int* out) {
  __shared__ int queue[16];
  const int t = threadIdx.x;
  int sum = 0;
#pragma unroll 1
  for (int step = 0; step < 4; ++step) {
    if (t < 16) queue[t] = in[16 * step + t];  // races
    __syncwarp();
    if (t >= 16) sum += queue[t - 16];  // races
    if (ordered) __syncwarp();
  }
  out[t] = sum;
}
