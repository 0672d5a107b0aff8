// The kernels as Eigen expressions. Each source that includes this header is compiled for other
// vector instructions. It defines WARPCHECK_KERNELS, the name of its table, and renames Eigen's
// namespace, so that no inline function is shared with a source that is compiled otherwise.
#pragma once

// The sizes of the blocks, and with them the order of each sum, do not depend on the caches.
#define EIGEN_NO_CPUID
#define EIGEN_DONT_PARALLELIZE
#include <Eigen/Core>

#include "runtime/blas/kernels/kernels.hpp"

namespace warpcheck::runtime {
namespace {

template <class Real>
using Dense = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

template <class Real>
void multiply(const PackedProduct<Real>& product) {
  const Eigen::Map<const Dense<Real>> a(product.a, product.m, product.k);
  const Eigen::Map<const Dense<Real>> b(product.b, product.k, product.n);
  Eigen::Map<Dense<Real>>(product.c, product.m, product.n).noalias() = a * b;
}

/// Sums wrap around, as those of unsigned numbers do.
void multiply_integers(const PackedProduct<std::int32_t>& product) {
  multiply(PackedProduct<std::uint32_t>{reinterpret_cast<const std::uint32_t*>(product.a),
                                        reinterpret_cast<const std::uint32_t*>(product.b),
                                        reinterpret_cast<std::uint32_t*>(product.c), product.m,
                                        product.n, product.k});
}

void multiply_halves(const PackedProduct<float>& product) {
  const Dense<Eigen::half> a =
      Eigen::Map<const Dense<float>>(product.a, product.m, product.k).cast<Eigen::half>();
  const Dense<Eigen::half> b =
      Eigen::Map<const Dense<float>>(product.b, product.k, product.n).cast<Eigen::half>();
  const Dense<Eigen::half> c = a * b;
  Eigen::Map<Dense<float>>(product.c, product.m, product.n) = c.cast<float>();
}

}  // namespace

const BlasKernels WARPCHECK_KERNELS = {multiply_halves, multiply<float>, multiply<double>,
                                       multiply_integers};

}  // namespace warpcheck::runtime
