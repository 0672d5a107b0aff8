// Fragments of <mma.h>. The PTX beside this file is the output of nvcc 13.0, -std=c++17.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include <type_traits>

using namespace nvcuda;

/// A and B of 16 x 16 halves, A row-major and B column-major; then C of floats, row-major. Every
/// element of D is 2 (A B) + 3 C.
extern "C" __global__ void f(const __half* in, float* out) {
  const float* added = reinterpret_cast<const float*>(in + 512);
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c, d;
  wmma::load_matrix_sync(a, in, 16);
  wmma::load_matrix_sync(b, in + 256, 16);
  wmma::load_matrix_sync(c, added, 16, wmma::mem_row_major);
  wmma::fill_fragment(d, 0.0f);
  for (int i = 0; i < a.num_elements; ++i) a.x[i] = __hmul(a.x[i], __float2half(2.0f));
  wmma::mma_sync(d, a, b, d);
  for (int i = 0; i < d.num_elements; ++i) d.x[i] += 3.0f * c.x[i];
  wmma::store_matrix_sync(out, d, 16, wmma::mem_row_major);
}

template <class T, int m, int n, int k, class C, class ALayout, class BLayout>
__device__ void multiply(const void* a, const void* b, void* c, unsigned stride) {
  using Stored = std::conditional_t<std::is_same_v<T, wmma::precision::tf32>, float, T>;
  wmma::fragment<wmma::matrix_a, m, n, k, T, ALayout> left;
  wmma::fragment<wmma::matrix_b, m, n, k, T, BLayout> right;
  wmma::fragment<wmma::accumulator, m, n, k, C> sum;
  wmma::load_matrix_sync(left, static_cast<const Stored*>(a), stride);
  wmma::load_matrix_sync(right, static_cast<const Stored*>(b), stride);
  wmma::load_matrix_sync(sum, static_cast<const C*>(c), stride, wmma::mem_col_major);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(static_cast<C*>(c), sum, stride, wmma::mem_row_major);
}

template <class T, int m, int n, int k, class C>
__device__ void in_all_layouts(const void* a, const void* b, void* c, unsigned stride) {
  multiply<T, m, n, k, C, wmma::row_major, wmma::row_major>(a, b, c, stride);
  multiply<T, m, n, k, C, wmma::row_major, wmma::col_major>(a, b, c, stride);
  multiply<T, m, n, k, C, wmma::col_major, wmma::row_major>(a, b, c, stride);
  multiply<T, m, n, k, C, wmma::col_major, wmma::col_major>(a, b, c, stride);
}

template <class T, class C>
__device__ void in_all_shapes(const void* a, const void* b, void* c, unsigned stride) {
  in_all_layouts<T, 16, 16, 16, C>(a, b, c, stride);
  in_all_layouts<T, 32, 8, 16, C>(a, b, c, stride);
  in_all_layouts<T, 8, 32, 16, C>(a, b, c, stride);
}

extern "C" __global__ void all(const void* a, const void* b, void* c, unsigned stride) {
  in_all_shapes<__half, __half>(a, b, c, stride);
  in_all_shapes<__half, float>(a, b, c, stride);
  in_all_shapes<__nv_bfloat16, float>(a, b, c, stride);
  in_all_shapes<signed char, int>(a, b, c, stride);
  in_all_shapes<unsigned char, int>(a, b, c, stride);
  in_all_layouts<wmma::precision::tf32, 16, 16, 8, float>(a, b, c, stride);
  in_all_layouts<double, 8, 8, 4, double>(a, b, c, stride);
}

template <class T, int k>
__device__ void multiply_bits(const void* a, const void* b, int* c, unsigned stride) {
  wmma::fragment<wmma::matrix_a, 8, 8, k, T, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 8, 8, k, T, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 8, 8, k, int> sum;
  wmma::load_matrix_sync(left, a, stride);
  wmma::load_matrix_sync(right, b, stride);
  wmma::fill_fragment(sum, 0);
  if constexpr (k == 128) {
    wmma::bmma_sync(sum, left, right, sum, wmma::experimental::bmmaBitOpXOR);
    wmma::bmma_sync(sum, left, right, sum, wmma::experimental::bmmaBitOpAND);
  } else {
    wmma::mma_sync(sum, left, right, sum);
    wmma::mma_sync(sum, left, right, sum, true);
  }
  wmma::store_matrix_sync(c, sum, stride, wmma::mem_row_major);
}

extern "C" __global__ void bits(const void* a, const void* b, int* c, unsigned stride) {
  multiply_bits<wmma::experimental::precision::s4, 32>(a, b, c, stride);
  multiply_bits<wmma::experimental::precision::u4, 32>(a, b, c, stride);
  multiply_bits<wmma::experimental::precision::b1, 128>(a, b, c, stride);
}
