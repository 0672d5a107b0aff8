// Selection of the next inputs of a search.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "campaign/generate/cases.hpp"
#include "campaign/generate/sampling/rng.hpp"
#include "campaign/minimize_and_confirm.hpp"
#include "campaign/run_case.hpp"
#include "workflows/fuzz/corpus.hpp"
#include "workflows/fuzz/fuzzer.hpp"
#include "workflows/fuzz/mutator.hpp"

namespace warpcheck::workflows::fuzz {

/// A property and a case that meets its conditions.
struct PropertyCase {
  campaign::Case problem;
  const properties::Law* property = nullptr;
};

/// Adapts a case to its own property. Empty if the case is outside the contract's domain, or if the
/// device cannot hold its buffers.
[[nodiscard]] std::optional<PropertyCase> property_case_of(const campaign::run::Context& context,
                                                           const campaign::Case& problem);

class InputScheduler {
 public:
  /// Keeps references to its arguments. Earlier searches ran the first `generated` cases of the
  /// generator, and `cases` cases in all.
  InputScheduler(const campaign::run::Context& context, const FuzzOptions& options,
                 std::int64_t generated, std::int64_t cases);

  /// Returns at least `count` inputs: generated cases as in `check`, and, if the search is guided,
  /// mutated cases of the corpus.
  [[nodiscard]] std::vector<PropertyCase> next(const Corpus& corpus, std::size_t count);

  /// Schedules the neighbours of a case on which the kernel reached new coverage.
  void add_neighbours(const campaign::Case& problem);

  /// Number of cases taken from the generator so far.
  [[nodiscard]] std::int64_t generated() const { return generated_; }

 private:
  void add_fresh(std::vector<PropertyCase>& inputs);
  [[nodiscard]] std::optional<PropertyCase> changed(const Corpus& corpus);

  const campaign::run::Context& context_;
  const FuzzOptions& options_;
  std::int64_t generated_;
  campaign::generate::Rng random_;
  campaign::PropertyRotation rotation_;
  campaign::generate::CaseGenerator generator_;
  Mutator mutator_;
  std::vector<campaign::Case> neighbours_;  // a stack: the next one is the last
};

}  // namespace warpcheck::workflows::fuzz
