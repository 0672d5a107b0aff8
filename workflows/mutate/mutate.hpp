// Measures how many of the defects planted in a kernel's PTX the campaign detects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/campaign.hpp"
#include "campaign/case/case.hpp"
#include "contract/compile/variant.hpp"
#include "device/finding.hpp"

namespace warpcheck::workflows::mutate {

/// The seed determines the cases and the sample of mutants. Nothing is shrunk.
struct MutationOptions : campaign::RunOptions {
  std::int64_t cases = 500;   // cases that a mutant must survive
  std::size_t mutants = 200;  // most mutants that run; see operators::sample()
  bool only_list = false;     // list the mutants without running them
};

enum class Fate {
  killed,        // a case showed a finding
  survived,      // all cases passed
  not_reached,   // survived, because no case reaches the instruction
  unreachable,   // no thread of a block of the contract's shape can reach it
  equivalent,    // every thread made the same accesses and left the same bytes on all cases
  within_bound,  // survived, and each changed result is still a neighbour of the exact one
  not_run,       // listed only, or the virtual device cannot execute it
};
[[nodiscard]] std::string_view name(Fate fate);

/// The case that killed a mutant.
struct Kill {
  FindingClass kind = FindingClass::wrong_result;
  campaign::Case problem;  // the case, with its property
  std::int64_t cases = 0;  // cases up to the kill, this one included
};

struct MutantReport {
  std::string_view planted;  // name of the operator
  SourcePlace place;         // place of the instruction
  campaign::run::Excerpt excerpt;
  std::string after;  // the instruction in the mutant; "" if it was dropped
  Fate fate = Fate::not_run;
  std::optional<Kill> kill;
  std::int64_t reached = 0;  // cases that reached the instruction up to the kill
};

/// Counts of fates.
struct Score {
  std::size_t possible = 0;  // number of all mutants
  std::size_t killed = 0;
  std::size_t survived = 0;
  std::size_t not_reached = 0;
  std::size_t unreachable = 0;
  std::size_t equivalent = 0;
  std::size_t within_bound = 0;

  [[nodiscard]] std::size_t run() const {
    return killed + survived + not_reached + unreachable + equivalent + within_bound;
  }
  /// The share of killed mutants among those that are neither unreachable nor equivalent nor within
  /// the bound; 1 if there are none.
  [[nodiscard]] double share() const;
  /// The same if those within the bound count as survivors.
  [[nodiscard]] double least_share() const;
  Score& operator+=(const Score& other);
};

struct OperatorScore {
  std::string_view planted;
  std::string_view statement;
  Score score;
  double mean_cases = 0.0;  // mean number of cases up to a kill
};

struct MutationReport {
  std::string variant;
  std::int64_t cases = 0;
  std::vector<MutantReport> mutants;     // ordered as in the PTX
  std::vector<OperatorScore> operators;  // operators that found something to mutate
  Score score;                           // score of all mutants
  double seconds = 0.0;
  bool interrupted = false;  // mutants that did not run have no fate
};

/// Called from any thread, never from two at once.
using MutationProgress = std::function<void(std::size_t done, std::size_t mutants)>;

/// Plants defects in a variant's kernels and runs each mutant through the cases of a campaign,
/// until there is a finding. Runs on the virtual device. The result does not depend on the number
/// of threads. Throws InputError if the variant itself fails a case, EnvironmentError if the
/// virtual device cannot execute it, and the errors of run_campaign().
[[nodiscard]] MutationReport mutate(const contract::Variant& variant,
                                    const MutationOptions& options,
                                    const MutationProgress& progress = {});

}  // namespace warpcheck::workflows::mutate
