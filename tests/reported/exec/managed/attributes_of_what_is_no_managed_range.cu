// Requests that cudaMemRangeGetAttribute refuses, as an H200 does.
// exits: 1
// prints: memory of the device 1, no bytes 1, size 8 1, size 2 1, size 6 1, attribute 99 1, too far 1
// prints: error[api-misuse]: cudaMemRangeGetAttribute: the range is not managed memory
// prints: error[api-misuse]: cudaMemRangeGetAttribute: the result has a wrong size
#include <cstdio>

int main() {
  char *managed, *device;
  cudaMallocManaged(&managed, 1 << 20);
  cudaMalloc(&device, 4096);
  constexpr auto kFlag = cudaMemRangeAttributeReadMostly;
  constexpr auto kList = cudaMemRangeAttributeAccessedBy;
  int values[4];
  const auto get = [&](const char* name, size_t size, cudaMemRangeAttribute attribute,
                       const char* memory, size_t bytes) {
    std::printf("%s %d", name, cudaMemRangeGetAttribute(values, size, attribute, memory, bytes));
  };
  get("memory of the device", 4, kFlag, device, 64);
  get(", no bytes", 4, kFlag, managed, 0);
  get(", size 8", 8, kFlag, managed, 64);
  get(", size 2", 2, kFlag, managed, 64);
  get(", size 6", 6, kList, managed, 64);
  get(", attribute 99", 4, static_cast<cudaMemRangeAttribute>(99), managed, 64);
  get(", too far", 4, kFlag, managed, 2 << 20);
  std::printf("\n");
}
