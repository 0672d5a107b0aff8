// The architecture of a GPU.
#pragma once

#include <string>

namespace warpcheck {

/// 90 for the description "NVIDIA H200 (sm_90), driver ..."; 0 if there is no architecture in it.
inline unsigned architecture_of(const std::string& description) {
  const std::size_t at = description.find("sm_");
  return at == std::string::npos ? 0
                                 : static_cast<unsigned>(std::stoul(description.substr(at + 3)));
}

}  // namespace warpcheck
