// Which architecture a GPU has.
#pragma once

#include <string>

namespace warpcheck {

/// 90 of "NVIDIA H200 (sm_90), driver ...", as devices describe themselves; 0 where nothing is
/// said.
inline unsigned architecture_of(const std::string& description) {
  const std::size_t at = description.find("sm_");
  return at == std::string::npos ? 0
                                 : static_cast<unsigned>(std::stoul(description.substr(at + 3)));
}

}  // namespace warpcheck
