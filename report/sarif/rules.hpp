// What each class of finding means, for formats in which a reader looks it up.
#pragma once

#include <span>
#include <string_view>

#include "device/finding.hpp"

namespace warpcheck::report {

struct Rule {
  FindingClass kind;
  std::string_view summary;  // one sentence, without a period
  std::string_view help;     // what is wrong, and what mends it; sentences
};

/// One of each class, in the order of the classes.
[[nodiscard]] std::span<const Rule> rules();

}  // namespace warpcheck::report
