#include "workflows/reproducer/source_files.hpp"

#include <algorithm>
#include <sstream>

#include "base/files.hpp"

namespace warpcheck::workflows::reproducer {
namespace {

namespace fs = std::filesystem;

/// The name in `#include "name"`; empty for any other line.
std::string included_name(const std::string& line) {
  const std::size_t hash = line.find_first_not_of(" \t");
  if (hash == std::string::npos || line[hash] != '#') return {};
  const std::size_t word = line.find_first_not_of(" \t", hash + 1);
  if (word == std::string::npos || line.compare(word, 7, "include") != 0) return {};
  const std::size_t open = line.find('"', word);
  const std::size_t close = open == std::string::npos ? open : line.find('"', open + 1);
  return close == std::string::npos ? std::string() : line.substr(open + 1, close - open - 1);
}

void collect(const fs::path& file, std::vector<fs::path>& files) {
  if (std::find(files.begin(), files.end(), file) != files.end()) return;
  files.push_back(file);
  std::istringstream text(read_input(file));
  for (std::string line; std::getline(text, line);) {
    const std::string name = included_name(line);
    if (name.empty() || fs::path(name).is_absolute()) continue;
    const fs::path included = (file.parent_path() / name).lexically_normal();
    if (fs::is_regular_file(included)) collect(included, files);
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
