// References in C++ that this process runs.
#pragma once

#include <cmath>
#include <limits>

#include "library/include/warpcheck/reference.hpp"
#include "operation/host_function.hpp"
#include "reference/host/host_call.hpp"

namespace warpcheck::reference {

/// A reference of the operation over_rows().
template <class Real, class Function>
InProcess row_function(Function function) {
  return InProcess("rows", [function](const warpcheck_reference_call& call) {
    detail::call_reference<const Real*, const Real*, const long*, Real*, long, long, Real>(function,
                                                                                           call);
  });
}

struct Softmax {
  template <class Real>
  void operator()(const Real* x, const Real*, const long*, Real* y, long rows, long columns,
                  Real scale) const {
    using std::exp;
    using std::max;
    for (long i = 0; i < rows; ++i, x += columns, y += columns) {
      Real peak = -std::numeric_limits<double>::infinity();
      for (long j = 0; j < columns; ++j) peak = max(peak, scale * x[j]);
      Real total = 0;
      for (long j = 0; j < columns; ++j) total += exp(scale * x[j] - peak);
      for (long j = 0; j < columns; ++j) y[j] = exp(scale * x[j] - peak) / total;
    }
  }
};

struct RmsNorm {
  template <class Real>
  void operator()(const Real* x, const Real* w, const long*, Real* y, long rows, long columns,
                  Real) const {
    using std::sqrt;
    for (long i = 0; i < rows; ++i, x += columns, y += columns) {
      Real squares = 0;
      for (long j = 0; j < columns; ++j) squares += x[j] * x[j];
      const Real factor = 1 / sqrt(squares / columns + 1e-5);
      for (long j = 0; j < columns; ++j) y[j] = x[j] * factor * w[j];
    }
  }
};

struct LayerNorm {
  template <class Real>
  void operator()(const Real* x, const Real* w, const long*, Real* y, long rows, long columns,
                  Real) const {
    using std::sqrt;
    for (long i = 0; i < rows; ++i, x += columns, y += columns) {
      Real mean = 0;
      for (long j = 0; j < columns; ++j) mean += x[j];
      mean /= columns;
      Real variance = 0;
      for (long j = 0; j < columns; ++j) variance += (x[j] - mean) * (x[j] - mean);
      const Real factor = 1 / sqrt(variance / columns + 1e-5);
      for (long j = 0; j < columns; ++j) y[j] = (x[j] - mean) * factor * w[j];
    }
  }
};

struct Product {
  template <class Real>
  void operator()(const Real* a, const Real* b, const Real* c, Real* d, long m, long n, long k,
                  Real alpha, Real beta) const {
    for (long i = 0; i < m; ++i) {
      for (long j = 0; j < n; ++j) {
        Real sum = 0;
        for (long l = 0; l < k; ++l) sum += a[i * k + l] * b[l * n + j];
        d[i * n + j] = alpha * sum + beta * c[i * n + j];
      }
    }
  }
};

inline InProcess product() {
  return InProcess("product", [](const warpcheck_reference_call& call) {
    detail::call_reference<const Real*, const Real*, const Real*, Real*, long, long, long, Real,
                           Real>(Product(), call);
  });
}

}  // namespace warpcheck::reference
