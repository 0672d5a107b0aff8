// Calls cuBLAS in the wrong way that the first argument names, and prints the status.
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

cublasHandle_t handle;
float *a, *b, *c;
float one = 1;

cublasStatus_t multiply(int m, int ldc, const float* alpha = &one) {
  return cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, 4, 4, alpha, a, 4, b, 4, &one, c, ldc);
}

cublasStatus_t multiply_types(cudaDataType type, cublasComputeType_t compute) {
  return cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a, type, 4, b, type, 4, &one,
                      c, CUDA_R_32F, 4, compute, CUBLAS_GEMM_DEFAULT);
}

cublasStatus_t multiply_lt(int rows_of_b, int epilogue, int order = CUBLASLT_ORDER_COL,
                           void* scale = nullptr) {
  cublasLtMatmulDesc_t product;
  cublasLtMatrixLayout_t first, second;
  cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F);
  cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue,
                                 sizeof epilogue);
  cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, &scale,
                                 sizeof scale);
  cublasLtMatrixLayoutCreate(&first, CUDA_R_32F, 4, 4, 4);
  cublasLtMatrixLayoutCreate(&second, CUDA_R_32F, rows_of_b, 4, 4);
  cublasLtMatrixLayoutSetAttribute(second, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order);
  return cublasLtMatmul((cublasLtHandle_t)handle, product, &one, a, first, b, second, &one, c,
                        first, c, first, nullptr, nullptr, 0, nullptr);
}

int main(int, char** words) {
  const auto is = [&](const char* word) { return std::strcmp(words[1], word) == 0; };
  cublasCreate(&handle);
  for (float** const pointer : {&a, &b, &c}) {
    cudaMalloc(pointer, 64);
    cudaMemset(*pointer, 0, 64);
  }
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  if (is("negative")) status = multiply(-1, 4);
  if (is("ldc")) status = multiply(4, 3);
  if (is("alpha")) status = multiply(4, 4, nullptr);
  if (is("device-alpha")) status = multiply(4, 4, a);
  if (is("host-alpha")) {
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
    status = multiply(4, 4);
  }
  if (is("operation")) {
    status = cublasSgemv(handle, (cublasOperation_t)7, 4, 4, &one, a, 4, b, 1, &one, c, 1);
  }
  if (is("increment"))
    status = cublasSgemv(handle, CUBLAS_OP_N, 4, 4, &one, a, 4, b, 0, &one, c, 1);
  if (is("host-operand")) {
    static float host[16];
    a = host;
    status = multiply(4, 4);
  }
  if (is("null-operand")) {
    a = nullptr;
    status = multiply(4, 4);
  }
  if (is("freed")) {
    cudaFree(a);
    status = multiply(4, 4);
  }
  if (is("misaligned")) {
    a = (float*)((char*)a + 2);
    status = cublasSscal(handle, 4, &one, a, 1);
  }
  if (is("types")) status = multiply_types(CUDA_R_64F, CUBLAS_COMPUTE_32F);
  if (is("destroyed")) {
    cublasDestroy(handle);
    status = multiply(4, 4);
  }
  if (is("stream")) {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaStreamDestroy(stream);
    status = cublasSetStream(handle, stream);
  }
  if (is("device-result")) status = cublasSdot(handle, 4, a, 1, b, 1, c);
  if (is("set-matrix")) status = cublasSetMatrix(4, 4, 4, words, 3, a, 4);
  if (is("lt-shapes")) status = multiply_lt(3, CUBLASLT_EPILOGUE_DEFAULT);
  if (is("lt-bias")) status = multiply_lt(4, CUBLASLT_EPILOGUE_BIAS);
  if (is("lt-epilogue")) status = multiply_lt(4, 3);
  if (is("lt-scale")) status = multiply_lt(4, CUBLASLT_EPILOGUE_DEFAULT, CUBLASLT_ORDER_COL, c);
  if (is("lt-order")) status = multiply_lt(4, CUBLASLT_EPILOGUE_DEFAULT, CUBLASLT_ORDER_COL32);
  if (is("unsupported")) {
    for (int i = 0; i < 3; ++i) status = cublasStrttp(handle, CUBLAS_FILL_MODE_UPPER, 4, a, 4, c);
  }
  std::printf("%s: %s\n", words[1], cublasGetStatusName(status));
}
