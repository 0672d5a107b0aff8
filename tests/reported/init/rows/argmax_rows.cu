// The position of the largest element of each row.
// run: init FILE
// prints: "idx[i] = argmax(j: p[i,j])"
__global__ void am(const float* p, int* idx, int B, int V) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= B) return;
  int best = 0;
  for (int j = 1; j < V; ++j)
    if (p[r * V + j] > p[r * V + best]) best = j;
  idx[r] = best;
}
