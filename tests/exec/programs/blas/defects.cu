// Calls a function of cuBLAS, the first argument, with the defect that the second argument names:
// "leading", a leading dimension that is too small by one; "short", a first operand without its
// last column; "undefined", a first operand that nothing has written; "unordered", one that another
// stream writes. "none": there is no defect.
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

constexpr int n = 8;
float one = 1, result;
float *a, *b, *c;
int lda = n;
cublasHandle_t handle;
cudaStream_t stream;

struct Layout {
  cublasLtMatrixLayout_t layout;
  explicit Layout(int leading) { cublasLtMatrixLayoutCreate(&layout, CUDA_R_32F, n, n, leading); }
  ~Layout() { cublasLtMatrixLayoutDestroy(layout); }
};

cublasStatus_t multiply_lt() {
  cublasLtMatmulDesc_t product;
  cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F);
  const Layout first(lda), other(n);
  return cublasLtMatmul((cublasLtHandle_t)handle, product, &one, a, first.layout, b, other.layout,
                        &one, c, other.layout, c, other.layout, nullptr, nullptr, 0, stream);
}

cublasStatus_t transform_lt() {
  cublasLtMatrixTransformDesc_t transform;
  cublasLtMatrixTransformDescCreate(&transform, CUDA_R_32F);
  const Layout first(lda), other(n);
  return cublasLtMatrixTransform((cublasLtHandle_t)handle, transform, &one, a, first.layout, &one,
                                 b, other.layout, c, other.layout, stream);
}

cublasStatus_t multiply_batch() {
  float* pointers[] = {a, b, c};
  float** device;
  cudaMalloc(&device, sizeof pointers);
  cudaMemcpy(device, pointers, sizeof pointers, cudaMemcpyHostToDevice);
  return cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, device, lda,
                            device + 1, n, &one, device + 2, n, 1);
}

cublasStatus_t call(const char* family) {
  const auto is = [family](const char* name) { return std::strcmp(family, name) == 0; };
  constexpr auto none = CUBLAS_OP_N;
  constexpr auto left = CUBLAS_SIDE_LEFT;
  constexpr auto upper = CUBLAS_FILL_MODE_UPPER;
  constexpr auto diagonal = CUBLAS_DIAG_NON_UNIT;
  if (is("gemm")) return cublasSgemm(handle, none, none, n, n, n, &one, a, lda, b, n, &one, c, n);
  if (is("gemm-ex")) {
    return cublasGemmEx(handle, none, none, n, n, n, &one, a, CUDA_R_32F, lda, b, CUDA_R_32F, n,
                        &one, c, CUDA_R_32F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  }
  if (is("gemm-strided")) {
    return cublasSgemmStridedBatched(handle, none, none, n, n, n, &one, a, lda, 0, b, n, 0, &one, c,
                                     n, n * n, 1);
  }
  if (is("gemm-batched")) return multiply_batch();
  if (is("gemv")) return cublasSgemv(handle, none, n, n, &one, a, lda, b, 1, &one, c, 1);
  if (is("ger")) return cublasSger(handle, n, n, &one, b, 1, c, 1, a, lda);
  if (is("symm")) return cublasSsymm(handle, left, upper, n, n, &one, a, lda, b, n, &one, c, n);
  if (is("syrk")) return cublasSsyrk(handle, upper, none, n, n, &one, a, lda, &one, c, n);
  if (is("trmm"))
    return cublasStrmm(handle, left, upper, none, diagonal, n, n, &one, a, lda, b, n, c, n);
  if (is("trsm")) return cublasStrsm(handle, left, upper, none, diagonal, n, n, &one, a, lda, b, n);
  if (is("geam")) return cublasSgeam(handle, none, none, n, n, &one, a, lda, &one, b, n, c, n);
  if (is("dgmm")) return cublasSdgmm(handle, left, n, n, a, lda, b, 1, c, n);
  if (is("axpy")) return cublasSaxpy(handle, n * n, &one, a, 1, b, 1);
  if (is("scal")) return cublasSscal(handle, n * n, &one, a, 1);
  if (is("copy")) return cublasScopy(handle, n * n, a, 1, b, 1);
  if (is("dot")) return cublasSdot(handle, n * n, a, 1, b, 1, &result);
  if (is("nrm2")) return cublasSnrm2(handle, n * n, a, 1, &result);
  if (is("get")) return cublasGetVector(1, sizeof(float), a + n * n - 1, 1, &result, 1);
  if (is("lt")) return multiply_lt();
  if (is("lt-transform")) return transform_lt();
  return CUBLAS_STATUS_INTERNAL_ERROR;
}

int main(int, char** words) {
  const auto has = [&](const char* defect) { return std::strcmp(words[2], defect) == 0; };
  constexpr size_t bytes = n * n * sizeof(float);
  const size_t bytes_of_a = has("short") ? bytes - n * sizeof(float) : bytes;
  cublasCreate(&handle);
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMalloc(&a, bytes_of_a);
  cudaMalloc(&b, bytes);
  cudaMalloc(&c, bytes);
  cudaMemset(b, 0, bytes);
  cudaMemset(c, 0, bytes);
  if (!has("undefined")) cudaMemset(a, 0, bytes_of_a);
  cudaDeviceSynchronize();
  cudaStream_t other;
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  if (has("unordered") || has("none")) cudaMemsetAsync(a, 0, bytes, other);
  if (!has("unordered")) cudaDeviceSynchronize();
  if (has("leading")) lda = n - 1;
  cublasSetStream(handle, stream);
  const cublasStatus_t status = call(words[1]);
  std::printf("%s\n", cublasGetStatusName(status));
  cudaDeviceSynchronize();
}
