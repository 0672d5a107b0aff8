// Case lines as a user hands them over: one, or a file of them.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "cli/commands/targets.hpp"
#include "contract/contract.hpp"
#include "properties/case/case.hpp"

namespace warpcheck::cli {

struct LocatedCase {
  properties::Case problem;
  Location where;
  std::string text;
};

/// A case line, or a file of them; empty lines and lines that open with '#' are skipped. Throws
/// InputError with the errors of all lines, or where there is none.
[[nodiscard]] std::vector<LocatedCase> read_cases(const std::string& what);

/// The same of a file, which may hold none.
[[nodiscard]] std::vector<LocatedCase> read_case_file(const std::string& file);

/// The variant that each case names: of the file or folder `in`; where that is empty, a built-in
/// one, or else that of the path from which it was last checked. Throws InputError, located at the
/// case, where there is none, or where the kernel is not handed all that the case gives.
[[nodiscard]] std::vector<Target> targets_of(const std::vector<LocatedCase>& cases,
                                             const std::string& in);

/// What the kernel is not handed would be dropped, and another case run than was asked: throws
/// InputError, located at the field.
void require_no_ignored_field(const contract::Contract& contract, const LocatedCase& located);

}  // namespace warpcheck::cli
