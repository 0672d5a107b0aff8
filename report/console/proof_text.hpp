// Console output of `prove`.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "workflows/prove/prove.hpp"

namespace warpcheck::report {

struct ProofStyle {
  std::size_t columns = 100;  // width at which sentences are wrapped
  bool quiet = false;         // prints only what is not proved
  /// Returns a command for the shell.
  std::function<std::string(const campaign::Case&)> replay_command;
};

/// A line for each property, with the reason or the case below it; empty: it is quiet, and all
/// properties are proved.
[[nodiscard]] std::string proof_text(const workflows::prove::VariantResult& result,
                                     const ProofStyle& style);

/// The totals, and the sentence that a proof stands for.
[[nodiscard]] std::string proof_summary(std::span<const workflows::prove::VariantResult> results,
                                        const ProofStyle& style);

}  // namespace warpcheck::report
