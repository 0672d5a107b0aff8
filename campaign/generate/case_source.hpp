// A source of cases for the campaign of one variant.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "campaign/case/case.hpp"
#include "campaign/generate/constraints/size_limits.hpp"
#include "campaign/generate/covering/covering.hpp"
#include "contract/compile/variant.hpp"

namespace warpcheck::campaign::generate {

struct GeneratedCase {
  Case problem;  // normalized case in the domain
  /// The conjunct of `requires` that the sampled case violates; empty if it is in the domain.
  std::optional<std::string> excluded_by;
};

/// Case number i is a pure function of the seed, the contract and i. Thread-safe.
class CaseSource {
 public:
  CaseSource() = default;
  CaseSource(const CaseSource&) = delete;
  CaseSource& operator=(const CaseSource&) = delete;
  virtual ~CaseSource() = default;

  /// Returns case number `index`. Throws InputError, located at the contract, if the search finds
  /// no case that satisfies `requires`.
  [[nodiscard]] virtual GeneratedCase draw(std::int64_t index) const = 0;

  /// Makes the cases before number `end` that follow from those before them, so that threads that
  /// draw them do not wait for one another.
  virtual void plan(std::int64_t /*end*/) const {}
  /// Returns the number of the first case that waits for a plan, after the last call of plan().
  [[nodiscard]] virtual std::int64_t planned() const {
    return std::numeric_limits<std::int64_t>::max();
  }

  /// Returns the combinations of the factors' levels to meet, as determined within the first
  /// `cases` cases.
  [[nodiscard]] virtual Combinations combinations(std::int64_t cases) const = 0;
  /// Returns the levels of a case.
  [[nodiscard]] virtual Row levels(const Case& problem) const = 0;
};

struct CaseOptions {
  std::uint64_t seed = 0;
  bool int32_overflow_strides = false;  // requires a device with sparse memory
  std::int64_t max_size = 0;            // largest extent, if the domain allows it; 0: no limit
  SizeLimits sizes = {};
};

/// The cases of the variant's operation. Refers to the variant.
[[nodiscard]] std::unique_ptr<CaseSource> make_cases(const contract::Variant& variant,
                                                     const CaseOptions& options);

/// The same without the numbers in the kernel's PTX.
[[nodiscard]] std::unique_ptr<CaseSource> make_cases(const contract::Contract& contract,
                                                     const CaseOptions& options);

}  // namespace warpcheck::campaign::generate
