// The meaning of each class of finding.
#pragma once

#include <span>
#include <string_view>

#include "device/finding.hpp"

namespace warpcheck::report {

struct Rule {
  FindingClass kind;
  std::string_view summary;  // one sentence, without a period
  std::string_view help;     // the defect and its usual fix; sentences
};

/// One rule per class, in the order of the classes.
[[nodiscard]] std::span<const Rule> rules();

}  // namespace warpcheck::report
