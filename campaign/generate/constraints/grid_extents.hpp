// Extents of cases that change the grid of a launch.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "campaign/case/case.hpp"

namespace warpcheck::campaign::generate {

/// The extents on which grids depend, by the kind of operation.
struct GridExtents {
  std::vector<std::string> names;
  std::function<Case(std::int64_t others)> target;  // extents of this size, or as small as possible
  std::function<void(Case& problem, const std::string& name, std::int64_t value)> set;
  /// Projects onto the domain, and changes this extent last.
  std::function<std::optional<Case>(const Case& target, const std::string& name)> project;
  std::function<bool(const Case& problem)> is_small;  // has few elements
  /// Sizes to add to the least one beyond a limit, if the domain has no case near that.
  std::vector<std::int64_t> further;
};

}  // namespace warpcheck::campaign::generate
