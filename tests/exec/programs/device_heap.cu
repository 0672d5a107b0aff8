// Lists on the heap of the device, with malloc, new and printf in kernels. With DEFECT, a node is
// read after it is freed.
#include <cstdio>

#include "timing.hpp"

struct Node {
  int value;
  Node* next;
};

__global__ void sum_lists(int* sums) {
  Node* first = nullptr;
  for (int i = 0; i <= static_cast<int>(threadIdx.x); ++i) first = new Node{i, first};
  int sum = 0;
  while (first != nullptr) {
    Node* const node = first;
#ifdef DEFECT
    delete node;
    first = node->next;  // finding here
    sum += 1;
#else
    first = node->next;
    sum += node->value;
    delete node;
#endif
  }
  auto* const copy = static_cast<int*>(malloc(sizeof(int)));
  *copy = sum;
  sums[threadIdx.x] = *copy;
  free(copy);
  if (threadIdx.x == 31 && sum == 496) printf("correct\n");
}

int main() {
  const Timing timing;
  int* sums;
  cudaMalloc(&sums, 32 * sizeof(int));
  sum_lists<<<1, 32>>>(sums);
  int host[32];
  cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(sums);
  return host[31] == 496 ? 0 : 7;
}
