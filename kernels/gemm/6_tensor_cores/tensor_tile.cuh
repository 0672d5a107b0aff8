// Parts of the tensor-core rungs of all types: tiles copied to shared memory, with zeros where the
// matrices end, and the epilogue of BLAS for one element.
#pragma once

#include <cstdint>

namespace tensor_tile {

/// Loads 16 bytes of consecutive elements. Only the first `valid` exist (it may be negative); the
/// others are zeros. One load where the address allows it.
template <typename T>
__device__ inline uint4 load16(const T* source, int valid) {
  constexpr int count = 16 / sizeof(T);
  if (valid >= count && reinterpret_cast<std::uintptr_t>(source) % 16 == 0) {
    return *reinterpret_cast<const uint4*>(source);
  }
  union {
    uint4 all;
    T elements[count];
  } value = {make_uint4(0, 0, 0, 0)};
  for (int i = 0; i < count; ++i) {
    if (i < valid) value.elements[i] = source[i];
  }
  return value.all;
}

/// One operand in memory, row-major.
template <typename T>
struct Operand {
  const T* elements;
  int rows;
  int columns;
  int leading_dimension;
};

/// Copies rows x columns elements from (row0, column0) on into `tile`, whose rows lie `stride`
/// elements apart, 16 bytes per thread at a time; zeros where the operand ends. The first
/// element of each row of `tile` must lie on a 16-byte boundary.
template <int rows, int columns, int stride, int threads, typename T>
__device__ inline void stage(T* tile, const Operand<T>& from, int row0, int column0) {
  constexpr int width = 16 / sizeof(T);
  constexpr int per_row = columns / width;
  static_assert(columns % width == 0 && stride % width == 0 && rows * per_row % threads == 0, "");
  for (int i = threadIdx.x; i < rows * per_row; i += threads) {
    const int row = i / per_row;
    const int column = i % per_row * width;
    const bool exists = row0 + row < from.rows;
    const T* source =
        from.elements + size_t(row0 + row) * from.leading_dimension + column0 + column;
    *reinterpret_cast<uint4*>(tile + row * stride + column) =
        load16(source, exists ? from.columns - column0 - column : 0);
  }
}

/// c <- alpha * sum + beta * c, computed in the scalars' type and rounded once to that of C. With a
/// zero alpha the product is zero, also where A or B hold NaN or infinities. With a zero beta c is
/// not read.
template <typename C, typename Scalar>
__device__ inline void update(C* c, Scalar sum, Scalar alpha, Scalar beta) {
  const Scalar product = alpha == Scalar(0) ? Scalar(0) : alpha * sum;
  *c = static_cast<C>(beta == Scalar(0) ? product : product + beta * static_cast<Scalar>(*c));
}

}  // namespace tensor_tile
