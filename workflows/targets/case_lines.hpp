// Case lines that a user gives: one line, or a file of lines.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "campaign/case/case.hpp"
#include "contract/contract.hpp"
#include "workflows/targets/targets.hpp"

namespace warpcheck::workflows::targets {

struct LocatedCase {
  campaign::Case problem;
  Location where;
  std::string text;
};

/// Reads one case line, or the file of that name. Skips empty lines and lines that begin with '#'.
/// Throws InputError with the errors of all lines, or if the file has no case line.
[[nodiscard]] std::vector<LocatedCase> read_cases(const std::string& line_or_file);

/// Reads a file of case lines, which may be empty or absent.
[[nodiscard]] std::vector<LocatedCase> read_case_file(const std::string& file);

/// The variant that each case names, from the file or folder `in`. If `in` is empty: a built-in
/// variant, or else the variant at the path where it was last checked. Throws InputError, located
/// at the case, if there is no such variant or no argument of its kernel takes a field of the case.
[[nodiscard]] std::vector<Target> targets_of(const std::vector<LocatedCase>& cases,
                                             const std::string& in);

/// Throws InputError, located at the field, if no argument of the kernel takes a field of the case:
/// the kernel would run another case than the line states.
void require_no_ignored_field(const contract::Contract& contract, const LocatedCase& located);

}  // namespace warpcheck::workflows::targets
