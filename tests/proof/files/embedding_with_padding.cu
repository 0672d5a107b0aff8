// Embedding lookup: out[t, :] = table[ids[t], :], zeros for padding_idx and for ids outside [0,
// vocab). Any num_tokens >= 1, vocab >= 1, dim >= 1; num_tokens * dim may exceed 2^31.
#include <cuda_runtime.h>

#include <algorithm>

__global__ void embedding_kernel(const int* __restrict__ ids, const float* __restrict__ table,
                                 float* __restrict__ out, long long num_tokens, int vocab, int dim,
                                 int padding_idx) {
  const long long total = num_tokens * dim;
  const long long step = (long long)gridDim.x * blockDim.x;
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < total; i += step) {
    const long long token = i / dim;
    const int d = (int)(i - token * dim);
    const int id = ids[token];
    float value = 0.0f;
    if (id != padding_idx && id >= 0 && id < vocab) {
      value = table[(long long)id * dim + d];
    }
    out[i] = value;
  }
}

void launch_embedding_with_padding(const int* ids, const float* table, float* out, int num_tokens,
                                   int vocab, int dim, int padding_idx, cudaStream_t stream) {
  const long long total = (long long)num_tokens * dim;
  const int threads = 256;
  const long long wanted = (total + threads - 1) / threads;
  const int blocks = (int)std::min<long long>(wanted, 65535);
  embedding_kernel<<<blocks, threads, 0, stream>>>(ids, table, out, num_tokens, vocab, dim,
                                                   padding_idx);
}
