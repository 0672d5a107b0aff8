#include "workflows/reproducer/source_files.hpp"

#include <algorithm>

#include "base/files.hpp"
#include "contract/source/cpp_token.hpp"

namespace warpcheck::workflows::reproducer {
namespace {

namespace fs = std::filesystem;

void collect(const fs::path& file, std::vector<fs::path>& files) {
  if (std::find(files.begin(), files.end(), file) != files.end()) return;
  files.push_back(file);
  const std::string text = read_input(file);
  for (const contract::CppToken& token : contract::cpp_tokens(text)) {
    const auto included = contract::included_file(token);
    if (!included || !included->quoted || fs::path(included->name).is_absolute()) continue;
    const fs::path header = (file.parent_path() / included->name).lexically_normal();
    if (fs::is_regular_file(header)) collect(header, files);
  }
}

bool contains(const fs::path& folder, const fs::path& file) {
  return *file.lexically_relative(folder).begin() != "..";
}

}  // namespace

SourceFiles source_files(const fs::path& source) {
  std::vector<fs::path> files;
  collect(fs::absolute(source).lexically_normal(), files);
  SourceFiles found{files.front().parent_path(), {}};
  for (const fs::path& file : files) {
    while (!contains(found.folder, file)) found.folder = found.folder.parent_path();
  }
  for (const fs::path& file : files) {
    found.names.push_back(file.lexically_relative(found.folder).generic_string());
  }
  return found;
}

}  // namespace warpcheck::workflows::reproducer
