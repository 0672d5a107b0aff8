// What a search asks next.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "properties/campaign/minimize_and_confirm.hpp"
#include "properties/campaign/run_case.hpp"
#include "properties/generate/cases.hpp"
#include "properties/generate/sampling/rng.hpp"
#include "workflows/fuzz/case_mutator.hpp"
#include "workflows/fuzz/corpus.hpp"
#include "workflows/fuzz/fuzzer.hpp"

namespace warpcheck::workflows::fuzz {

/// A property to be asked of a case that meets its conditions.
struct Question {
  properties::Case problem;
  const properties::checks::Property* property = nullptr;
};

/// A case as its own property needs it; empty outside the contract's domain, and where the device
/// could not hold it.
[[nodiscard]] std::optional<Question> question_of(const properties::campaign::RunContext& bench,
                                                  const properties::Case& problem);

class InputScheduler {
 public:
  /// Refers to its arguments. `drawn` cases of the generator were asked before, and `asked` in all.
  InputScheduler(const properties::campaign::RunContext& bench, const FuzzOptions& options,
                 std::int64_t drawn, std::int64_t asked);

  /// At least `count`: cases as `check` draws them, and, where the search is guided, changed ones
  /// of the corpus.
  [[nodiscard]] std::vector<Question> next(const Corpus& corpus, std::size_t count);

  /// The kernel did something new on this case: what is near it is to be asked soon.
  void look_near(const properties::Case& problem);

  /// Cases of the generator that were asked.
  [[nodiscard]] std::int64_t drawn() const { return drawn_; }

 private:
  void add_fresh(std::vector<Question>& questions);
  [[nodiscard]] std::optional<Question> changed(const Corpus& corpus);

  const properties::campaign::RunContext& bench_;
  const FuzzOptions& options_;
  std::int64_t drawn_;
  properties::generate::Rng random_;
  properties::campaign::PropertyRotation agenda_;
  properties::generate::CaseGenerator generator_;
  Mutator mutator_;
  std::vector<properties::Case> neighbours_;  // the next one last
};

}  // namespace warpcheck::workflows::fuzz
