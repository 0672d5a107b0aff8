// Functions of cuBLAS with integers, whose results are exact, against plain loops. Between the
// columns of the matrices is undefined memory.
#include "matrices.hpp"

constexpr int m = 5, n = 7, k = 6;
cublasHandle_t handle;

std::vector<cublasOperation_t> operations(bool is_complex) {
  if (is_complex) return {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
  return {CUBLAS_OP_N, CUBLAS_OP_T};
}

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

/// beta == 0 does not read C, alpha == 0 does not read A and B.
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

template <class T>
void vectors_and_matrices() {
  using B = Blas<T>;
  const T alpha = element<T>({2, 1}), beta = element<T>({-1, 1});
  for (const auto trans : operations(B::is_complex)) {
    const bool transposed = trans != CUBLAS_OP_N;
    Matrix<T> a(m, n, 1), x(1, transposed ? m : n, 2, 1), y(1, transposed ? n : m, 3, 2);
    CALL(B::gemv(handle, trans, m, n, cuda(&alpha), cuda(a.device), a.leading, cuda(x.device),
                 x.leading, cuda(&beta), cuda(y.device), y.leading));
    std::vector<Complex> sums;
    for (int i = 0; i < y.columns; ++i) {
      Complex sum = 0;
      for (int l = 0; l < x.columns; ++l) sum += at(a, trans, i, l) * x.value(0, l);
      sums.push_back(number(alpha) * sum + number(beta) * y.value(0, i));
    }
    EXPECT(equal(y.download(), sums));
  }
  Matrix<T> a(m, n, 4), x(m, 1, 5), c(m, n, 6), b(n, m, 7);
  CALL(B::dgmm(handle, CUBLAS_SIDE_LEFT, m, n, cuda(a.device), a.leading, cuda(x.device), 1,
               cuda(c.device), c.leading));
  std::vector<Complex> scaled, sums;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      scaled.push_back(a.value(i, j) * x.value(i, 0));
      sums.push_back(number(alpha) * a.value(i, j) + number(beta) * b.value(j, i));
    }
  }
  EXPECT(equal(c.download(), scaled));
  CALL(B::geam(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, cuda(&alpha), cuda(a.device), a.leading,
               cuda(&beta), cuda(b.device), b.leading, cuda(c.device), c.leading));
  EXPECT(equal(c.download(), sums));
}

/// Only one triangle of a matrix is defined on the device.
template <class T>
void keep_triangle(Matrix<T>& matrix, bool lower, bool with_diagonal) {
  cudaFree(matrix.device);
  cudaMalloc(&matrix.device, (matrix.leading * (matrix.columns - 1) + matrix.rows) * sizeof(T));
  for (int j = 0; j < matrix.columns; ++j) {
    const int first = lower ? j + (with_diagonal ? 0 : 1) : 0;
    const int end = lower ? matrix.rows : j + (with_diagonal ? 1 : 0);
    if (first >= end) continue;
    cudaMemcpy(matrix.device + first + j * matrix.leading, &matrix.at(first, j),
               (end - first) * sizeof(T), cudaMemcpyHostToDevice);
  }
}

template <class T>
void triangles(cublasFillMode_t fill, cublasSideMode_t side) {
  using B = Blas<T>;
  const bool lower = fill == CUBLAS_FILL_MODE_LOWER, left = side == CUBLAS_SIDE_LEFT;
  const T alpha = element<T>({1, 1}), beta = element<T>({2, -1}), one = element<T>({1, 0});
  const int size = left ? m : n;
  Matrix<T> b(m, n, 2), c(m, n, 3), symmetric(size, size, 1);
  for (int j = 0; j < size; ++j) {
    for (int i = 0; i < j; ++i) symmetric.at(i, j) = symmetric.at(j, i);
  }
  keep_triangle(symmetric, lower, true);
  const auto product = [&](const Matrix<T>& a, cublasOperation_t op, Complex factor,
                           Complex other) {
    return left ? expected(a, op, b, CUBLAS_OP_N, c, m, factor, other)
                : expected(b, CUBLAS_OP_N, a, op, c, n, factor, other);
  };
  CALL(B::symm(handle, side, fill, m, n, cuda(&alpha), cuda(symmetric.device), symmetric.leading,
               cuda(b.device), b.leading, cuda(&beta), cuda(c.device), c.leading));
  EXPECT(equal(c.download(), product(symmetric, CUBLAS_OP_N, number(alpha), number(beta))));

  for (const auto trans : operations(B::is_complex)) {
    for (const auto diagonal : {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT}) {
      Matrix<T> triangle(size, size, 4);
      for (int j = 0; j < size; ++j) {
        for (int i = 0; i < size; ++i) {
          if (i == j) triangle.at(i, j) = diagonal == CUBLAS_DIAG_UNIT ? one : element<T>({2, 0});
          if (lower ? i < j : i > j) triangle.at(i, j) = T{};
        }
      }
      keep_triangle(triangle, lower, diagonal == CUBLAS_DIAG_NON_UNIT);
      CALL(B::trmm(handle, side, fill, trans, diagonal, m, n, cuda(&one), cuda(triangle.device),
                   triangle.leading, cuda(b.device), b.leading, cuda(c.device), c.leading));
      EXPECT(equal(c.download(), product(triangle, trans, 1, 0)));
      CALL(B::trsm(handle, side, fill, trans, diagonal, m, n, cuda(&one), cuda(triangle.device),
                   triangle.leading, cuda(c.device), c.leading));
      std::vector<Complex> solution;
      for (const T& value : b.host) solution.push_back(number(value));
      EXPECT(equal(c.download(), solution));
    }
  }
}

template <class T>
void updates(cublasFillMode_t fill, cublasOperation_t trans) {
  using B = Blas<T>;
  const bool lower = fill == CUBLAS_FILL_MODE_LOWER, transposed = trans != CUBLAS_OP_N;
  const auto other = transposed ? CUBLAS_OP_N : CUBLAS_OP_T;
  const T alpha = element<T>({2, 1}), beta = element<T>({-1, 0});
  Matrix<T> a(transposed ? k : n, transposed ? n : k, 1), b(a.rows, a.columns, 2), c(n, n, 3);
  const auto check = [&](std::vector<Complex> sums) {
    const std::vector<T> found = c.download();
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {  // the other triangle keeps its values
        if (lower ? i < j : i > j) sums[i + j * n] = c.value(i, j);
      }
    }
    EXPECT(equal(found, sums));
    c.upload();
  };
  CALL(B::syrk(handle, fill, trans, n, k, cuda(&alpha), cuda(a.device), a.leading, cuda(&beta),
               cuda(c.device), c.leading));
  check(expected(a, trans, a, other, c, k, number(alpha), number(beta)));
  CALL(B::syr2k(handle, fill, trans, n, k, cuda(&alpha), cuda(a.device), a.leading, cuda(b.device),
                b.leading, cuda(&beta), cuda(c.device), c.leading));
  auto sums = expected(a, trans, b, other, c, k, number(alpha), number(beta));
  const auto second = expected(b, trans, a, other, c, k, number(alpha), 0);
  for (size_t i = 0; i < sums.size(); ++i) sums[i] += second[i];
  check(sums);
}

void hermitian() {
  const float alpha = 2, beta = -1;
  using C = std::complex<float>;
  Matrix<C> a(n, k, 1), c(n, n, 2);
  CALL(cublasCherk(handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, n, k, &alpha, cuda(a.device),
                   a.leading, &beta, cuda(c.device), c.leading));
  auto sums = expected(a, CUBLAS_OP_N, a, CUBLAS_OP_C, c, k, alpha, beta);
  for (int j = 0; j < n; ++j) {
    sums[j + j * n] = sums[j + j * n].real();
    for (int i = j + 1; i < n; ++i) sums[i + j * n] = c.value(i, j);
  }
  EXPECT(equal(c.download(), sums));
}

template <class T>
void vectors() {
  using B = Blas<T>;
  const T alpha = element<T>({2, -1});
  Matrix<T> x(1, n, 1, 1), y(1, n, 2, 2);
  CALL(B::axpy(handle, n, cuda(&alpha), cuda(x.device), x.leading, cuda(y.device), -y.leading));
  std::vector<Complex> sums(n), scaled, copied;
  for (int i = 0; i < n; ++i) {  // y has its first element at its end
    sums[n - 1 - i] = number(alpha) * x.value(0, i) + y.value(0, n - 1 - i);
    scaled.push_back(number(alpha) * x.value(0, i));
    copied.push_back(x.value(0, i));
  }
  EXPECT(equal(y.download(), sums));
  CALL(B::copy(handle, n, cuda(x.device), x.leading, cuda(y.device), y.leading));
  EXPECT(equal(y.download(), copied));
  CALL(B::scal(handle, n, cuda(&alpha), cuda(x.device), x.leading));
  EXPECT(equal(x.download(), scaled));
  CALL(B::swap(handle, n, cuda(x.device), x.leading, cuda(y.device), y.leading));
  EXPECT(equal(x.download(), copied));
  EXPECT(equal(y.download(), scaled));
}

void results() {
  const float host[] = {3, -4, 0, 12};
  float* x;
  cudaMalloc(&x, sizeof host);
  CALL(cublasSetVector(4, sizeof(float), host, 1, x, 1));
  float result = 0;
  int index = 0;
  CALL(cublasSdot(handle, 4, x, 1, x, 1, &result));
  EXPECT(result == 9 + 16 + 144);
  CALL(cublasSnrm2(handle, 4, x, 1, &result));
  EXPECT(result == 13);
  CALL(cublasSasum(handle, 4, x, 1, &result));
  EXPECT(result == 19);
  CALL(cublasIsamax(handle, 4, x, 1, &index));
  EXPECT(index == 4);
  CALL(cublasIsamin(handle, 4, x, 1, &index));
  EXPECT(index == 3);
  const float c = 0, s = 1;
  CALL(cublasSrot(handle, 2, x, 1, x + 2, 1, &c, &s));  // (3, -4), (0, 12) become (0, 12), (-3, 4)
  float rotated[4];
  CALL(cublasGetVector(4, sizeof(float), x, 1, rotated, 1));
  EXPECT(rotated[0] == 0 && rotated[1] == 12 && rotated[2] == -3 && rotated[3] == 4);

  float* on_device;  // factors and results in memory of the device
  cudaMalloc(&on_device, 2 * sizeof(float));
  CALL(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  CALL(cublasSasum(handle, 4, x, 1, on_device));
  CALL(cublasSscal(handle, 4, on_device, x, 1));
  CALL(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
  CALL(cublasGetVector(4, sizeof(float), x, 1, rotated, 1));
  EXPECT(rotated[1] == 12 * 19);

  const Complex numbers[] = {{1, 2}, {3, -1}};
  Complex* z;
  cudaMalloc(&z, sizeof numbers);
  cudaMemcpy(z, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  Complex sum;
  CALL(cublasZdotc(handle, 2, cuda(z), 1, cuda(z), 1, cuda(&sum)));
  EXPECT(sum == Complex(15, 0));
  CALL(cublasZdotu(handle, 2, cuda(z), 1, cuda(z), 1, cuda(&sum)));
  EXPECT(sum == numbers[0] * numbers[0] + numbers[1] * numbers[1]);

  Matrix<__half> h(4, 1, 1, 0);
  __half half;
  CALL(cublasDotEx(handle, 4, h.device, CUDA_R_16F, 1, h.device, CUDA_R_16F, 1, &half, CUDA_R_16F,
                   CUDA_R_32F));
  double squares = 0;
  for (int i = 0; i < 4; ++i) squares += h.value(i, 0).real() * h.value(i, 0).real();
  EXPECT(number(half).real() == squares);
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

template <class T>
void all_of_type() {
  products<T>();
  batches<T>();
  vectors_and_matrices<T>();
  vectors<T>();
  for (const auto fill : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
    for (const auto side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT}) triangles<T>(fill, side);
    for (const auto trans : {CUBLAS_OP_N, CUBLAS_OP_T}) updates<T>(fill, trans);
  }
}

int main() {
  CALL(cublasCreate(&handle));
  all_of_type<float>();
  all_of_type<double>();
  all_of_type<std::complex<float>>();
  all_of_type<Complex>();
  not_read();
  typed_products();
  hermitian();
  results();
  captured();
  CALL(cublasDestroy(handle));
  std::printf("%d failures\n", failures);
  return failures != 0;
}
