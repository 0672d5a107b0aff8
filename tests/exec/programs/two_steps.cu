// The second kernel reads what the first one writes.
__global__ void first(int* values) { values[threadIdx.x] = static_cast<int>(threadIdx.x); }
__global__ void second(int* values) { values[threadIdx.x] *= 2; }

int main() {
  int* values;
  cudaMalloc(&values, 32 * sizeof(int));
  first<<<1, 32>>>(values);
  second<<<1, 32>>>(values);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
