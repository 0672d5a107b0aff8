#include "runtime/blas/epilogue.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/memory.hpp"

namespace warpcheck::runtime {
namespace {

// Parts of epilogues, which the values of cublasLtEpilogue_t combine.
constexpr unsigned kRelu = CUBLASLT_EPILOGUE_RELU;
constexpr unsigned kBias = CUBLASLT_EPILOGUE_BIAS;
constexpr unsigned kReluGradient = 8;
constexpr unsigned kBiasGradient = 16;
constexpr unsigned kGelu = CUBLASLT_EPILOGUE_GELU;
constexpr unsigned kGeluGradient = 64;
constexpr unsigned kAux = 128;

/// sqrt(2 / pi) and the factor of the cube in the approximation of GELU by tanh (Hendrycks and
/// Gimpel).
constexpr double kGeluFactor = 0.79788456080286535588;
constexpr double kGeluCube = 0.044715;

double gelu(double x) {
  return 0.5 * x * (1 + std::tanh(kGeluFactor * (x + kGeluCube * x * x * x)));
}

double gelu_gradient(double x) {
  const double t = std::tanh(kGeluFactor * (x + kGeluCube * x * x * x));
  return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * kGeluFactor * (1 + 3 * kGeluCube * x * x);
}

template <class Real>
double largest_magnitude(const Packed<Real>& numbers) {
  double largest = 0;
  for (const Real number : numbers) {
    largest = std::max(largest, std::abs(static_cast<double>(number)));
  }
  return largest;
}

/// Sums of the rows of a matrix.
template <class Real>
Packed<Real> row_sums(const Packed<Real>& numbers, std::int64_t rows) {
  Packed<Real> sums(static_cast<std::size_t>(rows));
  for (std::size_t i = 0; i < numbers.size(); ++i) sums[i % sums.size()] += numbers[i];
  return sums;
}

template <class Real>
Packed<Real> column_sums(const Packed<Real>& numbers, std::int64_t columns) {
  Packed<Real> sums(static_cast<std::size_t>(columns));
  const std::size_t rows = numbers.size() / std::max<std::size_t>(sums.size(), 1);
  for (std::size_t i = 0; i < numbers.size(); ++i) sums[i / rows] += numbers[i];
  return sums;
}

}  // namespace

bool contains(const Epilogue& epilogue, unsigned part) {
  return (static_cast<unsigned>(epilogue.kind) & part) == part;
}

double EpilogueRun::scale(const char* name, const void* pointer) {
  if (pointer == nullptr) return 1;
  return static_cast<double>(access_.read<float>({name, address_of(pointer), CUDA_R_32F}).front());
}

double EpilogueRun::scale_of_factors() {
  return scale("the scale of A", epilogue_.a_scale) * scale("the scale of B", epilogue_.b_scale);
}

double EpilogueRun::scale_of_summand() { return scale("the scale of C", epilogue_.c_scale); }

Operand EpilogueRun::bias(std::int64_t elements, std::size_t batch) const {
  const auto offset = static_cast<std::uint64_t>(epilogue_.bias_stride) * batch;
  return {"the bias",
          address_of(epilogue_.bias) + offset * size_of(epilogue_.bias_type),
          epilogue_.bias_type,
          elements,
          1,
          elements};
}

/// A mask has a bit for each element.
Operand EpilogueRun::aux(std::size_t batch, bool is_mask) const {
  constexpr std::int64_t kBits = 8;
  const cudaDataType type = is_mask ? CUDA_R_8I : epilogue_.aux_type;
  const std::int64_t unit = is_mask ? kBits : 1;
  const auto offset = static_cast<std::uint64_t>(epilogue_.aux_stride / unit) * batch;
  return {"the auxiliary matrix",
          address_of(epilogue_.aux) + offset * size_of(type),
          type,
          (m_ + unit - 1) / unit,
          n_,
          epilogue_.aux_leading / unit};
}

template <class Real>
void EpilogueRun::write_factor_sums(const Packed<Real>& a, const Packed<Real>& b,
                                    std::size_t batch) {
  if (epilogue_.kind == CUBLASLT_EPILOGUE_BGRADA) access_.write(bias(m_, batch), row_sums(a, m_));
  if (epilogue_.kind == CUBLASLT_EPILOGUE_BGRADB) {
    access_.write(bias(n_, batch), column_sums(b, n_));
  }
}

template <class Real>
void EpilogueRun::add_bias(Packed<Real>& sums, std::size_t batch) {
  const Packed<Real> added = access_.read<Real>(bias(m_, batch));
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += added[i % added.size()];
}

template <class Real>
void EpilogueRun::apply_relu(Packed<Real>& sums, std::size_t batch) {
  if (contains(epilogue_, kAux)) {
    const Operand operand = aux(batch, true);
    std::vector<std::byte> mask(static_cast<std::size_t>(operand.rows * operand.columns));
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const std::size_t row = i % static_cast<std::size_t>(m_);
      const std::size_t column = i / static_cast<std::size_t>(m_);
      const auto bit = std::byte{static_cast<unsigned char>(sums[i] > 0 ? 1 << row % 8 : 0)};
      mask[row / 8 + column * static_cast<std::size_t>(operand.rows)] |= bit;
    }
    access_.write_bytes(operand, mask);
  }
  for (Real& sum : sums) sum = std::isnan(sum) ? sum : std::max(sum, Real{0});
}

template <class Real>
void EpilogueRun::apply_gelu(Packed<Real>& sums, std::size_t batch) {
  if (contains(epilogue_, kAux)) {
    aux_amax_ = std::max(aux_amax_, largest_magnitude(sums));
    Packed<Real> stored = sums;
    const auto factor = static_cast<Real>(scale("the auxiliary scale", epilogue_.aux_scale));
    for (Real& number : stored) number *= factor;
    access_.write(aux(batch, false), stored);
  }
  for (Real& sum : sums) sum = static_cast<Real>(gelu(static_cast<double>(sum)));
}

template <class Real>
void EpilogueRun::apply_gradient(Packed<Real>& sums, std::size_t batch) {
  if (contains(epilogue_, kReluGradient)) {
    const Operand operand = aux(batch, true);
    const std::vector<std::byte> mask = access_.read_bytes(operand);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const std::size_t row = i % static_cast<std::size_t>(m_);
      const std::size_t column = i / static_cast<std::size_t>(m_);
      const std::byte bits = mask[row / 8 + column * static_cast<std::size_t>(operand.rows)];
      if ((std::to_integer<unsigned>(bits) >> row % 8 & 1) == 0) sums[i] = 0;
    }
  } else {
    const Packed<Real> inputs = access_.read<Real>(aux(batch, false));
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] *= static_cast<Real>(gelu_gradient(static_cast<double>(inputs[i])));
    }
  }
}

template <class Real>
void EpilogueRun::apply(Packed<Real>& sums, std::size_t batch) {
  if (contains(epilogue_, kBias)) add_bias(sums, batch);
  if (contains(epilogue_, kRelu)) apply_relu(sums, batch);
  if (contains(epilogue_, kGelu)) apply_gelu(sums, batch);
  if (contains(epilogue_, kReluGradient) || contains(epilogue_, kGeluGradient)) {
    apply_gradient(sums, batch);
  }
  if (contains(epilogue_, kBiasGradient)) {
    access_.write(bias(m_, batch), row_sums(sums, m_));
  }
  d_amax_ = std::max(d_amax_, largest_magnitude(sums));
  if (epilogue_.d_scale == nullptr) return;
  const auto factor = static_cast<Real>(scale("the scale of D", epilogue_.d_scale));
  for (Real& sum : sums) sum *= factor;
}

void EpilogueRun::write_amax(const char* name, const void* pointer, double value) {
  if (pointer == nullptr) return;
  access_.write({name, address_of(pointer), CUDA_R_32F}, Packed<double>{value});
}

void EpilogueRun::finish() {
  write_amax("the largest magnitude of D", epilogue_.d_amax, d_amax_);
  write_amax("the largest auxiliary magnitude", epilogue_.aux_amax, aux_amax_);
}

#define WARPCHECK_REAL(Real)                                                             \
  template void EpilogueRun::write_factor_sums(const Packed<Real>&, const Packed<Real>&, \
                                               std::size_t);                             \
  template void EpilogueRun::apply(Packed<Real>&, std::size_t);
WARPCHECK_REAL(float)
WARPCHECK_REAL(double)
#undef WARPCHECK_REAL

}  // namespace warpcheck::runtime
