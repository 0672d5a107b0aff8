// Order by __syncthreads.

// Every thread reads the element that the opposite thread wrote.
extern "C" __global__ void write_then_read(const int* in, int* out) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = 0;
  __syncthreads();
  tile[t] = in[t];  // races
  if (ordered) __syncthreads();
  out[t] = tile[127 - t];  // races
}

// The barrier is on the wrong side of the write.
extern "C" __global__ void barrier_on_the_right_side(const int* in, int* out) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = 0;
  if (!ordered) __syncthreads();
  tile[t] = in[t];  // races
  if (ordered) __syncthreads();
  out[t] = tile[127 - t];  // races
}

extern "C" __global__ void fence_is_no_barrier(const int* in, int* out) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = 0;
  __syncthreads();
  tile[t] = in[t];  // races
  if (ordered) {
    __syncthreads();
  } else {
    __threadfence_block();
  }
  out[t] = tile[127 - t];  // races
}

// The tiled loop of textbooks: the tile is loaded, used, and loaded again.
extern "C" __global__ void read_then_overwrite_in_loop(const int* in, int* out) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = 0;
  __syncthreads();
  int sum = 0;
  for (int step = 0; step < 4; ++step) {
    tile[t] = in[128 * step + t];  // races
    __syncthreads();
    sum += tile[127 - t];  // races
    if (ordered) __syncthreads();
  }
  out[t] = sum;
}

extern "C" __global__ void double_buffer(const int* in, int* out) {
  __shared__ int tile[2][128];
  const int t = threadIdx.x;
  int sum = 0;
  tile[0][t] = in[t];
  tile[1][t] = 0;
  __syncthreads();
  for (int step = 0; step < 6; ++step) {
    tile[(step + 1) % 2][t] = in[128 * (step + 1) + t];  // races
    sum += tile[step % 2][127 - t];                      // races
    if (ordered) __syncthreads();
  }
  out[t] = sum;
}

// Two buffers need a barrier in every iteration; a barrier in every other iteration is too few.
extern "C" __global__ void barrier_in_every_iteration(const int* in, int* out) {
  __shared__ int tile[2][128];
  const int t = threadIdx.x;
  int sum = 0;
  tile[0][t] = in[t];
  tile[1][t] = 0;
  __syncthreads();
#pragma unroll 1
  for (int step = 0; step < 6; ++step) {
    tile[(step + 1) % 2][t] = in[128 * (step + 1) + t];  // races
    sum += tile[step % 2][127 - t];                      // races
    if (ordered || step % 2 == 1) __syncthreads();
  }
  out[t] = sum;
}

// The number of iterations is known only at run time, but is the same for all threads.
extern "C" __global__ void uniform_trip_count(const int* in, int* out) {
  __shared__ int value[128];
  const int t = threadIdx.x;
  value[t] = in[t];
  __syncthreads();
#pragma unroll 1
  for (int step = 0; step < in[5]; ++step) {
    const int next = value[(t + 32) % 128];  // races
    if (ordered) __syncthreads();
    value[t] = next;  // races
    __syncthreads();
  }
  out[t] = value[t];
}

extern "C" __global__ void reduction_tree(const int* in, int* out) {
  __shared__ int partial[128];
  const int t = threadIdx.x;
  partial[t] = in[t];
  __syncthreads();
  for (int stride = 64; stride > 0; stride /= 2) {
    if (t < stride) partial[t] += partial[t + stride];  // races
    if (ordered) __syncthreads();
  }
  if (t == 0) out[0] = partial[0];
}

// The scan of Hillis and Steele: two buffers with a barrier per step, or one buffer for both.
extern "C" __global__ void scan(const int* in, int* out) {
  __shared__ int sum[2][128];
  const int t = threadIdx.x;
  int from = 0;
  sum[0][t] = in[t];
  __syncthreads();
  for (int distance = 1; distance < 128; distance *= 2) {
    const int to = ordered ? 1 - from : from;
    int value = sum[from][t];
    if (t >= distance) value += sum[from][t - distance];  // races
    sum[to][t] = value;                                   // races
    __syncthreads();
    from = to;
  }
  out[t] = sum[from][t];
}

extern "C" __global__ void transpose_tile(const int* in, int* out) {
  __shared__ int tile[16][17];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  tile[y][x] = 0;
  __syncthreads();
  tile[y][x] = in[16 * y + x];  // races
  if (ordered) __syncthreads();
  out[16 * y + x] = tile[x][y];  // races
}

// A stencil with own values and halo: only the values of neighbours are from other warps.
extern "C" __global__ void stencil_with_halo(const int* in, int* out) {
  __shared__ int line[130];
  const int t = threadIdx.x;
  line[t + 1] = 0;
  __syncthreads();
  line[t + 1] = in[t + 1];  // races
  if (t == 0) line[0] = in[0];
  if (t == 127) line[129] = in[129];
  __syncwarp();
  if (ordered) __syncthreads();
  out[t] = line[t] + line[t + 1] + line[t + 2];  // races
}

// Much later, with barriers in between, but none between these two accesses.
extern "C" __global__ void several_epochs(const int* in, int* out) {
  __shared__ int early[128];
  __shared__ int late[128];
  const int t = threadIdx.x;
  late[t] = 0;
  early[t] = in[t];
  __syncthreads();
  int sum = early[127 - t];
  __syncthreads();
  early[t] = sum + 1;
  __syncthreads();
  sum += early[(t + 64) % 128];
  late[t] = sum;  // races
  if (ordered) __syncthreads();
  sum += late[(t + 32) % 128];  // races
  __syncthreads();
  early[127 - t] = sum;
  __syncthreads();
  out[t] = early[t];
}

// The shared memory of the tiles is reused for the results.
extern "C" __global__ void reuse_for_write_back(const int* in, int* out) {
  extern __shared__ int storage[];
  const int t = threadIdx.x;
  storage[t] = in[t];
  __syncthreads();
  const int value = storage[127 - t];  // races
  if (ordered) __syncthreads();
  storage[t] = 2 * value;  // races
  __syncthreads();
  out[t] = storage[t ^ 32];
}

// bar.red orders as bar.sync does.
extern "C" __global__ void barrier_with_vote(const int* in, int* out) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = 0;
  __syncthreads();
  tile[t] = in[t];  // races
  const int any = ordered ? __syncthreads_or(in[t] == 3) : 0;
  out[t] = tile[127 - t] + any;  // races
}

extern "C" __global__ void block_of_one_warp(const int* in, int* out) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  tile[t] = 0;
  __syncthreads();
  tile[t] = in[t];  // races
  if (ordered) __syncthreads();
  out[t] = tile[31 - t];  // races
}

// The second warp is half a warp.
extern "C" __global__ void block_of_48_threads(const int* in, int* out) {
  __shared__ int tile[48];
  const int t = threadIdx.x;
  tile[t] = 0;
  __syncthreads();
  tile[t] = in[t];  // races
  if (ordered) __syncthreads();
  out[t] = tile[47 - t];  // races
}

// One thread writes, all read.
extern "C" __global__ void broadcast(const int* in, int* out) {
  __shared__ int word;
  const int t = threadIdx.x;
  if (t == 0) word = 0;
  __syncthreads();
  if (t == 77) word = in[t];  // races
  if (ordered) __syncthreads();
  out[t] = word;  // races
}

// All read, one of the readers overwrites: it races with the others, not with itself.
extern "C" __global__ void overwrite_after_broadcast(const int* in, int* out) {
  __shared__ int word;
  const int t = threadIdx.x;
  if (t == 0) word = in[9];
  __syncthreads();
  out[t] = word;  // races
  if (ordered) __syncthreads();
  if (t == 0) word = in[t];  // races
}

__device__ __noinline__ void meet() { __syncthreads(); }

extern "C" __global__ void barrier_in_function(const int* in, int* out) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = 0;
  meet();
  tile[t] = in[t];  // races
  if (ordered) meet();
  out[t] = tile[127 - t];  // races
}

// Half of the warps have exited when the others read.
extern "C" __global__ void warps_that_left(const int* in, int* out) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = 0;
  __syncthreads();
  tile[t] = in[t];  // races
  if (ordered) __syncthreads();
  if (t >= 64) return;
  out[t] = tile[t + 64];  // races
}

extern "C" __global__ void largest_block(const int* in, int* out) {
  __shared__ int tile[1024];
  const int t = threadIdx.x;
  tile[t] = 0;
  __syncthreads();
  tile[t] = in[t];  // races
  if (ordered) __syncthreads();
  out[t] = tile[1023 - t];  // races
}

// Accesses through addresses whose space is unknown at compile time.
extern "C" __global__ void generic_addresses(const int* in, int* out) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  int* const words = in[0] == 0 ? tile : out;
  words[t] = 0;
  __syncthreads();
  words[t] = in[t];  // races
  if (ordered) __syncthreads();
  out[t] = words[127 - t];  // races
}
