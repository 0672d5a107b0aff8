#include "properties/campaign/same_cause.hpp"

#include <algorithm>
#include <cstddef>

#include "properties/case/normalized.hpp"

namespace warpcheck::properties::campaign {
namespace {

constexpr std::size_t kMostOthers = 3;  // causes found while one failure is shrunk

struct DegenerateSize {
  std::int64_t Case::*field;
  std::int64_t size;
};
constexpr std::array<DegenerateSize, 3> kDegenerate = {
    {{&Case::k, 0}, {&Case::m, 1}, {&Case::n, 1}}};

}  // namespace

SameCause::SameCause(const RunContext& context, const Failure& failure, std::int64_t& launches)
    : context_(context),
      failure_(failure),
      launches_(launches),
      original_(shrink::signature_of(failure.problem, failure.evidence)),
      known_(original_) {}

bool SameCause::operator()(const Case& candidate) {
  shrink::Signature signature;
  if (!is_runnable(candidate) || run(candidate, known_, signature) != Outcome::same_cause) {
    return false;
  }
  if (!keeps_cause(candidate)) return false;
  shrink::refine(known_, signature);
  return true;
}

/// A candidate that the property would change again is not the case that was run.
bool SameCause::is_runnable(const Case& candidate) const {
  const std::optional<Case> problem =
      checks::adapted_to_domain(*failure_.property, context_.variant.contract, candidate);
  return problem && *problem == candidate && can_be_laid_out(context_, candidate);
}

SameCause::Outcome SameCause::run(const Case& candidate, const shrink::Signature& known,
                                  shrink::Signature& signature) {
  const checks::PropertyResult result =
      check_property(context_, *failure_.property, candidate, true, &launches_);
  if (result.evidence.empty()) return Outcome::passes;
  for (const run::Evidence& evidence : result.evidence) {
    signature = shrink::signature_of(candidate, evidence);
    if (shrink::simplifies(known, signature)) return Outcome::same_cause;
  }
  record(candidate, result.evidence);
  const bool unclear =
      std::any_of(result.evidence.begin(), result.evidence.end(), [&](const auto& evidence) {
        return shrink::same_after_shrinking(known, shrink::signature_of(candidate, evidence));
      });
  return unclear ? Outcome::unclear : Outcome::other_cause;
}

bool SameCause::keeps_cause(const Case& candidate) {
  if (original_.refused) return true;
  for (std::size_t i = 0; i < kDegenerate.size(); ++i) {
    const auto& [field, size] = kDegenerate[i];
    if (candidate.*field != size || failure_.problem.*field == size) continue;
    if (!keeps_cause_[i]) {
      Case alone = failure_.problem;
      alone.*field = size;
      alone = normalized(context_.variant.contract, alone);
      keeps_cause_[i] = alone == candidate || !is_runnable(alone) || keeps_cause_alone(alone);
    }
    if (!*keeps_cause_[i]) return false;
  }
  return true;
}

/// D has the same size with k = 0, so the same elements must be wrong.
bool SameCause::keeps_cause_alone(const Case& changed) {
  shrink::Signature signature;
  const Outcome outcome = run(changed, original_, signature);
  const bool same_size = changed.m == failure_.problem.m && changed.n == failure_.problem.n;
  if (!same_size) return outcome != Outcome::other_cause;
  const bool recognizable = original_.regions != judge::kAnyRegion;
  return outcome == Outcome::same_cause &&
         (!recognizable || signature.regions == original_.regions);
}

void SameCause::record(const Case& candidate, const std::vector<run::Evidence>& evidence) {
  for (const run::Evidence& one : evidence) {
    const shrink::Signature signature = shrink::signature_of(candidate, one);
    const bool recorded = shrink::same_after_shrinking(signature, known_) ||
                          std::any_of(others_.begin(), others_.end(), [&](const Failure& other) {
                            return shrink::same_after_shrinking(
                                signature, shrink::signature_of(other.problem, other.evidence));
                          });
    if (recorded || others_.size() == kMostOthers) continue;
    others_.push_back({candidate, failure_.property, one, failure_.number});
  }
}

}  // namespace warpcheck::properties::campaign
