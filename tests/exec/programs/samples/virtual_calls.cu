// Virtual functions, function pointers and lambdas. The defect: an object is deleted twice.
#include <new>

#include "common.h"

class Shape {
 public:
  __device__ virtual ~Shape() {}
  __device__ virtual float area() const = 0;
};
class Circle : public Shape {
  float r;

 public:
  __device__ explicit Circle(float radius) : r(radius) {}
  __device__ float area() const override { return 3.0f * r * r; }
};
class Square : public Shape {
  float a;

 public:
  __device__ explicit Square(float side) : a(side) {}
  __device__ float area() const override { return a * a; }
};

__global__ void create(Shape** shapes, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (i % 2)
    shapes[i] = new Circle(i);
  else
    shapes[i] = new Square(i);
}
__global__ void measure(Shape** shapes, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = shapes[i]->area();
}
__global__ void destroy(Shape** shapes, int n, bool defect) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) delete shapes[i];
  if (defect && i == 0) delete shapes[1];  // finding here
}

typedef float (*Op)(float, float);
__device__ float plus(float a, float b) { return a + b; }
__device__ float times(float a, float b) { return a * b; }
__device__ Op ops[2] = {plus, times};

template <typename F>
__global__ void apply(F f, float* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = f(out[i], i);
}

__global__ void viaTable(float* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = ops[i & 1](out[i], 2.0f);
}

int main(int argc, char** argv) {
  const Timing timing;
  const int n = 64;
  Shape** shapes;
  float *out, h[n];
  CHECK(cudaMalloc(&shapes, n * sizeof(Shape*)));
  CHECK(cudaMalloc(&out, n * sizeof(float)));
  create<<<1, n>>>(shapes, n);
  measure<<<1, n>>>(shapes, out, n);
  destroy<<<1, n>>>(shapes, n, has_defect(argc, argv));
  viaTable<<<1, 32>>>(out, n);
  const float scale = 0.5f;
  apply<<<1, 32>>>([scale] __device__(float x, int i) { return x * scale + i; }, out, n);
  CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  bool ok = true;
  for (int i = 0; i < n; ++i) {
    float a = i % 2 ? 3.0f * i * i : float(i * i);
    a = i & 1 ? a * 2 : a + 2;
    ok &= h[i] == a * 0.5f + i;
  }
  CHECK(cudaFree(shapes));
  CHECK(cudaFree(out));
  std::puts(ok ? "correct" : "wrong");
  return !ok;
}
