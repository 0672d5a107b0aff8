// The content of D before a launch.
#pragma once

#include <cstdint>

#include "reference/gemm.hpp"

namespace warpcheck::campaign::judge {

/// The values that lay in D's memory before the launch: a matrix, which must outlive this, or the
/// same value in each element.
class Prefill {
 public:
  /// Null: not known.
  Prefill(const reference::Matrix* values) : values_(values), is_known_(values != nullptr) {}
  explicit Prefill(double value) : value_(value), is_known_(true) {}

  [[nodiscard]] bool is_known() const { return is_known_; }
  /// Null: not known, or the same value in each element.
  [[nodiscard]] const reference::Matrix* matrix() const { return values_; }
  [[nodiscard]] double operator()(std::int64_t row, std::int64_t column) const {
    return values_ != nullptr ? (*values_)(row, column) : value_;
  }

 private:
  const reference::Matrix* values_ = nullptr;
  double value_ = 0.0;
  bool is_known_;
};

}  // namespace warpcheck::campaign::judge
