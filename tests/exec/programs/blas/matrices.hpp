// Matrices in memory of the device, and products of them by plain loops.
#pragma once

#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using Complex = std::complex<double>;

inline int failures = 0;

inline void expect(bool condition, const char* what, int line) {
  if (condition) return;
  std::printf("line %d: %s\n", line, what);
  ++failures;
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)
#define CALL(call) EXPECT((call) == CUBLAS_STATUS_SUCCESS)

// Numbers of each type as complex numbers of double precision, in which integers are exact.
inline Complex number(Complex value) { return value; }
inline Complex number(std::complex<float> value) { return Complex(value.real(), value.imag()); }
template <class T>
Complex number(T value) {
  return Complex(static_cast<double>(static_cast<float>(value)), 0);
}
inline Complex number(double value) { return Complex(value, 0); }

template <class T>
T element(Complex value) {
  return T(static_cast<float>(value.real()));
}
template <>
inline double element<double>(Complex value) {
  return value.real();
}
template <>
inline std::complex<float> element<std::complex<float>>(Complex value) {
  return {static_cast<float>(value.real()), static_cast<float>(value.imag())};
}
template <>
inline Complex element<Complex>(Complex value) {
  return value;
}

/// A small integer, which depends on the place.
inline Complex integer(int seed, int row, int column) {
  const unsigned mixed = (seed * 31u + row) * 17u + column * 7u;
  return Complex(static_cast<int>(mixed % 7) - 3, static_cast<int>(mixed % 5) - 2);
}

/// Rows x columns elements; the columns are `leading` elements apart, and what is between them is
/// undefined.
template <class T>
struct Matrix {
  int rows, columns, leading;
  std::vector<T> host;
  T* device = nullptr;

  Matrix(int rows, int columns, int seed, int gap = 3)
      : rows(rows), columns(columns), leading(rows + gap), host(rows * columns) {
    for (int j = 0; j < columns; ++j) {
      for (int i = 0; i < rows; ++i) at(i, j) = element<T>(integer(seed, i, j));
    }
    const size_t count = columns == 0 ? 1 : size_t(leading) * (columns - 1) + rows;
    cudaMalloc(&device, count * sizeof(T));
    upload();
  }
  Matrix(const Matrix&) = delete;
  ~Matrix() { cudaFree(device); }

  T& at(int row, int column) { return host[row + column * rows]; }
  Complex value(int row, int column) const { return number(host[row + column * rows]); }
  void upload() {
    cudaMemcpy2D(device, leading * sizeof(T), host.data(), rows * sizeof(T), rows * sizeof(T),
                 columns, cudaMemcpyHostToDevice);
  }
  std::vector<T> download() const {
    std::vector<T> result(host.size());
    cudaMemcpy2D(result.data(), rows * sizeof(T), device, leading * sizeof(T), rows * sizeof(T),
                 columns, cudaMemcpyDeviceToHost);
    return result;
  }
};

/// Element (row, column) of op(M).
template <class T>
Complex at(const Matrix<T>& matrix, cublasOperation_t op, int row, int column) {
  if (op == CUBLAS_OP_N) return matrix.value(row, column);
  const Complex value = matrix.value(column, row);
  return op == CUBLAS_OP_C ? std::conj(value) : value;
}

/// alpha op(A) op(B) + beta C, one column after the other.
template <class A, class B, class C>
std::vector<Complex> expected(const Matrix<A>& a, cublasOperation_t transa, const Matrix<B>& b,
                              cublasOperation_t transb, const Matrix<C>& c, int k, Complex alpha,
                              Complex beta) {
  std::vector<Complex> result;
  for (int j = 0; j < c.columns; ++j) {
    for (int i = 0; i < c.rows; ++i) {
      Complex sum = 0;
      for (int l = 0; l < k; ++l) sum += at(a, transa, i, l) * at(b, transb, l, j);
      result.push_back(alpha * sum + (beta == 0.0 ? 0.0 : beta * c.value(i, j)));
    }
  }
  return result;
}

template <class T>
bool equal(const std::vector<T>& found, const std::vector<Complex>& expected) {
  if (found.size() != expected.size()) return false;
  for (size_t i = 0; i < found.size(); ++i) {
    if (number(found[i]) == number(element<T>(expected[i]))) continue;
    std::printf("element %zu is (%g, %g), expected (%g, %g)\n", i, number(found[i]).real(),
                number(found[i]).imag(), expected[i].real(), expected[i].imag());
    return false;
  }
  return true;
}

/// The operations that differ for numbers of a type.
inline std::vector<cublasOperation_t> operations(bool is_complex) {
  if (is_complex) return {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
  return {CUBLAS_OP_N, CUBLAS_OP_T};
}

/// The functions and the types of one letter.
template <class T>
struct Blas;
#define BLAS_TYPE(Type, Cuda, Real, letter, kind)                            \
  template <>                                                                \
  struct Blas<Type> {                                                        \
    using Element = Cuda;                                                    \
    static constexpr bool is_complex = kind;                                 \
    static constexpr auto gemm = cublas##letter##gemm;                       \
    static constexpr auto gemm_64 = cublas##letter##gemm_64;                 \
    static constexpr auto gemm_batched = cublas##letter##gemmBatched;        \
    static constexpr auto gemm_strided = cublas##letter##gemmStridedBatched; \
    static constexpr auto gemv = cublas##letter##gemv;                       \
    static constexpr auto symm = cublas##letter##symm;                       \
    static constexpr auto syrk = cublas##letter##syrk;                       \
    static constexpr auto syr2k = cublas##letter##syr2k;                     \
    static constexpr auto trmm = cublas##letter##trmm;                       \
    static constexpr auto trsm = cublas##letter##trsm;                       \
    static constexpr auto geam = cublas##letter##geam;                       \
    static constexpr auto dgmm = cublas##letter##dgmm;                       \
    static constexpr auto axpy = cublas##letter##axpy;                       \
    static constexpr auto scal = cublas##letter##scal;                       \
    static constexpr auto copy = cublas##letter##copy;                       \
    static constexpr auto swap = cublas##letter##swap;                       \
  };
BLAS_TYPE(float, float, float, S, false)
BLAS_TYPE(double, double, double, D, false)
BLAS_TYPE(std::complex<float>, cuComplex, float, C, true)
BLAS_TYPE(Complex, cuDoubleComplex, double, Z, true)

/// A pointer of the type that the functions take.
template <class T>
auto* cuda(T* pointer) {
  return reinterpret_cast<typename Blas<T>::Element*>(pointer);
}
template <class T>
const auto* cuda(const T* pointer) {
  return reinterpret_cast<const typename Blas<T>::Element*>(pointer);
}
