#include "report/requirements/proof_requirements.hpp"

#include <fmt/format.h>

#include "report/proofs.hpp"

namespace warpcheck::report {

using workflows::prove::Status;

void add_proof_requirements(std::span<const workflows::prove::VariantResult> results,
                            Requirements& requirements) {
  for (const workflows::prove::VariantResult& result : results) {
    Requirement made;
    made.kind = kProofRequirement;
    made.name = result.variant + ": proof";
    made.variant = result.variant;
    if (result.count(Status::unknown) != 0) {
      made.state = RequirementState::undecided;
      made.reason = fmt::format("{}: {}", result.variant, open_reasons(result));
    }
    requirements.all.push_back(std::move(made));
  }
}

}  // namespace warpcheck::report
