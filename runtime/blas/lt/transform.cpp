// cublasLtMatrixTransform(): C = alpha op(A) + beta op(B), for other orders and types of elements.
#include "runtime/blas/entry.hpp"
#include "runtime/blas/lt/descriptors.hpp"
#include "runtime/memory.hpp"

using namespace warpcheck::runtime;

namespace {

struct Summand {
  MatrixArgument matrix;
  Factor factor;
};

struct Transform {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t batch = 1;
  cudaDataType scale = CUDA_R_32F;
  std::vector<Summand> summands;
  MatrixArgument result;

  template <class Number>
  void run(OperandAccess& access) const {
    for (std::int64_t i = 0; i < batch; ++i) {
      Packed<Number> sums(static_cast<std::size_t>(rows * columns));
      for (const Summand& summand : summands) {
        const auto factor = value_of<Number>(access, summand.factor);
        if (factor == Number{}) continue;  // the matrix is not read
        const auto numbers =
            read_matrix<Number>(access, summand.matrix, address(summand.matrix, i), rows, columns);
        for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += factor * numbers[j];
      }
      write_matrix(access, result, address(result, i), rows, columns, std::move(sums));
    }
  }

  static std::uint64_t address(const MatrixArgument& matrix, std::int64_t index) {
    return address_of(matrix.address) +
           static_cast<std::uint64_t>(index * matrix.stride) * size_of(matrix.type);
  }
};

cublasStatus_t add(const BlasCall& call, const LtTransform& descriptor, const char* factor_name,
                   const void* factor, const char* name, const void* address,
                   cublasLtMatrixLayout_t layout, int op, Transform& transform) {
  if (address == nullptr && layout == nullptr) return CUBLAS_STATUS_SUCCESS;
  Summand summand;
  if (const auto status = read_layout(call, name, address, layout, op, summand.matrix)) {
    return status;
  }
  const LtLayout& from = layout_of(layout);
  const bool exchanged = op != CUBLAS_OP_N;
  const auto rows = static_cast<std::int64_t>(exchanged ? from.columns : from.rows);
  const auto columns = static_cast<std::int64_t>(exchanged ? from.rows : from.columns);
  if (rows != transform.rows || columns != transform.columns || from.batch != transform.batch) {
    return call.invalid(std::string("the matrices have different sizes: C and op(") + name + ")");
  }
  const bool on_device = descriptor.pointer_mode != CUBLASLT_POINTER_MODE_HOST;
  if (const auto status =
          call.read(factor_name, factor, transform.scale, on_device, summand.factor)) {
    return status;
  }
  transform.summands.push_back(summand);
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace

cublasStatus_t cublasLtMatrixTransform(cublasLtHandle_t handle,
                                       cublasLtMatrixTransformDesc_t transform_descriptor,
                                       const void* alpha, const void* a,
                                       cublasLtMatrixLayout_t a_layout, const void* beta,
                                       const void* b, cublasLtMatrixLayout_t b_layout, void* c,
                                       cublasLtMatrixLayout_t c_layout, cudaStream_t stream) {
  return blas_call("cublasLtMatrixTransform", handle, stream, [&](BlasCall& call) {
    if (transform_descriptor == nullptr) return call.invalid("the descriptor is a null pointer");
    const LtTransform& descriptor = transform_of(transform_descriptor);
    Transform transform;
    if (const auto status = read_layout(call, "C", c, c_layout, CUBLAS_OP_N, transform.result)) {
      return status;
    }
    transform.rows = static_cast<std::int64_t>(layout_of(c_layout).rows);
    transform.columns = static_cast<std::int64_t>(layout_of(c_layout).columns);
    transform.batch = layout_of(c_layout).batch;
    transform.scale = static_cast<cudaDataType>(descriptor.scale);
    const bool is_integer = transform.scale == CUDA_R_32I;
    if (is_integer || size_of(transform.scale) == 0) return call.unsupported("this scale type");
    if (const auto status =
            add(call, descriptor, "alpha", alpha, "A", a, a_layout, descriptor.transa, transform)) {
      return status;
    }
    if (const auto status =
            add(call, descriptor, "beta", beta, "B", b, b_layout, descriptor.transb, transform)) {
      return status;
    }
    return call.submit([transform](OperandAccess& access) {
      with_number(transform.scale, [&](auto zero) { transform.run<decltype(zero)>(access); });
    });
  });
}
