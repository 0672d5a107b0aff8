// Overlapping accesses: adjacent bytes and words, equal values, reads.

// Different threads write the bytes of one word, or two threads one byte.
extern "C" __global__ void bytes_of_a_word(const int* in, int* out) {
  __shared__ unsigned char bytes[128];
  const int t = threadIdx.x;
  bytes[ordered ? t : t ^ (t & 32)] = in[t];  // races
  __syncthreads();
  if (t < 32) out[t] = bytes[t];
}

// One thread writes a byte while another reads its word.
extern "C" __global__ void byte_in_a_word(const int* in, int* out) {
  __shared__ uint4 words[8];
  const int t = threadIdx.x;
  unsigned char* const bytes = reinterpret_cast<unsigned char*>(words);
  bytes[t] = 0;
  __syncthreads();
  const int word = reinterpret_cast<int*>(words)[t / 4];  // races
  if (ordered) __syncthreads();
  bytes[t ^ 32] = in[t];  // races
  __syncthreads();
  out[t] = word + bytes[t];
}

extern "C" __global__ void halves_of_a_word(const int* in, int* out) {
  __shared__ short halves[128];
  const int t = threadIdx.x;
  halves[t] = 0;
  __syncthreads();
  halves[t] = in[t];                        // races
  out[t] = halves[ordered ? t : (t ^ 64)];  // races
}

// The threads of four warps write one word each of every float4.
extern "C" __global__ void words_of_a_vector(const int* in, int* out) {
  __shared__ float4 vectors[32];
  const int t = threadIdx.x;
  float* const words = reinterpret_cast<float*>(vectors);
  const int mine = t % 32 * 4 + t / 32;
  words[mine] = 0.0f;
  __syncthreads();
  words[mine] = in[t];                          // races
  out[t] = words[ordered ? mine : (mine ^ 2)];  // races
}

// A vector load reads all of its words.
extern "C" __global__ void vector_over_words(const int* in, int* out) {
  __shared__ float4 vectors[32];
  const int t = threadIdx.x;
  float* const words = reinterpret_cast<float*>(vectors);
  words[t] = 0.0f;
  __syncthreads();
  words[t] = in[t];  // races
  if (ordered) __syncthreads();
  const float4 all = vectors[t % 32];  // races
  out[t] = all.x + all.y + all.z + all.w;
}

// All threads write the same value.
extern "C" __global__ void same_value_by_all(const int* in, int* out) {
  __shared__ int word;
  const int t = threadIdx.x;
  word = ordered ? in[3] : in[t];  // races
  __syncthreads();
  out[t] = word;
}

extern "C" __global__ void same_value_within_warp(const int* in, int* out) {
  __shared__ int word[4];
  const int t = threadIdx.x;
  word[t / 32] = ordered ? in[t / 32] : in[t];  // races
  __syncthreads();
  out[t] = word[t % 4];
}

extern "C" __global__ void reads_alone(const int* in, int* out) {
  __shared__ int word[4];
  const int t = threadIdx.x;
  if (t < 4) word[t] = in[t];
  __syncthreads();
  out[t] = word[t % 4];                        // races
  if (!ordered && t == 96) word[2] = in[100];  // races
}

// The accesses of one thread are always ordered.
extern "C" __global__ void own_word(const int* in, int* out) {
  __shared__ int word[128];
  const int t = threadIdx.x;
  word[t] = in[t];
  __syncthreads();
#pragma unroll 1
  for (int step = 0; step < 3; ++step) {
    const int value = word[ordered ? t : (t + step) % 128];  // races
    word[t] = value + 1;                                     // races
  }
  out[t] = word[t];
}

// Each block has its own shared memory.
extern "C" __global__ void several_blocks(const int* in, int* out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = 0;
  __syncthreads();
  tile[t] = in[64 * blockIdx.x + t];  // races
  if (ordered) __syncthreads();
  out[64 * blockIdx.x + t] = tile[63 - t];  // races
}
