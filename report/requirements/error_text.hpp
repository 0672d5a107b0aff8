// Errors of targets that could not be checked.
#pragma once

#include <string>
#include <vector>

#include "contract/target_error.hpp"

namespace warpcheck::report {

/// All errors as the terminal shows them, with the paths that shown_path() returns.
[[nodiscard]] std::string error_text(const contract::TargetError& error);

/// An error with a place and one line of text.
struct PlacedError {
  Location where;  // line 0: unknown
  std::string message;
};

/// The errors with their places. The output of nvcc is one diagnostic; each error in it is one
/// here.
[[nodiscard]] std::vector<PlacedError> placed_errors(const contract::TargetError& error);

}  // namespace warpcheck::report
