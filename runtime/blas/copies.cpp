// Copies of vectors and matrices between the host and the device.
#include "runtime/blas/call.hpp"
#include "runtime/memory.hpp"
#include "runtime/work/work.hpp"

using namespace warpcheck::runtime;

namespace {

/// Rows of a copy: the columns of a matrix, or the elements of a vector.
struct Columns {
  std::int64_t bytes;
  std::int64_t count;
  std::int64_t from_pitch;
  std::int64_t to_pitch;
};

cublasStatus_t copy(const char* function, const void* from, void* to, const Columns& columns,
                    cudaMemcpyKind kind, cudaStream_t stream) {
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  const cudaError_t error = locked_call([&](Runtime& runtime) {
    const bool is_wrong = columns.bytes < 0 || columns.count < 0 ||
                          columns.from_pitch < columns.bytes || columns.to_pitch < columns.bytes;
    if (is_wrong) {
      status = CUBLAS_STATUS_INVALID_VALUE;
      return runtime.misuse(cudaSuccess,
                            std::string(function) +
                                ": a size is negative, or elements overlap: a leading dimension or "
                                "an increment is too small");
    }
    const auto pitch = [](std::int64_t bytes) { return static_cast<std::size_t>(bytes); };
    return submit(runtime, function, stream,
                  CopyWork{function,
                           {address_of(to), pitch(columns.to_pitch)},
                           {address_of(from), pitch(columns.from_pitch)},
                           {pitch(columns.bytes), pitch(columns.count)},
                           kind});
  });
  return error == cudaSuccess ? status : CUBLAS_STATUS_MAPPING_ERROR;
}

cublasStatus_t copy_vector(const char* function, std::int64_t n, std::int64_t element,
                           const void* from, std::int64_t from_increment, void* to,
                           std::int64_t to_increment, cudaMemcpyKind kind,
                           cudaStream_t stream = nullptr) {
  return copy(function, from, to, {element, n, from_increment * element, to_increment * element},
              kind, stream);
}

cublasStatus_t copy_matrix(const char* function, std::int64_t rows, std::int64_t columns,
                           std::int64_t element, const void* from, std::int64_t from_leading,
                           void* to, std::int64_t to_leading, cudaMemcpyKind kind,
                           cudaStream_t stream = nullptr) {
  return copy(function, from, to,
              {rows * element, columns, from_leading * element, to_leading * element}, kind,
              stream);
}

}  // namespace

#define WARPCHECK_COPY_VECTOR(name, suffix, Int, kind)                                        \
  cublasStatus_t name##suffix(Int n, Int bytes, const void* x, Int incx, void* y, Int incy) { \
    return copy_vector(#name, n, bytes, x, incx, y, incy, kind);                              \
  }
#define WARPCHECK_COPY_VECTOR_ASYNC(name, suffix, Int, kind)                                \
  cublasStatus_t name##suffix(Int n, Int bytes, const void* x, Int incx, void* y, Int incy, \
                              cudaStream_t stream) {                                        \
    return copy_vector(#name, n, bytes, x, incx, y, incy, kind, stream);                    \
  }
#define WARPCHECK_COPY_MATRIX(name, suffix, Int, kind)                                           \
  cublasStatus_t name##suffix(Int rows, Int columns, Int bytes, const void* a, Int lda, void* b, \
                              Int ldb) {                                                         \
    return copy_matrix(#name, rows, columns, bytes, a, lda, b, ldb, kind);                       \
  }
#define WARPCHECK_COPY_MATRIX_ASYNC(name, suffix, Int, kind)                                     \
  cublasStatus_t name##suffix(Int rows, Int columns, Int bytes, const void* a, Int lda, void* b, \
                              Int ldb, cudaStream_t stream) {                                    \
    return copy_matrix(#name, rows, columns, bytes, a, lda, b, ldb, kind, stream);               \
  }

WARPCHECK_COPY_VECTOR(cublasSetVector, , int, cudaMemcpyHostToDevice)
WARPCHECK_COPY_VECTOR(cublasSetVector, _64, std::int64_t, cudaMemcpyHostToDevice)
WARPCHECK_COPY_VECTOR(cublasGetVector, , int, cudaMemcpyDeviceToHost)
WARPCHECK_COPY_VECTOR(cublasGetVector, _64, std::int64_t, cudaMemcpyDeviceToHost)
WARPCHECK_COPY_VECTOR_ASYNC(cublasSetVectorAsync, , int, cudaMemcpyHostToDevice)
WARPCHECK_COPY_VECTOR_ASYNC(cublasSetVectorAsync, _64, std::int64_t, cudaMemcpyHostToDevice)
WARPCHECK_COPY_VECTOR_ASYNC(cublasGetVectorAsync, , int, cudaMemcpyDeviceToHost)
WARPCHECK_COPY_VECTOR_ASYNC(cublasGetVectorAsync, _64, std::int64_t, cudaMemcpyDeviceToHost)
WARPCHECK_COPY_MATRIX(cublasSetMatrix, , int, cudaMemcpyHostToDevice)
WARPCHECK_COPY_MATRIX(cublasSetMatrix, _64, std::int64_t, cudaMemcpyHostToDevice)
WARPCHECK_COPY_MATRIX(cublasGetMatrix, , int, cudaMemcpyDeviceToHost)
WARPCHECK_COPY_MATRIX(cublasGetMatrix, _64, std::int64_t, cudaMemcpyDeviceToHost)
WARPCHECK_COPY_MATRIX_ASYNC(cublasSetMatrixAsync, , int, cudaMemcpyHostToDevice)
WARPCHECK_COPY_MATRIX_ASYNC(cublasSetMatrixAsync, _64, std::int64_t, cudaMemcpyHostToDevice)
WARPCHECK_COPY_MATRIX_ASYNC(cublasGetMatrixAsync, , int, cudaMemcpyDeviceToHost)
WARPCHECK_COPY_MATRIX_ASYNC(cublasGetMatrixAsync, _64, std::int64_t, cudaMemcpyDeviceToHost)
