// Places in a kernel's source.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "contract/compile/variant.hpp"
#include "device/finding.hpp"

namespace warpcheck::campaign::run {

/// Lines of a source file around the place of a finding; no lines if the source is not available.
struct Excerpt {
  std::string file;
  unsigned line = 0;        // line of the place
  unsigned first_line = 0;  // line number of lines[0]
  std::vector<std::string> lines;
};

/// Returns the place of the definition of a variant's kernel. A .ptx has the source line of its
/// first instruction. If there is no line, the file is the variant's source.
[[nodiscard]] SourcePlace definition(const contract::Variant& variant, std::string_view kernel);

/// Returns the line of the place with two lines before and after it. Empty if the place has no line
/// or the file is neither the variant's nor readable.
[[nodiscard]] Excerpt excerpt(const contract::Variant& variant, const SourcePlace& place);

}  // namespace warpcheck::campaign::run
