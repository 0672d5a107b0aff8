#include "workflows/regressions/regression_file.hpp"

#include <filesystem>

#include "base/paths.hpp"

namespace warpcheck::workflows::regressions {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const targets::Target& target, const std::string& folder) {
  if (!folder.empty()) return folder;
  if (target.path.empty()) return "regressions";
  return fs::path(target.variant.compiled->source_file).parent_path() / "regressions";
}

}  // namespace

std::string regression_file(const targets::Target& target, const std::string& folder) {
  const std::string name = target.variant.contract.name + std::string(kExtension);
  return relative_path((folder_of(target, folder) / name).string());
}

}  // namespace warpcheck::workflows::regressions
