#include "report/path.hpp"

#include <filesystem>
#include <system_error>

namespace warpcheck::report {

std::string shown_path(const std::string& file) {
  namespace fs = std::filesystem;
  const fs::path path = file;
  std::error_code failed;
  const fs::path here = fs::current_path(failed);
  if (failed || !path.is_absolute()) return file;
  const fs::path relative = path.lexically_normal().lexically_relative(here);
  return relative.empty() || *relative.begin() == ".." ? file : relative.string();
}

}  // namespace warpcheck::report
