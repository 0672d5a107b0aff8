#include "report/run/run_info.hpp"

namespace warpcheck::report {

std::string nvcc_version_of(std::string_view ptx) {
  constexpr std::string_view kTools = "// Cuda compilation tools, release ";
  const std::size_t tools = ptx.find(kTools);
  if (tools == std::string_view::npos) return {};
  std::string_view line = ptx.substr(tools, ptx.find('\n', tools) - tools);
  if (line.ends_with('\r')) line.remove_suffix(1);
  const std::size_t version = line.rfind(", V");
  return version == std::string_view::npos ? std::string() : std::string(line.substr(version + 3));
}

}  // namespace warpcheck::report
