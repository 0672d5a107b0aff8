// The steps of cublasLtMatmul() after a product: scales of 8-bit formats, a bias, activation
// functions, and their gradients.
#pragma once

#include "runtime/blas/blas_api.hpp"
#include "runtime/blas/operand.hpp"

namespace warpcheck::runtime {

/// Pointers are to memory of the device; null: not used.
struct Epilogue {
  cublasLtEpilogue_t kind = CUBLASLT_EPILOGUE_DEFAULT;
  const void* bias = nullptr;  // or its gradient, which is written
  cudaDataType bias_type = CUDA_R_32F;
  std::int64_t bias_stride = 0;  // elements from one vector of a batch to the next
  const void* aux = nullptr;
  cudaDataType aux_type = CUDA_R_32F;
  std::int64_t aux_leading = 0;  // elements; those of a mask are bits
  std::int64_t aux_stride = 0;
  const void* a_scale = nullptr;
  const void* b_scale = nullptr;
  const void* c_scale = nullptr;
  const void* d_scale = nullptr;
  const void* aux_scale = nullptr;
  const void* d_amax = nullptr;  // receives the largest magnitude of D
  const void* aux_amax = nullptr;
};

/// True if the epilogue contains all parts of another one: GELU_BIAS contains BIAS.
[[nodiscard]] bool contains(const Epilogue& epilogue, unsigned part);

/// The epilogue of one call, for the matrices of a batch in turn. `Real`: float or double.
class EpilogueRun {
 public:
  EpilogueRun(const Epilogue& epilogue, OperandAccess& access, std::int64_t m, std::int64_t n)
      : epilogue_(epilogue), access_(access), m_(m), n_(n) {}

  /// The product of the scales of A and B.
  [[nodiscard]] double scale_of_factors();
  [[nodiscard]] double scale_of_summand();
  /// Writes the gradient of the bias if it is a sum of a factor: m x k and k x n numbers.
  template <class Real>
  void write_factor_sums(const Packed<Real>& a, const Packed<Real>& b, std::size_t batch);
  template <class Real>
  void apply(Packed<Real>& sums, std::size_t batch);
  /// Writes the largest magnitudes of all matrices.
  void finish();

 private:
  [[nodiscard]] double scale(const char* name, const void* pointer);
  [[nodiscard]] Operand bias(std::int64_t elements, std::size_t batch) const;
  [[nodiscard]] Operand aux(std::size_t batch, bool is_mask) const;
  template <class Real>
  void add_bias(Packed<Real>& sums, std::size_t batch);
  template <class Real>
  void apply_relu(Packed<Real>& sums, std::size_t batch);
  template <class Real>
  void apply_gelu(Packed<Real>& sums, std::size_t batch);
  template <class Real>
  void apply_gradient(Packed<Real>& sums, std::size_t batch);
  void write_amax(const char* name, const void* pointer, double value);

  const Epilogue& epilogue_;
  OperandAccess& access_;
  std::int64_t m_;
  std::int64_t n_;
  double d_amax_ = 0;
  double aux_amax_ = 0;
};

}  // namespace warpcheck::runtime
