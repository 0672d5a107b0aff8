// The variants that a user names: files, folders, and globs over the built-in variants.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "contract/compile/variant.hpp"

namespace warpcheck::workflows::targets {

struct Target {
  contract::Variant variant;
  std::string path;  // the .cu file or folder that holds it; empty: built in
};

/// The variants, errors and other files of the targets of a command.
struct ResolvedTargets {
  std::vector<Target> targets;
  std::vector<contract::TargetError> errors;  // ordered as the targets
  std::vector<std::string> without_contract;  // .cu files in folders, which are not checked
};

/// Origin of the reference of an operation without `define` and `reference`. The contract: it is
/// wrong without one. The program: it sets a function later, or judges no values.
enum class References { in_contract, in_program };

/// Does the same as resolve_targets(), but an error in one target or file does not hide the others.
/// Throws Interrupted.
[[nodiscard]] ResolvedTargets resolve_each_target(std::span<const std::string> targets,
                                                  const contract::CompileProgress& progress = {},
                                                  References references = References::in_contract);

/// Throws InputError with all errors if there are any.
void throw_errors(const std::vector<contract::TargetError>& errors);

/// Resolves each target: an existing file or folder stands for its variants, "FILE:GLOB" for those
/// of its variants whose names match, any other text is a glob over the names of the built-in
/// variants. Without targets: all built-in variants. Throws
/// InputError with all errors: a target matches nothing, two different variants have one name, and
/// those of contract::find_variants().
[[nodiscard]] std::vector<Target> resolve_targets(std::span<const std::string> targets,
                                                  const contract::CompileProgress& progress = {},
                                                  References references = References::in_contract);

/// Throws InputError with all errors if a target is neither an existing file or folder nor the name
/// or glob of built-in variants. Compiles nothing.
void require_known(std::span<const std::string> targets);

/// The variants of the targets, in the same order.
[[nodiscard]] std::vector<contract::Variant> variants_of(std::span<const Target> targets);

}  // namespace warpcheck::workflows::targets
