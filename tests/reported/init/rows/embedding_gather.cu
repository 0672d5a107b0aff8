// Rows of a table whose length the kernel does not take.
// run: init FILE
// prints: inputs.table = { shape = ["positions", "D"] }
// prints: "out[i,j] = table[ids[i],j]"
__global__ void emb(const int* ids, const float* table, float* out, int T, int D) {
  int t = blockIdx.x;
  for (int d = threadIdx.x; d < D; d += blockDim.x) out[t * D + d] = table[ids[t] * D + d];
}
