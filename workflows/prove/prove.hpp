// Proofs of a variant's properties, and the replay of their witnesses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/listener.hpp"
#include "campaign/options.hpp"
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
/// True if the finding itself is one: a race in shared memory writes no element of an output twice.
[[nodiscard]] bool violates(proof::Property property, const campaign::FindingReport& report,
                            const contract::Contract& contract);

struct PropertyResult {
  proof::PropertyProof proof;
  std::optional<campaign::FindingReport> refutation = {};  // not shrunk
  campaign::run::Excerpt excerpt = {};                     // the source line of an unknown property

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
  bool is_cached = false;  // the proofs are of an earlier run

  [[nodiscard]] std::size_t count(Status status) const;
};

struct ProveSettings {
  proof::ProveOptions options;
  bool use_cache = true;           // ignored if the queries are written to a folder
  bool search_conditions = false;  // sets the sufficient conditions of properties that are open
  unsigned jobs = 0;               // variants that are proved at once; 0: one per processor
};

/// Called with the number of the variant, in the order of the variants.
using Proved = std::function<void(std::size_t index, const VariantResult& result)>;

/// Proves the properties of each variant. Runs witnesses of those that are not proved, if their
/// cases are small enough, on the device. Ends early if the process is interrupted.
void prove_variants(std::span<const contract::Variant> variants, const ProveSettings& settings,
                    device::Device& device, campaign::Listener& listener, const Proved& proved);

/// The cases of the refuted properties, which a campaign of the variant runs first.
void add_refutations(const VariantResult& result, campaign::Regressions& regressions);

}  // namespace warpcheck::workflows::prove
