// Functions of cuBLASLt with integers, whose results are exact, against plain loops.
#include <cmath>

#include "matrices.hpp"

constexpr int m = 16, n = 6, k = 32;
cublasLtHandle_t handle;

template <class Descriptor, class Attribute, class Value>
void set(cublasStatus_t (*function)(Descriptor, Attribute, const void*, size_t),
         Descriptor descriptor, Attribute id, Value value) {
  CALL(function(descriptor, id, &value, sizeof value));
}

struct Layout {
  cublasLtMatrixLayout_t layout;

  Layout(cudaDataType type, int rows, int columns, int leading,
         int32_t order = CUBLASLT_ORDER_COL) {
    CALL(cublasLtMatrixLayoutCreate(&layout, type, rows, columns, leading));
    set(cublasLtMatrixLayoutSetAttribute, layout, CUBLASLT_MATRIX_LAYOUT_ORDER, order);
  }
  Layout(const Layout&) = delete;
  ~Layout() { cublasLtMatrixLayoutDestroy(layout); }
};

/// D = op(A)^T B + beta C with an epilogue; A and B have the type of the first template argument.
struct Product {
  cublasLtMatmulDesc_t descriptor;

  explicit Product(cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT) {
    CALL(cublasLtMatmulDescCreate(&descriptor, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    with(CUBLASLT_MATMUL_DESC_TRANSA, int32_t{CUBLAS_OP_T});
    with(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
  }
  Product(const Product&) = delete;
  ~Product() { cublasLtMatmulDescDestroy(descriptor); }

  template <class Value>
  Product& with(cublasLtMatmulDescAttributes_t id, Value value) {
    set(cublasLtMatmulDescSetAttribute, descriptor, id, value);
    return *this;
  }

  template <class A, class C, class D>
  cublasStatus_t run(const Matrix<A>& a, cudaDataType a_type, const Matrix<A>& b,
                     const Matrix<C>& c, cudaDataType c_type, Matrix<D>& d, cudaDataType d_type,
                     float beta) {
    const Layout a_layout(a_type, k, m, a.leading), b_layout(a_type, k, n, b.leading);
    const Layout c_layout(c_type, m, n, c.leading), d_layout(d_type, m, n, d.leading);
    cublasLtMatmulPreference_t preference;
    CALL(cublasLtMatmulPreferenceCreate(&preference));
    cublasLtMatmulHeuristicResult_t result;
    int count = 0;
    const auto found = cublasLtMatmulAlgoGetHeuristic(
        handle, descriptor, a_layout.layout, b_layout.layout, c_layout.layout, d_layout.layout,
        preference, 1, &result, &count);
    cublasLtMatmulPreferenceDestroy(preference);
    if (found != CUBLAS_STATUS_SUCCESS || count != 1) return found;
    const float alpha = 1;
    return cublasLtMatmul(handle, descriptor, &alpha, a.device, a_layout.layout, b.device,
                          b_layout.layout, &beta, c.device, c_layout.layout, d.device,
                          d_layout.layout, &result.algo, nullptr, 0, nullptr);
  }
};

template <class T>
std::vector<Complex> sums_of(const Matrix<T>& a, const Matrix<T>& b, const Matrix<float>& c,
                             double beta = 0) {
  return expected(a, CUBLAS_OP_T, b, CUBLAS_OP_N, c, k, 1, beta);
}

void types() {
  Matrix<float> d(m, n, 9);
  {
    Matrix<float> a(k, m, 1), b(k, n, 2), c(m, n, 3);
    CALL(Product().run(a, CUDA_R_32F, b, c, CUDA_R_32F, d, CUDA_R_32F, 2));
    EXPECT(equal(d.download(), sums_of(a, b, c, 2)));
  }
  {
    Matrix<__half> a(k, m, 1), b(k, n, 2);
    Matrix<float> c(m, n, 3);
    CALL(Product().run(a, CUDA_R_16F, b, c, CUDA_R_32F, d, CUDA_R_32F, -1));
    EXPECT(equal(d.download(), sums_of(a, b, c, -1)));
  }
  {
    Matrix<__nv_fp8_e4m3> a(k, m, 1, 0), b(k, n, 2, 0);
    Matrix<float> c(m, n, 3), scales(2, 1, 0, 0), amax(1, 1, 0);
    scales.host = {2, 0.5};
    scales.upload();
    Product product;
    product.with(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, scales.device)
        .with(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, scales.device + 1);
    CALL(product.run(a, CUDA_R_8F_E4M3, b, c, CUDA_R_32F, d, CUDA_R_32F, 1));
    EXPECT(equal(d.download(), sums_of(a, b, c, 1)));
    Matrix<__nv_bfloat16> summand(m, n, 4);
    Matrix<__nv_fp8_e4m3> result(m, n, 5);
    product.with(CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, scales.device + 1)
        .with(CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, amax.device);
    CALL(product.run(a, CUDA_R_8F_E4M3, b, summand, CUDA_R_16BF, result, CUDA_R_8F_E4M3, 0));
    std::vector<Complex> halves = sums_of(a, b, c);
    double largest = 0;
    for (Complex& sum : halves) {
      largest = std::max(largest, std::abs(sum.real()));
      sum *= 0.5;
    }
    EXPECT(equal(result.download(), halves));
    EXPECT(amax.download()[0] == float(largest));
  }
}

/// Matrices by rows: the product of the transposed matrices.
void orders() {
  Matrix<float> a(k, m, 1), b(n, k, 2), c(n, m, 3);  // A is m x k by rows, B is k x n
  Product product;
  product.with(CUBLASLT_MATMUL_DESC_TRANSA, int32_t{CUBLAS_OP_N});
  const Layout a_layout(CUDA_R_32F, m, k, a.leading, CUBLASLT_ORDER_ROW);
  const Layout b_layout(CUDA_R_32F, k, n, b.leading, CUBLASLT_ORDER_ROW);
  const Layout c_layout(CUDA_R_32F, m, n, c.leading, CUBLASLT_ORDER_ROW);
  const float alpha = 2, beta = -1;
  CALL(cublasLtMatmul(handle, product.descriptor, &alpha, a.device, a_layout.layout, b.device,
                      b_layout.layout, &beta, c.device, c_layout.layout, c.device, c_layout.layout,
                      nullptr, nullptr, 0, nullptr));
  EXPECT(equal(c.download(), expected(b, CUBLAS_OP_N, a, CUBLAS_OP_N, c, k, 2, -1)));

  cublasLtMatrixTransformDesc_t transform;
  CALL(cublasLtMatrixTransformDescCreate(&transform, CUDA_R_32F));
  Matrix<float> from(m, n, 4), to(n, m, 5);
  const Layout columns(CUDA_R_32F, m, n, from.leading),
      rows(CUDA_R_32F, m, n, to.leading, CUBLASLT_ORDER_ROW);
  const float zero = 0;
  CALL(cublasLtMatrixTransform(handle, transform, &alpha, from.device, columns.layout, &zero,
                               nullptr, nullptr, to.device, rows.layout, nullptr));
  std::vector<Complex> doubled;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) doubled.push_back(2.0 * from.value(i, j));
  }
  EXPECT(equal(to.download(), doubled));
  cublasLtMatrixTransformDescDestroy(transform);
}

double gelu(double x) {
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}

bool near(const std::vector<float>& found, const std::vector<double>& expected) {
  for (size_t i = 0; i < found.size(); ++i) {
    if (std::abs(found[i] - expected[i]) > 1e-5 * std::max(1.0, std::abs(expected[i])))
      return false;
  }
  return found.size() == expected.size();
}

struct Epilogues {
  Matrix<float> a{k, m, 1}, b{k, n, 2}, c{m, n, 3}, d{m, n, 4}, bias{m, 1, 5, 0},
      columns{n, 1, 6, 0};
  std::vector<Complex> sums = sums_of(a, b, c);

  void run(Product& product) {
    CALL(product.run(a, CUDA_R_32F, b, c, CUDA_R_32F, d, CUDA_R_32F, 0));
  }
  double biased(size_t i) const { return sums[i].real() + bias.value(i % m, 0).real(); }
  template <class Function>
  void expect_results(const char* name, Function function) {
    std::vector<double> results;
    for (size_t i = 0; i < sums.size(); ++i) results.push_back(function(i));
    expect(near(d.download(), results), name, __LINE__);
  }

  void relu() {
    Matrix<unsigned char> mask(128 / 8, n, 7, 0);
    Product forward(CUBLASLT_EPILOGUE_RELU_AUX_BIAS);
    forward.with(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias.device)
        .with(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, mask.device)
        .with(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, int64_t{128});
    run(forward);
    expect_results("RELU_AUX_BIAS", [&](size_t i) { return std::max(biased(i), 0.0); });
    Product backward(CUBLASLT_EPILOGUE_DRELU_BGRAD);
    backward.with(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias.device)
        .with(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, mask.device)
        .with(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, int64_t{128});
    run(backward);
    const auto gradient = [&](size_t i) { return biased(i) > 0 ? sums[i].real() : 0.0; };
    expect_results("DRELU_BGRAD", gradient);
    std::vector<double> row_sums(m);
    for (size_t i = 0; i < sums.size(); ++i) row_sums[i % m] += gradient(i);
    EXPECT(near(bias.download(), row_sums));
    bias.upload();
    Product plain(CUBLASLT_EPILOGUE_RELU);
    run(plain);
    expect_results("RELU", [&](size_t i) { return std::max(sums[i].real(), 0.0); });
  }

  void gelus() {
    Matrix<float> aux(m, n, 8, 0);
    Product forward(CUBLASLT_EPILOGUE_GELU_AUX_BIAS);
    forward.with(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias.device)
        .with(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, aux.device)
        .with(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, int64_t{m});
    run(forward);
    expect_results("GELU_AUX_BIAS", [&](size_t i) { return gelu(biased(i)); });
    std::vector<double> inputs;
    for (size_t i = 0; i < sums.size(); ++i) inputs.push_back(biased(i));
    EXPECT(near(aux.download(), inputs));
    Product backward(CUBLASLT_EPILOGUE_DGELU);
    backward.with(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, aux.device)
        .with(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, int64_t{m});
    run(backward);
    const double h = 1e-5;  // the derivative as a difference
    expect_results("DGELU", [&](size_t i) {
      return sums[i].real() * (gelu(biased(i) + h) - gelu(biased(i) - h)) / (2 * h);
    });
  }

  void biases() {
    Product product(CUBLASLT_EPILOGUE_BIAS);
    product.with(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias.device);
    run(product);
    expect_results("BIAS", [&](size_t i) { return biased(i); });
    Product gradient_a(CUBLASLT_EPILOGUE_BGRADA), gradient_b(CUBLASLT_EPILOGUE_BGRADB);
    gradient_a.with(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias.device);
    gradient_b.with(CUBLASLT_MATMUL_DESC_BIAS_POINTER, columns.device);
    run(gradient_a);
    run(gradient_b);
    std::vector<double> of_a(m), of_b(n);
    for (int l = 0; l < k; ++l) {
      for (int i = 0; i < m; ++i) of_a[i] += a.value(l, i).real();
      for (int j = 0; j < n; ++j) of_b[j] += b.value(l, j).real();
    }
    EXPECT(near(bias.download(), of_a));
    EXPECT(near(columns.download(), of_b));
    bias.upload();
  }
};

void batch() {
  constexpr int count = 3;
  Matrix<float> a(k, m * count, 1), b(k, n * count, 2), c(m, n * count, 3);
  Layout layouts[] = {
      {CUDA_R_32F, k, m, a.leading}, {CUDA_R_32F, k, n, b.leading}, {CUDA_R_32F, m, n, c.leading}};
  const int64_t strides[] = {a.leading * m, b.leading * n, c.leading * n};
  for (int i = 0; i < 3; ++i) {
    set(cublasLtMatrixLayoutSetAttribute, layouts[i].layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT,
        int32_t{count});
    set(cublasLtMatrixLayoutSetAttribute, layouts[i].layout,
        CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, strides[i]);
  }
  Matrix<float> alpha(m, 1, 4, 0);  // a factor for each row, in memory of the device
  Product product;
  product.with(CUBLASLT_MATMUL_DESC_POINTER_MODE,
               int32_t{CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST});
  const float beta = 1;
  CALL(cublasLtMatmul(handle, product.descriptor, alpha.device, a.device, layouts[0].layout,
                      b.device, layouts[1].layout, &beta, c.device, layouts[2].layout, c.device,
                      layouts[2].layout, nullptr, nullptr, 0, nullptr));
  std::vector<Complex> results;
  for (int j = 0; j < n * count; ++j) {
    for (int i = 0; i < m; ++i) {
      Complex sum = 0;
      for (int l = 0; l < k; ++l) sum += a.value(l, i + j / n * m) * b.value(l, j);
      results.push_back(alpha.value(i, 0) * sum + c.value(i, j));
    }
  }
  EXPECT(equal(c.download(), results));
}

/// A program may try combinations: e4m3 without a transposed A, on a GPU before Blackwell.
void tried() {
  Matrix<__nv_fp8_e4m3> a(m, k, 1, 0), b(k, n, 2, 0);
  const Layout a_layout(CUDA_R_8F_E4M3, m, k, m), b_layout(CUDA_R_8F_E4M3, k, n, k),
      c_layout(CUDA_R_32F, m, n, m);
  Product product;
  product.with(CUBLASLT_MATMUL_DESC_TRANSA, int32_t{CUBLAS_OP_N});
  cublasLtMatmulHeuristicResult_t result;
  int count = 1;
  const auto status =
      cublasLtMatmulAlgoGetHeuristic(handle, product.descriptor, a_layout.layout, b_layout.layout,
                                     c_layout.layout, c_layout.layout, nullptr, 1, &result, &count);
  EXPECT(status == CUBLAS_STATUS_NOT_SUPPORTED && count == 0);
  int32_t order = -1;
  size_t written = 0;
  CALL(cublasLtMatrixLayoutGetAttribute(a_layout.layout, CUBLASLT_MATRIX_LAYOUT_ORDER, &order,
                                        sizeof order, &written));
  EXPECT(order == CUBLASLT_ORDER_COL && written == sizeof order);
}

int main() {
  CALL(cublasLtCreate(&handle));
  types();
  orders();
  Epilogues epilogues;
  epilogues.relu();
  epilogues.gelus();
  epilogues.biases();
  batch();
  tried();
  CALL(cublasLtDestroy(handle));
  std::printf("%d failures\n", failures);
  return failures != 0;
}
