#include "campaign/run/reference_cache.hpp"

#include <bit>
#include <utility>

#include "base/fingerprint.hpp"

namespace warpcheck::campaign::run {
namespace {

/// Returns a fingerprint of all that differs between problems of one contract.
std::uint64_t fingerprint(const reference::TensorProblem& problem) {
  Fingerprint all;
  for (const auto& [name, size] : problem.extents) all.add(static_cast<std::uint64_t>(size));
  for (const auto& [name, scalar] : problem.scalars) all.add(std::bit_cast<std::uint64_t>(scalar));
  for (const auto& [name, input] : problem.inputs) {
    all.add(input.values.data(), input.values.size() * sizeof(double));
  }
  return all.value();
}

std::size_t bytes_of(const TensorReference& reference) {
  std::size_t bytes = 0;
  for (const auto& [name, output] : reference.outputs) {
    bytes += (output.value.values.size() + output.tolerance.size()) * sizeof(double);
    for (const auto& [element, values] : output.alternatives) {
      bytes += values.size() * sizeof(reference::Bounded);
    }
  }
  return bytes;
}

}  // namespace

std::shared_ptr<const TensorReference> ReferenceCache::find(
    const reference::TensorProblem& problem) const {
  const std::uint64_t key = fingerprint(problem);
  const std::lock_guard lock(mutex_);
  const auto found = kept_.find(key);
  return found == kept_.end() ? nullptr : found->second;
}

void ReferenceCache::keep(const reference::TensorProblem& problem,
                          std::shared_ptr<const TensorReference> reference) {
  const std::uint64_t key = fingerprint(problem);
  const std::size_t bytes = bytes_of(*reference);
  const std::lock_guard lock(mutex_);
  if (bytes_ + bytes > limit_bytes_) return;
  if (kept_.try_emplace(key, std::move(reference)).second) bytes_ += bytes;
}

}  // namespace warpcheck::campaign::run
