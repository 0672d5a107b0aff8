// Products of matrices with integers, whose results are exact, against plain loops. Between the
// columns of the matrices is undefined memory.
#include "matrices.hpp"

constexpr int m = 5, n = 7, k = 6;
cublasHandle_t handle;

template <class T>
void products() {
  using B = Blas<T>;
  const T alpha = element<T>({2, 1}), beta = element<T>({-1, 2}), zero{};
  for (const auto transa : operations(B::is_complex)) {
    for (const auto transb : operations(B::is_complex)) {
      const bool ta = transa != CUBLAS_OP_N, tb = transb != CUBLAS_OP_N;
      Matrix<T> a(ta ? k : m, ta ? m : k, 1), b(tb ? n : k, tb ? k : n, 2), c(m, n, 3);
      CALL(B::gemm(handle, transa, transb, m, n, k, cuda(&alpha), cuda(a.device), a.leading,
                   cuda(b.device), b.leading, cuda(&beta), cuda(c.device), c.leading));
      EXPECT(
          equal(c.download(), expected(a, transa, b, transb, c, k, number(alpha), number(beta))));
      c.upload();
      CALL(B::gemm_64(handle, transa, transb, m, n, k, cuda(&alpha), cuda(a.device), a.leading,
                      cuda(b.device), b.leading, cuda(&zero), cuda(c.device), c.leading));
      EXPECT(equal(c.download(), expected(a, transa, b, transb, c, k, number(alpha), 0)));
    }
  }
}

/// beta == 0 does not read C, alpha == 0 does not read A and B, and then beta == 1 keeps C.
void not_read() {
  float *undefined, *c;
  cudaMalloc(&undefined, 16 * sizeof(float));
  cudaMalloc(&c, 16 * sizeof(float));
  cudaMemset(undefined, 0, 16 * sizeof(float));
  const float one = 1, zero = 0;
  CALL(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, undefined, 4, undefined, 4,
                   &zero, c, 4));
  cudaFree(undefined);
  cudaMalloc(&undefined, 16 * sizeof(float));
  CALL(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &zero, undefined, 4, undefined, 4,
                   &one, c, 4));
  CALL(cublasSger(handle, 4, 4, &zero, undefined, 1, undefined, 1, undefined, 4));
  float first = 1;
  cudaMemcpy(&first, c, sizeof first, cudaMemcpyDeviceToHost);
  EXPECT(first == 0);
}

template <class T>
void batches() {
  using B = Blas<T>;
  constexpr int count = 3;
  const T alpha = element<T>({1, -1}), beta = element<T>({2, 0});
  // The matrices of a batch are the parts of one with more columns.
  Matrix<T> a(m, k * count, 4), b(k, n * count, 5), c(m, n * count, 6);
  const auto check = [&] {
    const std::vector<T> found = c.download();
    for (int i = 0; i < count; ++i) {
      std::vector<Complex> sums;
      for (int column = 0; column < n; ++column) {
        for (int row = 0; row < m; ++row) {
          Complex sum = 0;
          for (int l = 0; l < k; ++l) sum += a.value(row, i * k + l) * b.value(l, i * n + column);
          sums.push_back(number(alpha) * sum + number(beta) * c.value(row, i * n + column));
        }
      }
      EXPECT(
          equal(std::vector<T>(found.begin() + i * m * n, found.begin() + (i + 1) * m * n), sums));
    }
    c.upload();
  };
  CALL(B::gemm_strided(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, cuda(&alpha), cuda(a.device),
                       a.leading, a.leading * k, cuda(b.device), b.leading, b.leading * n,
                       cuda(&beta), cuda(c.device), c.leading, c.leading * n, count));
  check();
  std::vector<T*> pointers;
  for (int i = 0; i < count; ++i) pointers.push_back(a.device + i * a.leading * k);
  for (int i = 0; i < count; ++i) pointers.push_back(b.device + i * b.leading * n);
  for (int i = 0; i < count; ++i) pointers.push_back(c.device + i * c.leading * n);
  typename B::Element** device;
  cudaMalloc(&device, pointers.size() * sizeof(T*));
  cudaMemcpy(device, pointers.data(), pointers.size() * sizeof(T*), cudaMemcpyHostToDevice);
  CALL(B::gemm_batched(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, cuda(&alpha), device, a.leading,
                       device + count, b.leading, cuda(&beta), device + 2 * count, c.leading,
                       count));
  check();
  cudaFree(device);
}

/// Products whose types are arguments.
template <class A, class C, class Scale>
void typed_product(cudaDataType a_type, cudaDataType c_type, cublasComputeType_t compute) {
  const Scale alpha = element<Scale>({2, 0}), beta = element<Scale>({-1, 0});
  Matrix<A> a(k, m, 1), b(k, n, 2);
  Matrix<C> c(m, n, 3);
  CALL(cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &alpha, a.device, a_type, a.leading,
                    b.device, a_type, b.leading, &beta, c.device, c_type, c.leading, compute,
                    CUBLAS_GEMM_DEFAULT));
  const auto sums = expected(a, CUBLAS_OP_T, b, CUBLAS_OP_N, c, k, number(alpha), number(beta));
  EXPECT(equal(c.download(), sums));
  c.upload();
  CALL(cublasGemmStridedBatchedEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &alpha, a.device,
                                  a_type, a.leading, 0, b.device, a_type, b.leading, 0, &beta,
                                  c.device, c_type, c.leading, 0, 1, compute, CUBLAS_GEMM_DEFAULT));
  EXPECT(equal(c.download(), sums));
}

void typed_products() {
  typed_product<__half, __half, __half>(CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F);
  typed_product<__half, __half, float>(CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F);
  typed_product<__nv_bfloat16, __nv_bfloat16, float>(CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F);
  typed_product<__half, float, float>(CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F);
  typed_product<float, float, float>(CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32);
  typed_product<double, double, double>(CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F);
  typed_product<signed char, int, int>(CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I);
  // A combination that the manual does not list is tested in defects.cu.
}

/// A product in a graph is executed by each launch.
void captured() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  CALL(cublasSetStream(handle, stream));
  Matrix<float> a(2, 2, 1, 0), c(2, 2, 2, 0);
  const float one = 1;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  CALL(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a.device, 2, a.device, 2, &one,
                   c.device, 2));
  cudaStreamEndCapture(stream, &graph);
  EXPECT(c.download() == c.host);
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, stream);
  cudaGraphLaunch(executable, stream);
  cudaStreamSynchronize(stream);
  EXPECT(equal(c.download(), expected(a, CUBLAS_OP_N, a, CUBLAS_OP_N, c, 2, 2, 1)));
  CALL(cublasSetStream(handle, nullptr));
}

/// Two groups of products, each with its own sizes.
void groups() {
  Matrix<float> a(m, k, 1), b(k, n, 2), c(m, n, 3), small(2, 2, 4), first(2, 2, 5), second(2, 2, 6);
  float* host[] = {a.device,     small.device, small.device, b.device,     small.device,
                   small.device, c.device,     first.device, second.device};
  float** pointers;
  cudaMalloc(&pointers, sizeof host);
  cudaMemcpy(pointers, host, sizeof host, cudaMemcpyHostToDevice);
  const cublasOperation_t operations[] = {CUBLAS_OP_N, CUBLAS_OP_N};
  const int rows[] = {m, 2}, columns[] = {n, 2}, depths[] = {k, 2}, sizes[] = {1, 2};
  const int lda[] = {a.leading, small.leading}, ldb[] = {b.leading, small.leading};
  const int ldc[] = {c.leading, first.leading};
  const float alpha[] = {1, 2}, beta[] = {-1, 1};
  CALL(cublasSgemmGroupedBatched(handle, operations, operations, rows, columns, depths, alpha,
                                 pointers, lda, pointers + 3, ldb, beta, pointers + 6, ldc, 2,
                                 sizes));
  EXPECT(equal(c.download(), expected(a, CUBLAS_OP_N, b, CUBLAS_OP_N, c, k, 1, -1)));
  for (const auto* result : {&first, &second}) {
    EXPECT(equal(result->download(),
                 expected(small, CUBLAS_OP_N, small, CUBLAS_OP_N, *result, 2, 2, 1)));
  }
}

/// Two streams use different rows of the same columns: nothing needs to order them.
void interleaved() {
  Matrix<float> a(m, k, 1), b(k, n, 2), c(2 * m, n, 3);
  cudaDeviceSynchronize();
  const float one = 1;
  for (int i = 0; i < 2; ++i) {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    CALL(cublasSetStream(handle, stream));
    CALL(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, a.device, a.leading, b.device,
                     b.leading, &one, c.device + i * m, c.leading));
  }
  cudaDeviceSynchronize();
  CALL(cublasSetStream(handle, nullptr));
  std::vector<Complex> sums;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < 2 * m; ++i) {
      Complex sum = c.value(i, j);
      for (int l = 0; l < k; ++l) sum += a.value(i % m, l) * b.value(l, j);
      sums.push_back(sum);
    }
  }
  EXPECT(equal(c.download(), sums));
}

template <class T>
void all_of_type() {
  products<T>();
  batches<T>();
}

int main() {
  CALL(cublasCreate(&handle));
  all_of_type<float>();
  all_of_type<double>();
  all_of_type<std::complex<float>>();
  all_of_type<Complex>();
  not_read();
  typed_products();
  captured();
  interleaved();
  groups();
  CALL(cublasDestroy(handle));
  std::printf("%d failures\n", failures);
  return failures != 0;
}
