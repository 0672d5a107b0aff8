// Parts of several FP32 rungs: the tile of C that a block owns, 16-byte accesses that fall back to
// scalar ones, and the epilogue of BLAS.
#pragma once

#include <cstdint>

namespace sgemm {

/// Row and column in C of a tile's first element.
struct TileOrigin {
  int row;
  int column;
};

/// The block's tile of a C with n >= 1 columns. The tiles are numbered row of tiles after row of
/// tiles along the grid's x axis alone, because the y and z axes end at 65535 blocks (CUDA C++
/// Programming Guide, technical specifications per compute capability).
template <int tile_rows, int tile_columns>
__device__ inline TileOrigin tile_origin(int n) {
  const int tile = static_cast<int>(blockIdx.x);
  const int tiles_across = (n - 1) / tile_columns + 1;
  return {tile / tiles_across * tile_rows, tile % tiles_across * tile_columns};
}

__device__ inline bool is_aligned_for_float4(const float* address) {
  return reinterpret_cast<std::uintptr_t>(address) % sizeof(float4) == 0;
}

/// Loads four consecutive elements. Only the first `valid` exist (it may be negative); the others
/// are zeros. One 16-byte load where the address allows it.
__device__ inline float4 load4(const float* source, int valid) {
  if (valid >= 4 && is_aligned_for_float4(source)) {
    return *reinterpret_cast<const float4*>(source);
  }
  float4 value = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  if (valid > 0) value.x = source[0];
  if (valid > 1) value.y = source[1];
  if (valid > 2) value.z = source[2];
  if (valid > 3) value.w = source[3];
  return value;
}

/// The counterpart of load4: elements past the first `valid` are not written.
__device__ inline void store4(float* target, int valid, float4 value) {
  if (valid >= 4 && is_aligned_for_float4(target)) {
    *reinterpret_cast<float4*>(target) = value;
    return;
  }
  if (valid > 0) target[0] = value.x;
  if (valid > 1) target[1] = value.y;
  if (valid > 2) target[2] = value.z;
  if (valid > 3) target[3] = value.w;
}

/// alpha * sum; zero where alpha is zero, also where A or B hold NaN or infinities.
__device__ inline float scaled(float alpha, float sum) {
  return alpha == 0.0f ? 0.0f : alpha * sum;
}

/// c <- alpha * sum + beta * c. With a zero beta c is not read: it may hold anything.
__device__ inline void update(float* c, float sum, float alpha, float beta) {
  const float product = scaled(alpha, sum);
  *c = beta == 0.0f ? product : product + beta * *c;
}

/// alpha * sum + beta * c for four consecutive elements of c of which only the first `valid` exist.
__device__ inline float4 updated4(const float* c, int valid, float4 sum, float alpha, float beta) {
  float4 value = make_float4(scaled(alpha, sum.x), scaled(alpha, sum.y), scaled(alpha, sum.z),
                             scaled(alpha, sum.w));
  if (beta != 0.0f) {
    const float4 old = load4(c, valid);
    value.x += beta * old.x;
    value.y += beta * old.y;
    value.z += beta * old.z;
    value.w += beta * old.w;
  }
  return value;
}

/// update() for four such elements.
__device__ inline void update4(float* c, int valid, float4 sum, float alpha, float beta) {
  store4(c, valid, updated4(c, valid, sum, alpha, beta));
}

}  // namespace sgemm
