// Guesses a contract for each kernel of a .cu and checks it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "properties/campaign/report.hpp"
#include "workflows/init/draft/draft.hpp"

namespace warpcheck::workflows::init {

struct InitOptions {
  std::int64_t cases = 20;  // of the check of each contract
  bool check = true;        // false: guess only
  std::uint64_t seed = 0;
  unsigned jobs = 0;                // host threads; 0: one per processor
  int most_trials = 120;            // contracts that are tried per kernel
  double search_seconds = 60.0;     // most time to try them
  double operation_seconds = 20.0;  // most time to try contracts of other operations than products
  double check_seconds = 20.0;      // most time for the cases of one contract
};

/// Extremes are larger: more blocks than a grid has, offsets beyond 32 bits.
inline constexpr std::int64_t kOrdinarySize = 2048;

/// The guessed contract of one instance of a kernel.
struct GuessedContract {
  Draft draft;
  unsigned line = 0;          // of the kernel
  std::string not_compiled;   // why there is no PTX; empty: nvcc compiled it
  std::string no_contract;    // why no contract can describe the kernel; empty: one might
  bool may_be_other = false;  // it may be no matrix product, but no known operation passes
  bool is_undefined = false;  // the contract lacks the definition of its operation
  // A finding of such a contract that has another cause than the definition.
  std::optional<properties::campaign::FindingReport> failure_of_any;
  int tried = 0;  // contracts that were tried on the virtual device
  std::optional<properties::campaign::VariantReport> report;  // of the check
  // The failing case, if the contract passes only for sizes up to kOrdinarySize.
  std::optional<properties::campaign::FindingReport> failure_beyond;
};

struct InitReport {
  std::string file;
  std::vector<GuessedContract> contracts;
  std::string no_compiler;  // why no kernel is compiled: this machine has no nvcc; empty: it has
  double seconds = 0.0;
};

/// Throws InputError if the file has no kernel or is not readable.
[[nodiscard]] InitReport init(const std::filesystem::path& file, const InitOptions& options,
                              device::Device& device);

/// The text of a .toml with all contracts; notes are comments.
[[nodiscard]] std::string contract_text(const InitReport& report);

}  // namespace warpcheck::workflows::init
