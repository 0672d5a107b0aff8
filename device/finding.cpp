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

bool same_line(const SourcePlace& one, const SourcePlace& other) {
  if (one.line == 0 || other.line == 0) return one.ptx_line == other.ptx_line;
  return one.line == other.line && one.file == other.file;
}

}  // namespace

std::string_view name(FindingClass kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::optional<FindingClass> finding_class(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<FindingClass>(i);
  }
  return std::nullopt;
}

bool same_places(const Finding& one, const Finding& other) {
  if (one.kind != other.kind || one.benign != other.benign) return false;
  if (!one.other || !other.other) return one.source.ptx_line == other.source.ptx_line;
  const SourcePlace& first = one.other->source;
  const SourcePlace& second = other.other->source;
  return (same_line(one.source, other.source) && same_line(first, second)) ||
         (same_line(one.source, second) && same_line(first, other.source));
}

}  // namespace warpcheck
