// Device functions: not inlined, recursive, by pointer, with structures by value; virtual functions.
struct Pair {
  float first;
  double second;
  char tag[3];
};

__noinline__ __device__ float scale(float x, float factor) { return x * factor + 1.0f; }

__noinline__ __device__ Pair swap(Pair p) {
  return Pair{static_cast<float>(p.second), p.first, {p.tag[2], p.tag[1], p.tag[0]}};
}

__device__ unsigned fibonacci(unsigned n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__noinline__ __device__ float add(float a, float b) { return a + b; }
__noinline__ __device__ float subtract(float a, float b) { return a - b; }

using Binary = float (*)(float, float);
__device__ Binary operations[] = {add, subtract, nullptr};

struct Shape {
  __device__ virtual float area() const { return 0.0f; }
};
struct Square : Shape {
  float side;
  __device__ float area() const override { return side * side; }
};

__noinline__ __device__ float area_of(const Shape* shape) { return shape->area(); }

[[noreturn]] __noinline__ __device__ void die() {
  __trap();
  for (;;) {
  }
}

__global__ void calls(float* out, Pair pair, int which) {
  if (which > 100) die();
  float x = scale(out[threadIdx.x], 2.0f);
  Pair swapped = swap(pair);
  Square square;
  square.side = x;
  out[threadIdx.x] = x + swapped.first + static_cast<float>(swapped.second) + swapped.tag[0] +
                     fibonacci(which) + operations[which](x, 3.0f) + area_of(&square);
}
