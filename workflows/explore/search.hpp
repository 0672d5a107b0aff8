// The search for the condition under which a kernel is correct: active learning from cases that
// distinguish the hypothesis from its alternatives.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "campaign/case/schema.hpp"
#include "campaign/generate/cases.hpp"
#include "workflows/explore/repair.hpp"
#include "workflows/explore/vocabulary.hpp"

namespace warpcheck::workflows::explore {

struct SearchOptions {
  std::uint64_t seed = 0;
  unsigned jobs = 0;             // host threads; 0: one per processor
  std::int64_t max_size = 2048;  // largest extent
};

struct SearchResult {
  Conjunction conditions;
  bool any_passed = false;
  bool is_necessary = true;   // no regular case outside passed
  bool is_complete = true;    // the conditions exclude every failing case
  double random_share = 0.0;  // share of the passes among random cases of all shapes
};

class Search {
 public:
  static constexpr double kMostWork = 8e6;       // most multiply-adds of a case
  static constexpr double kMostLimitWork = 6e7;  // most multiply-adds if the case decides a limit

  /// Keeps references to `examples` and its contract. The contract has no `requires`.
  Search(Examples& examples, const SearchOptions& options);

  [[nodiscard]] SearchResult run();

  /// Returns up to `count` new cases in which all conditions but number `violated` hold.
  [[nodiscard]] std::vector<campaign::Case> violations(const Conjunction& conditions,
                                                       std::size_t violated, std::size_t count);

  /// Returns up to `count` new random cases that satisfy the conditions. Their data is exact, or of
  /// all kinds if `any_data` is set.
  [[nodiscard]] std::vector<campaign::Case> inside(const Conjunction& conditions, std::size_t count,
                                                   bool any_data = false);

 private:
  [[nodiscard]] double work(const campaign::Case& problem) const;
  [[nodiscard]] std::optional<campaign::Case> anchor();
  [[nodiscard]] campaign::Case reduced(campaign::Case passing);
  void vary_passing_cases();
  void refine(const Conjunction& assumed);
  [[nodiscard]] std::vector<campaign::Case> queries(const Hypothesis& hypothesis);
  [[nodiscard]] bool query_limits(const Conjunction& conditions,
                                  std::vector<campaign::Case>& cases);
  void query_alternatives(const Hypothesis& hypothesis, std::vector<campaign::Case>& cases);
  [[nodiscard]] campaign::Case base();
  [[nodiscard]] campaign::Case smallest_pass();
  [[nodiscard]] std::optional<campaign::Case> new_case(const campaign::Case& near,
                                                       const Conjunction& conditions,
                                                       double most_work = kMostWork);
  [[nodiscard]] bool contradicted(const Conjunction& conditions, const Conjunction& assumed,
                                  const std::vector<std::size_t>& places);
  [[nodiscard]] bool is_contradicted_by_new_cases(const Hypothesis& hypothesis,
                                                  const Conjunction& assumed);

  Examples& examples_;
  SearchOptions options_;
  campaign::CaseSchema schema_;
  campaign::generate::Rng random_;
  Repair repair_;
  campaign::generate::CaseGenerator generator_;
  std::int64_t generated_ = 0;
  std::map<std::string, int> tried_;  // queries about each alternative condition
};

}  // namespace warpcheck::workflows::explore
