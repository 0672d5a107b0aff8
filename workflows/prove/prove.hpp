// Proofs of a variant's properties, and the replay of their witnesses.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/listener.hpp"
#include "campaign/report.hpp"
#include "contract/compile/variant.hpp"
#include "device/device.hpp"
#include "device/finding.hpp"
#include "proof/proof.hpp"

namespace warpcheck::workflows::prove {

/// refuted: a case of the domain has a finding of a class that violates the property.
enum class Status : std::uint8_t { proved, refuted, unknown };
[[nodiscard]] std::string_view name(Status status);

/// True if a finding of this class is a violation of the property.
[[nodiscard]] bool violates(proof::Property property, FindingClass kind);
[[nodiscard]] bool violates(proof::Property property, const campaign::FindingReport& report);

struct Refutation {
  campaign::Case problem;
  Finding finding;
};

struct PropertyResult {
  proof::PropertyProof proof;
  std::optional<Refutation> refutation = {};

  [[nodiscard]] Status status() const {
    if (proof.is_proved) return Status::proved;
    return refutation ? Status::refuted : Status::unknown;
  }
};

struct VariantResult {
  std::string variant;
  std::string ptx_hash;
  std::vector<PropertyResult> properties;
  std::size_t queries = 0;
};

/// Proves the properties. Runs witnesses of those that are not proved, if their cases are small
/// enough, on the device.
[[nodiscard]] VariantResult prove_variant(const contract::Variant& variant,
                                          const proof::ProveOptions& options,
                                          device::Device& device, campaign::Listener& listener);

}  // namespace warpcheck::workflows::prove
