// Prefix sums of a block: a step over the warp that skips one lane; a barrier that is missing where
// the sums of the warps are used again.
template <bool kSkipsLane, bool kNoBarrier>
__global__ void scan(const float* x, float* y, int length) {
  __shared__ float sums[2];  // one sum per warp
  const int lane = threadIdx.x % 32;
  float before = 0.0f;
  for (int begin = 0; begin < length; begin += 64) {
    const int j = begin + threadIdx.x;
    float sum = j < length ? x[j] : 0.0f;
    for (int step = 1; step < 32; step *= 2) {
      const float other = __shfl_up_sync(~0u, sum, step);
      if (kSkipsLane ? lane > step : lane >= step) sum += other;
    }
    if (lane == 31) sums[threadIdx.x / 32] = sum;  // finding here
    __syncthreads();
    const float offset = before + (threadIdx.x >= 32 ? sums[0] : 0.0f);  // finding here
    before += sums[0] + sums[1];                                         // finding here
    if (j < length) y[j] = offset + sum;                                 // finding here
    if (!kNoBarrier) __syncthreads();
  }
}
