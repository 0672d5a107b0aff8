// Managed memory and variables, and a structure of pointers, passed by value. With DEFECT, memory
// is freed twice.
#include <cstdio>

#include "timing.hpp"

__managed__ int calls = 5;
__managed__ int* last;

struct Vectors {
  const int* in;
  int* out;
  int n;
};

__global__ void negate(Vectors vectors) {
  if (threadIdx.x < vectors.n) vectors.out[threadIdx.x] = -vectors.in[threadIdx.x];
  if (threadIdx.x == 0) {
    calls += 10;
    last = &calls;
  }
}

int main() {
  const Timing timing;
  int* in;
  int* out;
  cudaMallocManaged(&in, 64 * sizeof(int));
  cudaMallocManaged(&out, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i) in[i] = i;
  ++calls;
  negate<<<1, 64>>>({in, out, 64});
  cudaDeviceSynchronize();
  bool correct = calls == 16 && last == &calls;
  for (int i = 0; i < 64; ++i) correct = correct && out[i] == -i;
  cudaFree(in);
#ifdef DEFECT
  cudaFree(in);  // finding here
#endif
  cudaFree(out);
  if (!correct) return 7;
  std::puts("correct");
}
