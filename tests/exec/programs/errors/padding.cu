// Kernels set the members of objects, and others copy the objects with the padding between their
// members, which nothing sets. The argument selects a defect.
#include <cstdio>
#include <cstring>

struct Tail {
  double value;
  int id;
};
struct Gaps {
  char kind;
  float position[3];
  short group;
};
struct alignas(16) Aligned {
  float position[3], direction[3], length;
};
struct Short {
  int id;
  char kind;
};

template <typename T>
__global__ void copy(const T* from, T* to) {
  to[threadIdx.x] = from[threadIdx.x];  // copies
}
template <typename T>
__global__ void reverse(T* objects) {
  __shared__ T staged[64];
  staged[threadIdx.x] = objects[threadIdx.x];
  __syncthreads();
  objects[threadIdx.x] = staged[63 - threadIdx.x];
}
template <typename T>
__global__ void choose(const T* from, T* to, int turns) {
  T last = from[threadIdx.x];
  for (int i = 0; i < turns; ++i) {
    if (i % 2 == 1) last = from[(threadIdx.x + i) % 64];
  }
  to[threadIdx.x] = last;
}

__global__ void set(Tail* all, bool id) {
  all[threadIdx.x].value = threadIdx.x;
  if (id) all[threadIdx.x].id = static_cast<int>(threadIdx.x);
}
__global__ void set(Gaps* all, bool) {
  Gaps& one = all[threadIdx.x];
  one.kind = 1;
  one.position[0] = one.position[1] = one.position[2] = static_cast<float>(threadIdx.x);
  one.group = 2;
}
__global__ void set(Aligned* all, bool) {
  Aligned one;
  for (int i = 0; i < 3; ++i) one.position[i] = one.direction[i] = static_cast<float>(i);
  one.length = static_cast<float>(threadIdx.x);
  all[threadIdx.x] = one;
}
__global__ void set(Short* all, bool kind) {
  all[threadIdx.x].id = static_cast<int>(threadIdx.x);
  if (kind) all[threadIdx.x].kind = 3;
}
__global__ void use(const Short* all, int* kinds) {
  kinds[threadIdx.x] = all[threadIdx.x].kind + 1;  // uses
}
__global__ void compute(const int* ids, Tail* all) {
  all[threadIdx.x] = Tail{1.0, ids[threadIdx.x] + 1};  // computes
}
__global__ void copy_four(const int* from, int* to) {
#pragma unroll
  for (int i = 0; i < 4; ++i) to[4 * threadIdx.x + i] = from[4 * threadIdx.x + i];  // unrolled
}
__global__ void set_but_last(int* all) {
  if (threadIdx.x != 63) all[threadIdx.x] = 1;
}

template <typename T>
void run(T& first, bool all_members) {
  T *from, *to;
  cudaMalloc(&from, 64 * sizeof(T));
  cudaMalloc(&to, 64 * sizeof(T));
  set<<<1, 64>>>(from, all_members);
  copy<<<1, 64>>>(from, to);
  reverse<<<1, 64>>>(to);
  choose<<<1, 64>>>(to, from, 2);
  if constexpr (sizeof(T) == sizeof(Short)) {
    int* kinds;
    cudaMalloc(&kinds, 64 * sizeof(int));
    use<<<1, 64>>>(to, kinds);
    cudaFree(kinds);
  }
  cudaMemcpy(&first, to, sizeof first, cudaMemcpyDeviceToHost);
  cudaFree(from);
  cudaFree(to);
}

int main(int count, char** words) {
  const auto is = [&](const char* word) { return count > 1 && std::strcmp(words[1], word) == 0; };
  Tail tail;
  Gaps gaps;
  Aligned aligned;
  Short small;
  run(tail, !is("member"));
  run(gaps, true);
  run(aligned, true);
  run(small, !is("byte"));
  int *from, *to;
  cudaMalloc(&from, 64 * sizeof(int));
  cudaMalloc(&to, 64 * sizeof(Tail));
  set_but_last<<<1, 64>>>(from);
  if (!is("last") && !is("computed")) cudaMemset(from, 0, 64 * sizeof(int));
  if (!is("computed")) copy_four<<<1, 16>>>(from, to);
  compute<<<1, is("last") ? 63 : 64>>>(from, reinterpret_cast<Tail*>(to));
  cudaFree(from);
  cudaFree(to);
  const bool right = tail.value == 63 && gaps.position[2] == 63 && aligned.length == 63;
  std::puts(right && small.id == 63 ? "correct" : "wrong");
}
