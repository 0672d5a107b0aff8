// The hints about managed memory as cudaMemRangeGetAttribute returns them, recorded on an H200: of
// each attribute in the order of its number; of the processors that access the range, three.
// exits: 0
// prints: fresh: 0 -2 -2,-2,-2 -2 0 -2 0 -2
// prints: hints for the device: 1 0 0,-1,-2 0 1 0 1 0
// prints: part of a page: 1 0 0,-1,-2 0 1 0 1 0
// prints: more than has hints: 0 -2 -2,-2,-2 -2 0 -2 0 -2
// prints: hints for the host: 1 -1 0,-1,-2 -1 2 -1 2 -1
// prints: both: 1 -2 0,-1,-2 -2 0 -2 0 -2
// prints: two attributes: 1 -1
// prints: without hints: 0 -2 -1,-2,-2 -1 0 -2 2 -1
// prints: 0 findings
#include <cstdio>

constexpr cudaMemLocation kDevice = {cudaMemLocationTypeDevice, 0};
constexpr cudaMemLocation kHost = {cudaMemLocationTypeHost, 0};

void print(const char* name, const char* memory, size_t bytes) {
  std::printf("%s:", name);
  for (int i = 1; i <= 8; ++i) {
    const bool is_list = i == cudaMemRangeAttributeAccessedBy;
    int values[3];
    cudaMemRangeGetAttribute(values, is_list ? 12 : 4, static_cast<cudaMemRangeAttribute>(i),
                             memory, bytes);
    std::printf(" %d", values[0]);
    if (is_list) std::printf(",%d,%d", values[1], values[2]);
  }
  std::printf("\n");
}

int main() {
  char* memory;
  cudaMallocManaged(&memory, 1 << 20);
  print("fresh", memory, 4096);
  cudaMemAdvise(memory, 65536, cudaMemAdviseSetReadMostly, kDevice);
  cudaMemAdvise(memory, 65536, cudaMemAdviseSetPreferredLocation, kDevice);
  cudaMemAdvise(memory, 65536, cudaMemAdviseSetAccessedBy, kHost);
  cudaMemAdvise(memory, 65536, cudaMemAdviseSetAccessedBy, kDevice);
  cudaMemPrefetchAsync(memory, 65536, kDevice, 0, nullptr);
  print("hints for the device", memory, 4096);
  print("part of a page", memory + 8192, 100);
  print("more than has hints", memory, 1 << 20);
  cudaMemAdvise(memory, 4096, cudaMemAdviseSetPreferredLocation, kHost);
  cudaMemPrefetchAsync(memory, 4096, kHost, 0, nullptr);
  cudaDeviceSynchronize();
  print("hints for the host", memory, 4096);
  print("both", memory, 65536);
  int read_mostly, location;
  void* data[] = {&read_mostly, &location};
  size_t sizes[] = {4, 4};
  cudaMemRangeAttribute attributes[] = {cudaMemRangeAttributeReadMostly,
                                        cudaMemRangeAttributePreferredLocation};
  cudaMemRangeGetAttributes(data, sizes, attributes, 2, memory, 4096);
  std::printf("two attributes: %d %d\n", read_mostly, location);
  cudaMemAdvise(memory, 65536, cudaMemAdviseUnsetReadMostly, kDevice);
  cudaMemAdvise(memory, 4096, cudaMemAdviseUnsetPreferredLocation, kDevice);
  cudaMemAdvise(memory, 4096, cudaMemAdviseUnsetAccessedBy, kDevice);
  print("without hints", memory, 4096);
  cudaFree(memory);
}
