// The extents of the rows and of the columns of an output.
#pragma once

#include <optional>
#include <string_view>

#include "campaign/case/schema.hpp"

namespace warpcheck::campaign::judge {

/// Empty where no extent alone has this size, or if the rows are those of several matrices. A
/// product is one matrix of a batch.
struct OutputExtents {
  std::optional<CaseField> rows;
  std::optional<CaseField> columns;
};

/// Returns the extents of the output of this name, or of the only output.
[[nodiscard]] OutputExtents output_extents(const CaseSchema& schema, std::string_view output);

}  // namespace warpcheck::campaign::judge
