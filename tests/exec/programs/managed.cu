// Managed memory and a structure of pointers, passed by value. With DEFECT, memory is freed twice.
#include <cstdio>

struct Vectors {
  const int* in;
  int* out;
  int n;
};

__global__ void negate(Vectors vectors) {
  if (threadIdx.x < vectors.n) vectors.out[threadIdx.x] = -vectors.in[threadIdx.x];
}

int main() {
  int* in;
  int* out;
  cudaMallocManaged(&in, 64 * sizeof(int));
  cudaMallocManaged(&out, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i) in[i] = i;
  negate<<<1, 64>>>({in, out, 64});
  cudaDeviceSynchronize();
  bool correct = true;
  for (int i = 0; i < 64; ++i) correct = correct && out[i] == -i;
  cudaFree(in);
#ifdef DEFECT
  cudaFree(in);  // finding here
#endif
  cudaFree(out);
  if (!correct) return 7;
  std::puts("correct");
}
