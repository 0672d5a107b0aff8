// Managed memory with hints: a linked list and vectors. The defect: the host reads before it waits.
#include "common.h"

struct Node {
  int value;
  Node* next;
};

struct Managed {
  void* operator new(size_t len) {
    void* ptr;
    CHECK(cudaMallocManaged(&ptr, len));
    CHECK(cudaDeviceSynchronize());
    return ptr;
  }
  void operator delete(void* ptr) { CHECK(cudaFree(ptr)); }
};

struct List : Managed {
  Node* head = nullptr;
  int length = 0;
};

__managed__ int visited;

__global__ void increment(List* list) {
  for (Node* n = list->head; n; n = n->next) {
    n->value += 1;
    ++visited;
  }
}

__global__ void saxpy(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}

int main(int argc, char** argv) {
  const Timing timing;
  List* list = new List;
  Node* nodes;
  CHECK(cudaMallocManaged(&nodes, 10 * sizeof(Node)));
  for (int i = 0; i < 10; ++i) {
    nodes[i] = {i, list->head};
    list->head = &nodes[i];
    ++list->length;
  }
  const int n = 10000;
  float *x, *y;
  CHECK(cudaMallocManaged(&x, n * sizeof(float)));
  CHECK(cudaMallocManaged(&y, n * sizeof(float)));
  for (int i = 0; i < n; ++i) x[i] = 1, y[i] = 2;
  int device;
  CHECK(cudaGetDevice(&device));
#if CUDART_VERSION >= 13000
  cudaMemLocation gpu = {cudaMemLocationTypeDevice, device}, cpu = {cudaMemLocationTypeHost, 0};
  CHECK(cudaMemAdvise(x, n * sizeof(float), cudaMemAdviseSetReadMostly, gpu));
  CHECK(cudaMemPrefetchAsync(x, n * sizeof(float), gpu, 0));
  CHECK(cudaMemPrefetchAsync(y, n * sizeof(float), gpu, 0));
#endif
  visited = 0;
  increment<<<1, 1>>>(list);
  saxpy<<<(n + 255) / 256, 256>>>(3.0f, x, y, n);
#if CUDART_VERSION >= 13000
  CHECK(cudaMemPrefetchAsync(y, n * sizeof(float), cpu, 0));
#endif
  if (!has_defect(argc, argv)) CHECK(cudaDeviceSynchronize());
  bool ok = y[0] == 5.0f && y[n - 1] == 5.0f;  // finding here
  CHECK(cudaDeviceSynchronize());
  ok &= visited == 10;
  for (Node* p = list->head; p; p = p->next) ok &= p->value >= 1 && p->value <= 10;
  CHECK(cudaFree(nodes));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  delete list;
  std::puts(ok ? "correct" : "wrong");
  return !ok;
}
