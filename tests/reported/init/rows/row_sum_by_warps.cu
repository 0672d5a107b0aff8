// Sums of rows, a warp for each.
// run: init FILE
// prints: "v[i] = sum(j: m[i,j])"
// prints: grid      = ["h"]
__global__ void rs(const float* m, float* v, int h, int w) {
  int r = blockIdx.x;
  float s = 0;
  for (int j = threadIdx.x; j < w; j += 32) s += m[r * w + j];
  for (int o = 16; o; o >>= 1) s += __shfl_down_sync(~0u, s, o);
  if (threadIdx.x == 0) v[r] = s;
}
