// Kernels that launch kernels: grids in streams of the device sum parts, and a tail launch adds the
// sums. With DEFECT, nothing orders the grid that sums a part after the one that fills it.
#include <cstdio>

constexpr int kParts = 4;
constexpr int kPart = 128;

__global__ void fill(int* part, int first) {
  part[threadIdx.x] = first + static_cast<int>(threadIdx.x);
}

__global__ void sum(const int* part, int* total) {
  __shared__ int partial[kPart];
  const unsigned at = threadIdx.x;
  partial[at] = part[at];  // finding here
  for (unsigned half = kPart / 2; half != 0; half /= 2) {
    __syncthreads();
    if (at < half) partial[at] += partial[at + half];
  }
  if (at == 0) *total = partial[0];
}

__global__ void combine(const int* totals, int* result, const int* scale) {
  int all = 0;
  for (int i = 0; i < kParts; ++i) all += totals[i];
  *result = all * __ldg(scale);  // the parent has written it: another grid
}

__global__ void parent(int* values, int* totals, int* result, int* scale) {
  const int at = static_cast<int>(threadIdx.x);
  if (at < kParts) totals[at] = 0;
  __syncthreads();
  if (at < kParts) {
    int* const part = values + at * kPart;
    // Grids of a block in one stream run one after the other.
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    fill<<<1, kPart, 0, stream>>>(part, at * kPart);
#ifdef DEFECT
    sum<<<1, kPart, 0, cudaStreamFireAndForget>>>(part, &totals[at]);
#else
    sum<<<1, kPart, 0, stream>>>(part, &totals[at]);
#endif
    cudaStreamDestroy(stream);
  }
  if (at == 0) {
    *scale = 2;
    combine<<<1, 1, 0, cudaStreamTailLaunch>>>(totals, result, scale);
    if (cudaGetLastError() != cudaSuccess) std::printf("wrong launch\n");
  }
}

int main() {
  int *values, *totals, *result, *scale;
  cudaMalloc(&values, kParts * kPart * sizeof(int));
  cudaMalloc(&totals, kParts * sizeof(int));
  cudaMalloc(&result, sizeof(int));
  cudaMalloc(&scale, sizeof(int));
  parent<<<1, 32>>>(values, totals, result, scale);
  int sum = 0;
  cudaMemcpy(&sum, result, sizeof sum, cudaMemcpyDeviceToHost);
  constexpr int kCount = kParts * kPart;
  std::puts(sum == kCount * (kCount - 1) ? "correct" : "wrong");
  for (int* const memory : {values, totals, result, scale}) cudaFree(memory);
}
