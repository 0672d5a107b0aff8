#include "contract/compile/compile_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/checked_file.hpp"
#include "base/content_hash.hpp"
#include "base/files.hpp"
#include "base/text/replaced_all.hpp"
#include "contract/compile/instantiation.hpp"
#include "contract/compile/nvcc.hpp"

namespace warpcheck::contract {

namespace fs = std::filesystem;

namespace {

using Paths = std::vector<fs::path>;

constexpr const char* kDependencies = ".dependencies";
constexpr const char* kCompiler = ".compiler";

/// Removes the file at the end.
struct TemporaryFile {
  explicit TemporaryFile(fs::path file) : path(std::move(file)) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    std::error_code ignored;
    fs::remove(path, ignored);
  }
  fs::path path;
};

Paths paths_in(const std::string& text) {
  Paths paths;
  std::istringstream lines(text);
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

std::string extension(Product product) { return product == Product::ptx ? ".ptx" : ".so"; }

/// Writes a file with this text, unless there is one.
void store(const fs::path& file, const std::string& text) {
  if (read_file(file) == text) return;
  const fs::path temporary = temporary_beside(file);
  write_file(temporary, text);
  rename_file(temporary, file);
}

/// Time stamps of files are those of the clock's last tick, so they can be slightly too old.
fs::file_time_type moment_before_now() {
  return fs::file_time_type::clock::now() - std::chrono::milliseconds(10);
}

bool any_written_since(const Paths& files, fs::file_time_type moment) {
  return std::any_of(files.begin(), files.end(), [&](const fs::path& file) {
    std::error_code error;
    return fs::last_write_time(file, error) >= moment;
  });
}

}  // namespace

CompileCache::CompileCache(fs::path folder)
    : folder_(std::move(folder)),
      nvcc_(find_nvcc()),
      version_(nvcc_version(nvcc_)),
      nvrtc_(nvcc_, version_) {
  const std::string refusal = folder_ == temporary_cache_folder()
                                  ? refusal_of_private_folder(folder_)
                                  : refusal_of_folder(folder_);
  if (refusal.empty()) return;
  read_only_ = std::exchange(folder_, temporary_cache_folder());
  const std::string other = refusal_of_private_folder(folder_);
  if (other.empty()) return;
  throw EnvironmentError(fmt::format(
      "cannot write compiled kernels to {} ({}), nor to {} ({}): set XDG_CACHE_HOME to a folder "
      "that you can write",
      read_only_.string(), refusal, folder_.string(), other));
}

std::optional<Compilation> CompileCache::known(const fs::path& folder, const std::string& first_key,
                                               Product product) {
  const auto names = read_checked(folder / (first_key + kDependencies));
  if (!names) return std::nullopt;
  Compilation result;
  result.dependencies = paths_in(*names);
  result.text_file = folder / (first_key + ".cu");
  result.ptx_file = folder / (key_of(first_key, result.dependencies) + extension(product));
  auto ptx = read_checked(result.ptx_file);
  if (!ptx) return std::nullopt;
  result.succeeded = true;
  if (product == Product::ptx) result.ptx = std::move(*ptx);
  return result;
}

Compilation CompileCache::compile(const std::string& text, const std::string& architecture,
                                  const std::vector<std::string>& added, std::string_view source,
                                  Product product) const {
  const std::vector<std::string> flags = nvcc_flags(architecture, added, product);
  const bool may_use_nvrtc = !source.empty() && !nvrtc_.library().empty();
  ContentHash hash;
  hash.add(version_);
  for (const std::string& flag : flags) hash.add(flag);
  hash.add(text);
  if (may_use_nvrtc) hash.add(nvrtc_.library().string());
  const std::string first_key = hash.digits();
  for (const fs::path& folder : {read_only_, folder_}) {
    if (folder.empty()) continue;
    if (auto found = known(folder, first_key, product)) return std::move(*found);
  }

  // The name of the text must be constant: nvcc puts it into the names of static functions.
  const fs::path text_file = folder_ / (first_key + ".cu");
  write_file(text_file, text);
  Compilation result;
  std::string compiler = "nvcc";
  if (may_use_nvrtc) {
    // A file that changes during the compilation would be cached under its new content.
    const auto started = moment_before_now();
    NvrtcRun run = nvrtc_.compile(text_file, source, flags);
    if (!run.ptx.empty() && !any_written_since(run.dependencies, started)) {
      result.succeeded = true;
      result.ptx = std::move(run.ptx);
      result.dependencies = std::move(run.dependencies);
      compiler = "NVRTC";
    } else {
      compiler += ": " + (run.reason.empty() ? "a file changed" : run.reason);
    }
  }
  if (!result.succeeded) result = compile_by_nvcc(first_key, flags, added, product);
  result.text_file = text_file;
  if (!result.succeeded) return result;
  result.ptx_file = folder_ / (key_of(first_key, result.dependencies) + extension(product));
  write_checked(result.ptx_file, result.ptx);
  if (product == Product::library) result.ptx.clear();
  write_checked(fs::path(result.ptx_file).replace_extension(kCompiler), compiler);
  // nvcc cannot list a file with a quote in its name: such a compilation is not an entry.
  if (std::all_of(result.dependencies.begin(), result.dependencies.end(),
                  [](const fs::path& file) { return fs::exists(file); })) {
    write_checked(folder_ / (first_key + kDependencies), join_lines(result.dependencies));
  }
  return result;
}

Compilation CompileCache::compile_by_nvcc(const std::string& first_key,
                                          const std::vector<std::string>& flags,
                                          const std::vector<std::string>& added,
                                          Product product) const {
  Compilation result;
  const fs::path text_file = folder_ / (first_key + ".cu");
  const TemporaryFile temporary(temporary_beside(folder_ / (first_key + extension(product))));
  // A file that changes during the compilation would be cached under its new content.
  for (int attempt = 0; attempt < 3; ++attempt) {
    const auto started = moment_before_now();
    NvccRun run = run_nvcc(nvcc_, flags, text_file, temporary.path, product);
    result.redefined = run.succeeded ? redefined_macro(run.output, added) : "";
    if (!run.succeeded || !result.redefined.empty()) {
      result.output = std::move(run.output);
      return result;
    }
    std::erase(run.dependencies, text_file.lexically_normal());
    result.dependencies = std::move(run.dependencies);
    if (!any_written_since(result.dependencies, started)) break;
  }
  auto ptx = read_file(temporary.path);
  if (!ptx || ptx->empty()) {
    throw EnvironmentError(fmt::format("nvcc wrote nothing to {}", temporary.path.string()));
  }
  result.succeeded = true;
  result.ptx = std::move(*ptx);
  return result;
}

std::string CompileCache::errors_in(const fs::path& source, const std::string& architecture,
                                    const std::vector<std::string>& added) const {
  const bool safe = is_safe_for_nvcc(source);
  const fs::path file =
      safe ? source : stored(fmt::format("#include {}\n", quoted_include(source)));
  const TemporaryFile temporary(temporary_beside(folder_ / "check.ptx"));
  const NvccRun run = run_nvcc(nvcc_, nvcc_flags(architecture, added), file, temporary.path);
  if (run.succeeded) return "";
  return safe ? run.output : replaced_all(run.output, file.string(), source.string());
}

fs::path CompileCache::stored(const std::string& text) const {
  ContentHash hash;
  hash.add(text);
  fs::path file = folder_ / (hash.digits() + ".device.cu");
  store(file, text);
  return file;
}

fs::path CompileCache::stored_header(std::string_view name, std::string_view text) const {
  fs::path folder = folder_ / "include";
  fs::create_directories(folder / "warpcheck");
  store(folder / "warpcheck" / name, std::string(text));
  return folder;
}

std::string compiler_of(const fs::path& ptx_file) {
  return read_checked(fs::path(ptx_file).replace_extension(kCompiler)).value_or("");
}

}  // namespace warpcheck::contract
