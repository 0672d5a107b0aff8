// The shared memory of the launch is an expression of the contract.
// run: init FILE
// prints: shared    = "experts * 4"  # from the launch
// prints: define    = "y[j] = sum(i: 1 where x[i] == j)"
// prints: requires  = ["experts <= 1024", "tokens <= 1024"]
__global__ void k(const int* x, int* y, int tokens, int experts) {
  extern __shared__ int s[];
  if (threadIdx.x < experts) s[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x < tokens) atomicAdd(&s[x[threadIdx.x]], 1);
  __syncthreads();
  if (threadIdx.x < experts) y[threadIdx.x] = s[threadIdx.x];
}
void run(const int* x, int* y, int tokens, int experts) {
  k<<<1, 1024, experts * 4>>>(x, y, tokens, experts);
}
