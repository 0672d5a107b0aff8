#include "contract/compile/compile_cache.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/content_hash.hpp"
#include "base/files.hpp"
#include "contract/compile/nvcc.hpp"

namespace warpcheck::contract {

namespace fs = std::filesystem;

namespace {

using Paths = std::vector<fs::path>;

std::optional<Paths> read_paths(const fs::path& file) {
  const auto text = read_file(file);
  if (!text) return std::nullopt;
  Paths paths;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) paths.emplace_back(line);
  return paths;
}

std::string join_lines(const Paths& paths) {
  std::string text;
  for (const fs::path& path : paths) text += path.string() + "\n";
  return text;
}

std::string key_of(const std::string& first_key, const Paths& dependencies) {
  ContentHash hash;
  hash.add(first_key);
  for (const fs::path& file : dependencies) {
    hash.add(file.string());
    const auto text = read_file(file);
    hash.add(text ? "present" : "absent");
    hash.add(text.value_or(""));
  }
  return hash.digits();
}

/// The first macro of the flags that the output of nvcc reports as redefined: 'warning: "M"
/// redefined' of the host compiler, or 'incompatible redefinition of macro "M"'.
std::string redefined_macro(std::string_view output, const std::vector<std::string>& flags) {
  std::istringstream lines{std::string(output)};
  for (std::string line; std::getline(lines, line);) {
    if (line.find("redefin") == std::string::npos) continue;
    for (const std::string& flag : flags) {
      if (!flag.starts_with("-D")) continue;
      const std::string name = flag.substr(2, std::min(flag.find('='), flag.size()) - 2);
      for (const char quote : {'"', '\''}) {
        if (line.find(quote + name + quote) != std::string::npos) return name;
      }
    }
  }
  return {};
}

bool any_written_since(const Paths& files, fs::file_time_type moment) {
  return std::any_of(files.begin(), files.end(), [&](const fs::path& file) {
    std::error_code error;
    return fs::last_write_time(file, error) >= moment;
  });
}

}  // namespace

fs::path cache_folder() {
  const auto from = [](const char* name) -> fs::path {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  // The XDG Base Directory Specification requires that relative paths are ignored.
  if (const fs::path cache = from("XDG_CACHE_HOME"); cache.is_absolute()) {
    return cache / "warpcheck";
  }
  if (const fs::path home = from("HOME"); home.is_absolute()) return home / ".cache/warpcheck";
  return fs::temp_directory_path() / ("warpcheck-" + std::to_string(getuid()));
}

CompileCache::CompileCache(fs::path folder)
    : folder_(std::move(folder)), nvcc_(find_nvcc()), version_(nvcc_version(nvcc_)) {}

Compilation CompileCache::compile(const std::string& text, const std::string& architecture,
                                  const std::vector<std::string>& added) const {
  const std::vector<std::string> flags = nvcc_flags(architecture, added);
  ContentHash hash;
  hash.add(version_);
  for (const std::string& flag : flags) hash.add(flag);
  hash.add(text);
  const std::string first_key = hash.digits();
  const fs::path dependencies_file = folder_ / (first_key + ".dependencies");

  Compilation result;
  result.text_file = folder_ / (first_key + ".cu");
  if (auto known = read_paths(dependencies_file)) {
    result.ptx_file = folder_ / (key_of(first_key, *known) + ".ptx");
    if (auto ptx = read_file(result.ptx_file); ptx && !ptx->empty()) {
      result.succeeded = true;
      result.ptx = std::move(*ptx);
      result.dependencies = std::move(*known);
      return result;
    }
  }

  // The name of the text must be constant: nvcc puts it into the names of static functions.
  write_file(result.text_file, text);
  const fs::path temporary = temporary_beside(folder_ / (first_key + ".ptx"));
  // A file that changes during the compilation would be cached under its new content. Time stamps
  // of files are those of the clock's last tick, so they can be slightly too old.
  for (int attempt = 0; attempt < 3; ++attempt) {
    const auto started = fs::file_time_type::clock::now() - std::chrono::milliseconds(10);
    NvccRun run = run_nvcc(nvcc_, flags, result.text_file, temporary);
    result.redefined = run.succeeded ? redefined_macro(run.output, added) : "";
    if (!run.succeeded || !result.redefined.empty()) {
      result.output = std::move(run.output);
      std::error_code ignored;
      fs::remove(temporary, ignored);
      return result;
    }
    std::erase(run.dependencies, result.text_file.lexically_normal());
    result.dependencies = std::move(run.dependencies);
    if (!any_written_since(result.dependencies, started)) break;
  }
  result.succeeded = true;
  result.ptx_file = folder_ / (key_of(first_key, result.dependencies) + ".ptx");
  result.ptx = read_file(temporary).value_or("");
  rename_file(temporary, result.ptx_file);
  write_file(dependencies_file, join_lines(result.dependencies));
  return result;
}

std::string CompileCache::errors_in(const fs::path& source, const std::string& architecture,
                                    const std::vector<std::string>& added) const {
  const fs::path temporary = temporary_beside(folder_ / "check.ptx");
  const NvccRun run = run_nvcc(nvcc_, nvcc_flags(architecture, added), source, temporary);
  std::error_code ignored;
  fs::remove(temporary, ignored);
  return run.succeeded ? "" : run.output;
}

fs::path CompileCache::stored(const std::string& text) const {
  ContentHash hash;
  hash.add(text);
  fs::path file = folder_ / (hash.digits() + ".device.cu");
  if (read_file(file) != text) {
    const fs::path temporary = temporary_beside(file);
    write_file(temporary, text);
    rename_file(temporary, file);
  }
  return file;
}

}  // namespace warpcheck::contract
