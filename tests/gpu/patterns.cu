// One access pattern per kernel, to compare the counts of `warpcheck profile` with the hardware
// counters of Nsight Compute. Lane l of one warp accesses element (l / divide % modulo) * stride +
// shift, where an element is 1, 2 or 4 floats. The kernels have the arguments of gemm, so that a
// case line launches them; none of them multiplies.

namespace {

__device__ int element(int divide, int modulo, int stride, int shift) {
  return static_cast<int>(threadIdx.x) / divide % modulo * stride + shift;
}

constexpr int kTileFloats = 4096;

/// The shared address of an initialized tile.
__device__ unsigned filled_tile() {
  __shared__ __align__(16) float tile[kTileFloats];
  for (int i = static_cast<int>(threadIdx.x); i < kTileFloats; i += 32) tile[i] = 1.0f;
  __syncwarp();
  return static_cast<unsigned>(__cvta_generic_to_shared(tile));
}

}  // namespace

template <int floats, int divide, int modulo, int stride, int shift>
__global__ void global_load(const float* a, const float*, float* c, int, int, int) {
  const float* from = a + element(divide, modulo, stride, shift) * floats;
  float x = 0.0f;
  float y = 0.0f;
  float z = 0.0f;
  float w = 0.0f;
  if constexpr (floats == 1) {
    asm volatile("ld.global.f32 %0, [%1];" : "=f"(x) : "l"(from));
  } else if constexpr (floats == 2) {
    asm volatile("ld.global.v2.f32 {%0, %1}, [%2];" : "=f"(x), "=f"(y) : "l"(from));
  } else {
    asm volatile("ld.global.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(x), "=f"(y), "=f"(z), "=f"(w)
                 : "l"(from));
  }
  c[threadIdx.x] = x + y + z + w;
}

template <int floats, int divide, int modulo, int stride, int shift>
__global__ void global_store(const float*, const float*, float* c, int, int, int) {
  float* to = c + element(divide, modulo, stride, shift) * floats;
  const float x = static_cast<float>(threadIdx.x);
  if constexpr (floats == 1) {
    asm volatile("st.global.f32 [%0], %1;" : : "l"(to), "f"(x) : "memory");
  } else if constexpr (floats == 2) {
    asm volatile("st.global.v2.f32 [%0], {%1, %1};" : : "l"(to), "f"(x) : "memory");
  } else {
    asm volatile("st.global.v4.f32 [%0], {%1, %1, %1, %1};" : : "l"(to), "f"(x) : "memory");
  }
}

template <int floats, int divide, int modulo, int stride, int shift>
__global__ void shared_load(const float*, const float*, float* c, int, int, int) {
  const unsigned from = filled_tile() + 4 * floats * element(divide, modulo, stride, shift);
  float x = 0.0f;
  float y = 0.0f;
  float z = 0.0f;
  float w = 0.0f;
  if constexpr (floats == 1) {
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(x) : "r"(from));
  } else if constexpr (floats == 2) {
    asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(x), "=f"(y) : "r"(from));
  } else {
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(x), "=f"(y), "=f"(z), "=f"(w)
                 : "r"(from));
  }
  c[threadIdx.x] = x + y + z + w;
}

template <int floats, int divide, int modulo, int stride, int shift>
__global__ void shared_store(const float*, const float*, float* c, int, int, int) {
  const unsigned to = filled_tile() + 4 * floats * element(divide, modulo, stride, shift);
  const float x = static_cast<float>(threadIdx.x);
  if constexpr (floats == 1) {
    asm volatile("st.shared.f32 [%0], %1;" : : "r"(to), "f"(x) : "memory");
  } else if constexpr (floats == 2) {
    asm volatile("st.shared.v2.f32 [%0], {%1, %1};" : : "r"(to), "f"(x) : "memory");
  } else {
    asm volatile("st.shared.v4.f32 [%0], {%1, %1, %1, %1};" : : "r"(to), "f"(x) : "memory");
  }
  c[threadIdx.x] = x;
}
