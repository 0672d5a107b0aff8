// Loads one library after the other, each of which may get the address of the one before.
#include <dlfcn.h>

#include <cstdio>

int main(int arguments, char** argument) {
  int* x;
  cudaMalloc(&x, 256);
  cudaMemset(x, 0, 256);
  for (int i = 1; i < arguments; ++i) {
    void* const library = dlopen(argument[i], RTLD_NOW);
    if (library == nullptr) return 7;
    const int error = reinterpret_cast<int (*)(int*)>(dlsym(library, "run"))(x);
    int first = 0;
    cudaMemcpy(&first, x, sizeof first, cudaMemcpyDeviceToHost);
    std::printf("%d %d\n", error, first);
    dlclose(library);
  }
  return cudaFree(x);
}
