#include "campaign/shrink/same_cause.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace warpcheck::campaign::shrink {
namespace {

constexpr std::size_t kMostOthers = 3;  // causes found while one failure is shrunk

}  // namespace

SameCause::SameCause(const contract::Contract& contract, FailingCase original,
                     CandidateChecks checks)
    : contract_(contract),
      failing_(std::move(original)),
      checks_(std::move(checks)),
      original_(signature_of(failing_.problem, failing_.evidence)),
      known_(original_) {}

bool SameCause::operator()(const Case& candidate) {
  Signature signature;
  if (!checks_.is_runnable(candidate) || run(candidate, known_, signature) != Outcome::same_cause) {
    return false;
  }
  if (!keeps_cause(candidate)) return false;
  refine(known_, signature);
  return true;
}

SameCause::Outcome SameCause::run(const Case& candidate, const Signature& known,
                                  Signature& signature) {
  const std::vector<run::Evidence> evidence = checks_.evidence(candidate);
  if (evidence.empty()) return Outcome::passes;
  for (const run::Evidence& one : evidence) {
    signature = signature_of(candidate, one);
    if (simplifies(known, signature)) return Outcome::same_cause;
  }
  record(candidate, evidence);
  const bool unclear = std::any_of(evidence.begin(), evidence.end(), [&](const auto& one) {
    return same_after_shrinking(known, signature_of(candidate, one));
  });
  return unclear ? Outcome::unclear : Outcome::other_cause;
}

bool SameCause::keeps_cause(const Case& candidate) {
  if (original_.refused) return true;
  const std::vector<std::optional<DegenerateCase>> sizes =
      degenerate_cases(contract_, failing_.problem, candidate);
  keeps_cause_.resize(sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (!sizes[i]) continue;
    if (!keeps_cause_[i]) {
      const Case& alone = sizes[i]->problem;
      keeps_cause_[i] =
          alone == candidate || !checks_.is_runnable(alone) || keeps_cause_alone(*sizes[i]);
    }
    if (!*keeps_cause_[i]) return false;
  }
  return true;
}

/// The same elements must be wrong in a case without terms.
bool SameCause::keeps_cause_alone(const DegenerateCase& changed) {
  Signature signature;
  const Outcome outcome = run(changed.problem, original_, signature);
  if (!changed.same_outputs) return outcome != Outcome::other_cause;
  const bool recognizable = original_.regions != judge::kAnyRegion;
  return outcome == Outcome::same_cause &&
         (!recognizable || signature.regions == original_.regions);
}

void SameCause::record(const Case& candidate, const std::vector<run::Evidence>& evidence) {
  for (const run::Evidence& one : evidence) {
    const Signature signature = signature_of(candidate, one);
    const bool recorded =
        same_after_shrinking(signature, known_) ||
        std::any_of(others_.begin(), others_.end(), [&](const FailingCase& other) {
          return same_after_shrinking(signature, signature_of(other.problem, other.evidence));
        });
    if (recorded || others_.size() == kMostOthers) continue;
    others_.push_back({candidate, one});
  }
}

}  // namespace warpcheck::campaign::shrink
