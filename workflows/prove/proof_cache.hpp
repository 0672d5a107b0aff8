// Proofs by content: the same PTX and contract are proved once by each build of the program.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "contract/compile/variant.hpp"
#include "proof/proof.hpp"
#include "workflows/prove/prove.hpp"

namespace warpcheck::workflows::prove {

/// Depends on the PTX, the contract, the requested properties, the solver and the build of the
/// program. Empty if the build cannot be identified: then nothing is cached.
[[nodiscard]] std::string cache_key(const contract::Variant& variant,
                                    const ProveSettings& settings);

/// Several threads and processes can use one folder at the same time. A damaged entry is not there.
class ProofCache {
 public:
  explicit ProofCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Witnesses are part of a proof, so that a refutation is run again each time.
  [[nodiscard]] std::optional<proof::Proof> find(const std::string& key) const;
  /// Does nothing if the folder cannot be written.
  void store(const std::string& key, const proof::Proof& proof) const;

 private:
  [[nodiscard]] std::filesystem::path file(const std::string& key) const;

  std::filesystem::path folder_;
};

}  // namespace warpcheck::workflows::prove
