// Prints which of the driver's functions have the address that cuGetProcAddress() returns for a
// version of CUDA.
#include <cuda.h>
#include <dlfcn.h>

#include <cstdio>
#include <string>

#include "check.h"

int main() {
  void* const driver = dlopen("libcuda.so.1", RTLD_NOW);
  for (const char* const name : {"cuCtxGetDevice", "cuMemAlloc", "cuCtxCreate", "cuLaunchKernel"}) {
    for (const int version : {2000, 3020, 12050, 13000}) {
      void* function = nullptr;
      CHECK(cuGetProcAddress(name, &function, version, 0, nullptr));
      for (const char* const suffix : {"", "_v2", "_v3", "_v4"}) {
        if (dlsym(driver, (std::string(name) + suffix).c_str()) != function) continue;
        std::printf("%d %s%s\n", version, name, suffix);
      }
    }
  }
}
