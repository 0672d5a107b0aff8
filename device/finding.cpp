#include "device/finding.hpp"

#include <array>

namespace warpcheck {
namespace {

constexpr std::array<std::string_view, 13> kNames = {
    "wrong-result",
    "out-of-bounds",
    "misaligned",
    "uninitialized-read",
    "race",
    "barrier-divergence",
    "deadlock",
    "guard-overwritten",
    "input-modified",
    "nondeterministic",
    "illegal-instruction",
    "launch-failure",
    "timeout",
};
static_assert(kNames.size() == static_cast<std::size_t>(FindingClass::timeout) + 1);

}  // namespace

std::string_view name(FindingClass kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::optional<FindingClass> finding_class(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<FindingClass>(i);
  }
  return std::nullopt;
}

}  // namespace warpcheck
