// Functions of vectors, and of matrices with a structure, with integers, whose results are exact,
// against plain loops. Elements that a function does not read are undefined memory.
#include "matrices.hpp"

constexpr int m = 5, n = 7, k = 6;
cublasHandle_t handle;

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

/// A = alpha x y^H + A.
void rank_one() {
  const Complex alpha(2, 1);
  Matrix<Complex> x(m, 1, 1), y(n, 1, 2), a(m, n, 3);
  CALL(cublasZgerc(handle, m, n, cuda(&alpha), cuda(x.device), 1, cuda(y.device), 1, cuda(a.device),
                   a.leading));
  EXPECT(equal(a.download(), expected(x, CUBLAS_OP_N, y, CUBLAS_OP_C, a, 1, alpha, 1)));
}

/// C = alpha A B^H + conj(alpha) B A^H + beta C.
void hermitian_sum() {
  using C = std::complex<float>;
  const C alpha(1, 2);
  const float beta = -1;
  Matrix<C> a(n, k, 1), b(n, k, 2), c(n, n, 3);
  CALL(cublasCher2k(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, n, k, cuda(&alpha), cuda(a.device),
                    a.leading, cuda(b.device), b.leading, &beta, cuda(c.device), c.leading));
  auto sums = expected(a, CUBLAS_OP_N, b, CUBLAS_OP_C, c, k, number(alpha), beta);
  const auto second = expected(b, CUBLAS_OP_N, a, CUBLAS_OP_C, c, k, std::conj(number(alpha)), 0);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      Complex& sum = sums[i + j * n];
      sum += second[i + j * n];
      if (i == j) sum = sum.real();
      if (i < j) sum = c.value(i, j);
    }
  }
  EXPECT(equal(c.download(), sums));
}

/// A batch of systems A X = 2 B with A = 2 I, and one of products of A with vectors.
void batches() {
  Matrix<double> a(m, m, 1), b(m, n, 2), other(m, n, 3), x(m, 2, 4), y(m, 2, 5);
  for (int j = 0; j < m; ++j) {
    for (int i = 0; i < m; ++i) a.at(i, j) = i == j ? 2 : 0;
  }
  a.upload();
  double* host[] = {a.device, a.device, b.device, other.device};
  double** pointers;
  cudaMalloc(&pointers, sizeof host);
  cudaMemcpy(pointers, host, sizeof host, cudaMemcpyHostToDevice);
  const double two = 2, one = 1;
  CALL(cublasDtrsmBatched(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                          CUBLAS_DIAG_NON_UNIT, m, n, &two, pointers, a.leading, pointers + 2,
                          b.leading, 2));
  EXPECT(b.download() == b.host);
  EXPECT(other.download() == other.host);
  CALL(cublasDgemvStridedBatched(handle, CUBLAS_OP_N, m, m, &two, a.device, a.leading, 0, x.device,
                                 1, x.leading, &one, y.device, 1, y.leading, 2));
  EXPECT(equal(y.download(), expected(a, CUBLAS_OP_N, x, CUBLAS_OP_N, y, m, 2, 1)));
}

template <class T>
void all_of_type() {
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
  hermitian();
  rank_one();
  hermitian_sum();
  batches();
  results();
  CALL(cublasDestroy(handle));
  std::printf("%d failures\n", failures);
  return failures != 0;
}
