// References of problems of an operation of the language, for several kernels that run them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "reference/evaluate/evaluate.hpp"

namespace warpcheck::campaign::run {

/// Results that do not depend on the kernel.
struct TensorReference {
  reference::ExpectedTensors outputs;
  std::optional<double> sensitivity = {};  // sensitivity of the first case with this problem
};

/// Keeps references of problems of one contract. Any number of threads may use it.
class ReferenceCache {
 public:
  /// Problems beyond the limit are not kept.
  explicit ReferenceCache(std::size_t limit_bytes) : limit_bytes_(limit_bytes) {}

  /// Returns null if the reference of the problem is not kept.
  [[nodiscard]] std::shared_ptr<const TensorReference> find(
      const reference::TensorProblem& problem) const;

  void keep(const reference::TensorProblem& problem,
            std::shared_ptr<const TensorReference> reference);

 private:
  std::size_t limit_bytes_;
  std::size_t bytes_ = 0;
  mutable std::mutex mutex_;
  // References by the fingerprint of their problem.
  std::map<std::uint64_t, std::shared_ptr<const TensorReference>> kept_;
};

}  // namespace warpcheck::campaign::run
