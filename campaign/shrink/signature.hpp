// Signatures of failures, by which failures of one defect are recognized.
#pragma once

#include <compare>
#include <string>

#include "campaign/case/case.hpp"
#include "campaign/judge/region.hpp"
#include "campaign/run/runner.hpp"

namespace warpcheck::campaign::shrink {

/// A set of mistakes. Small cases do not distinguish between some mistakes: of one term, the last
/// one is also the first one.
using Mistakes = unsigned;

/// A line of the source, and of the PTX.
struct CodeLine {
  std::string file;
  unsigned line = 0;  // 0: unknown
  unsigned ptx_line = 0;

  [[nodiscard]] bool same_instruction(const CodeLine& other) const {
    return ptx_line != 0 && *this == other;
  }
  friend auto operator<=>(const CodeLine&, const CodeLine&) = default;
};

/// The features of a failure that do not depend on the size of its case.
struct Signature {
  FindingClass kind = FindingClass::wrong_result;
  Grade grade = Grade::failure;
  bool refused = false;  // the launch failed before its first instruction
  bool is_pair = false;  // a race, whose other access is at `other`
  CodeLine here;
  CodeLine other;
  std::string condition;  // the property, if it sets alpha or beta to 0 or calls the kernel twice
  // Accesses to a buffer.
  std::string buffer;   // empty: unknown
  bool before = false;  // the access is before the first element
  bool empty = false;   // the buffer has no element
  // Wrong results.
  Mistakes mistakes = 0;  // mistakes that explain every wrong element; 0: no known mistake does
  judge::Regions regions = judge::kAnyRegion;

  friend auto operator<=>(const Signature&, const Signature&) = default;
};

[[nodiscard]] Signature signature_of(const Case& problem, const run::Evidence& evidence);

/// Returns true if two failures can have the same cause. The class, the place and the condition are
/// equal; accesses are to the same buffer, on the same side, or by one instruction to two buffers.
/// Wrong results have a common region and a common mistake. If no known mistake explains them, they
/// are written by the same line.
[[nodiscard]] bool same_cause(const Signature& one, const Signature& other);

/// Returns true if the failure of a simpler case can have the cause of a known one. Unlike
/// same_cause(), the simpler case may have a diagnosis where the known one has none, but no empty
/// buffer where the known one has elements.
[[nodiscard]] bool simplifies(const Signature& known, const Signature& simpler);

/// The same for two smallest cases, of which one may have no diagnosis and one an empty buffer, or
/// of which a store by one instruction is outside of the buffer and another one between its rows.
[[nodiscard]] bool same_after_shrinking(const Signature& one, const Signature& other);

/// Removes the mistakes and regions from `known` that another failure of the same cause excludes.
void refine(Signature& known, const Signature& another);

}  // namespace warpcheck::campaign::shrink
