// Guesses a contract for each kernel of a .cu and checks it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "campaign/report.hpp"
#include "device/device.hpp"
#include "workflows/init/draft/draft.hpp"

namespace warpcheck::workflows::init {

struct InitOptions {
  std::int64_t cases = 20;  // cases of the check of each contract
  bool check = true;        // false: guess only
  std::uint64_t seed = 0;
  unsigned jobs = 0;                       // host threads; 0: one per processor
  int most_trials = 120;                   // contracts of matrix products that are tried per kernel
  int most_trials_of_operations = 20'000;  // the same for other operations
  // Time limits against endless searches. A guess that a limit ends depends on the machine.
  double search_seconds = 300.0;  // limit per kernel
  double check_seconds = 60.0;    // limit for the cases of one contract
};

/// Extremes are larger: more blocks than a grid has, offsets beyond 32 bits.
inline constexpr std::int64_t kOrdinarySize = 2048;

/// The guessed contract of one instance of a kernel.
struct GuessedContract {
  Draft draft;
  unsigned line = 0;           // line of the kernel
  std::string not_compiled;    // reason why there is no PTX; empty: nvcc compiled it
  std::string no_contract;     // reason why no contract can describe the kernel; empty: one might
  bool may_be_other = false;   // it may be no matrix product, but no known operation passes
  bool is_undefined = false;   // the contract lacks the definition of its operation
  bool is_incomplete = false;  // a limit ended the search for it
  // A finding of such a contract that has another cause than the definition.
  std::optional<campaign::FindingReport> failure_of_any;
  int tried = 0;                                  // contracts that were tried on the virtual device
  std::optional<campaign::VariantReport> report;  // result of the check
  // A finding without the `requires` that the contract needs; empty: a wrong result, or it has
  // none.
  std::optional<campaign::FindingReport> failure_without_limits;
  // The failing case, if the contract passes only for sizes up to kOrdinarySize.
  std::optional<campaign::FindingReport> failure_beyond;
};

struct InitReport {
  std::string file;
  std::vector<GuessedContract> contracts;
  std::string no_compiler;  // reason why no kernel is compiled: no nvcc; empty: there is one
  double seconds = 0.0;
};

/// Throws InputError if the file has no kernel or is not readable.
[[nodiscard]] InitReport init(const std::filesystem::path& file, const InitOptions& options,
                              device::Device& device);

/// The text of a .toml with all contracts; notes are comments.
[[nodiscard]] std::string contract_text(const InitReport& report);

}  // namespace warpcheck::workflows::init
