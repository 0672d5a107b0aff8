// What a search asks next.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "properties/asking.hpp"
#include "properties/fuzz/corpus.hpp"
#include "properties/fuzz/fuzzer.hpp"
#include "properties/generate/cases.hpp"
#include "properties/generate/mutator.hpp"
#include "properties/generate/random.hpp"
#include "properties/investigate.hpp"

namespace warpcheck::properties {

/// A property to be asked of a case that meets its conditions.
struct Question {
  Case problem;
  const Property* property = nullptr;
};

/// A case as its own property needs it; empty outside the contract's domain, and where the device
/// could not hold it.
[[nodiscard]] std::optional<Question> question_of(const Bench& bench, const Case& problem);

class Questions {
 public:
  /// Refers to its arguments. `drawn` cases of the generator were asked before, and `asked` in all.
  Questions(const Bench& bench, const FuzzOptions& options, std::int64_t drawn, std::int64_t asked);

  /// At least `count`: cases as `check` draws them, and, where the search is guided, changed ones
  /// of the corpus.
  [[nodiscard]] std::vector<Question> next(const Corpus& corpus, std::size_t count);

  /// The kernel did something new on this case: what is near it is to be asked soon.
  void look_near(const Case& problem);

  /// Cases of the generator that were asked.
  [[nodiscard]] std::int64_t drawn() const { return drawn_; }

 private:
  void add_fresh(std::vector<Question>& questions);
  [[nodiscard]] std::optional<Question> changed(const Corpus& corpus);

  const Bench& bench_;
  const FuzzOptions& options_;
  std::int64_t drawn_;
  Random random_;
  Agenda agenda_;
  CaseGenerator generator_;
  Mutator mutator_;
  std::vector<Case> neighbours_;  // the next one last
};

}  // namespace warpcheck::properties
