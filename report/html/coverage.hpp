// Coverage next to the lines of the source.
#pragma once

#include <string>

#include "campaign/report.hpp"
#include "report/html/source.hpp"

namespace warpcheck::report::html {

/// Returns, for each line of a file, the number of times that warps executed it, "1,024"; a line
/// with branches also has the number of directions taken, "1,024 3/4". Empty if the file was not
/// counted.
[[nodiscard]] Coverage line_coverage(const campaign::VariantReport& variant,
                                     const std::string& file);

/// Explains the shares and the numbers next to the lines; empty if nothing was counted.
[[nodiscard]] std::string coverage_sentence(const campaign::VariantReport& variant);

}  // namespace warpcheck::report::html
