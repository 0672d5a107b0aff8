// The names of the classes of findings.
#pragma once

#include <string_view>
#include <vector>

#include "device/finding.hpp"

namespace warpcheck::device {

[[nodiscard]] inline std::vector<std::string_view> finding_class_names() {
  std::vector<std::string_view> names;
  for (auto kind = FindingClass{};; kind = static_cast<FindingClass>(static_cast<int>(kind) + 1)) {
    names.push_back(name(kind));
    if (kind == kLastFindingClass) return names;
  }
}

}  // namespace warpcheck::device
