// Places in a kernel's source.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "contract/compile/variant.hpp"
#include "device/finding.hpp"

namespace warpcheck::properties::run {

/// Lines of a source file around the place of a finding; no lines where the source is not known.
struct Excerpt {
  std::string file;
  unsigned line = 0;        // of the place
  unsigned first_line = 0;  // of lines[0]
  std::vector<std::string> lines;
};

/// Where the kernel that a contract calls "ns::name<8>" is defined, that is, where its name follows
/// `__global__` in the same declaration; line and column 0 where the source has no such place.
[[nodiscard]] Location definition(std::string_view source, std::string_view kernel);

/// Two lines before the place and two after it. Empty where the place is not known or the file is
/// neither the variant's nor readable.
[[nodiscard]] Excerpt excerpt(const contract::Variant& variant, const SourcePlace& place);

}  // namespace warpcheck::properties::run
