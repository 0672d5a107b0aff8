// Uses a library that contains the CUDA runtime: linked, or loaded when the program runs.
#include <dlfcn.h>

#include <cstdio>

#ifdef LINKED
extern "C" int run(int*);
#endif

int main() {
#ifndef LINKED
  void* const library = dlopen("./liblibrary.so", RTLD_NOW);
  if (library == nullptr) return 7;
  auto* const run = reinterpret_cast<int (*)(int*)>(dlsym(library, "run"));
#endif
  int* x;
  cudaMalloc(&x, 256);
  cudaMemset(x, 0, 256);
  const int error = run(x);
  std::printf("run: %d %s\n", error, cudaGetErrorString(cudaDeviceSynchronize()));
}
