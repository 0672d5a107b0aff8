#include "contract/source_files.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <system_error>
#include <utility>

#include "base/closest_word.hpp"
#include "base/files.hpp"
#include "contract/kernel_source.hpp"

namespace warpcheck::contract {
namespace {

namespace fs = std::filesystem;

/// True for a TOML text with [[variant]] tables.
bool is_contract(const std::string& text) {
  try {
    const toml::table document = toml::parse(text);
    return document["variant"].is_array_of_tables();
  } catch (const toml::parse_error&) {
    return false;
  }
}

class FolderReader {
 public:
  SourceFiles read(const fs::path& folder) {
    read_folder(folder);
    std::sort(found_.with_contract.begin(), found_.with_contract.end());
    std::sort(found_.without_contract.begin(), found_.without_contract.end());
    return std::move(found_);
  }

 private:
  void error(const fs::path& path, std::string message) {
    found_.errors.push_back({path.string(), {Diagnostic{{path.string()}, std::move(message), {}}}});
  }

  /// Reads the entries in the order of their names. Does not follow links to folders.
  void read_folder(const fs::path& folder) {
    std::error_code failed;
    std::vector<fs::directory_entry> entries;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
         entry.increment(failed)) {
      entries.push_back(*entry);
    }
    if (failed) return error(folder, "cannot read this folder: " + failed.message());
    std::sort(entries.begin(), entries.end());
    for (const fs::directory_entry& entry : entries) {
      std::error_code ignored;
      if (entry.is_directory(ignored)) {
        if (!entry.is_symlink(ignored)) read_folder(entry.path());
      } else if (is_ptx(entry.path())) {
        read_ptx_source(entry.path());
      } else if (is_source(entry.path())) {
        read_source(entry.path());
      } else if (entry.path().extension() == ".toml") {
        require_source(entry.path());
      }
    }
  }

  void read_source(const fs::path& file) {
    if (!read_file(file)) return error(file, "cannot read this file");
    if (has_contract(file)) {
      found_.with_contract.push_back(file);
    } else {
      found_.without_contract.push_back(file.string());
    }
  }

  void read_ptx_source(const fs::path& file) {
    if (exists(fs::path(file).replace_extension(".cu")) || !has_contract(file)) return;
    found_.with_contract.push_back(file);
  }

  static bool exists(const fs::path& file) {
    std::error_code ignored;
    return fs::exists(fs::symlink_status(file, ignored));
  }

  /// A sidecar whose source was renamed or removed would be skipped without a message.
  void require_source(const fs::path& sidecar) {
    const fs::path source = fs::path(sidecar).replace_extension(".cu");
    if (exists(source) || exists(fs::path(sidecar).replace_extension(".ptx"))) return;
    const auto text = read_file(sidecar);
    if (text && is_contract(*text)) {
      error(sidecar, fmt::format("contract without a source: expected {} next to it",
                                 source.filename().string()));
    }
  }

  SourceFiles found_;
};

SourceFiles only_error(const std::string& path, std::string message) {
  SourceFiles files;
  files.errors.push_back({path, {Diagnostic{{path}, std::move(message), {}}}});
  return files;
}

/// ": did you mean 'kernels/mine.cu'?" for a name that is close to one in its folder.
std::string suggestion(const fs::path& path) {
  std::vector<std::string> names;
  std::error_code error;
  const fs::path folder = path.parent_path();
  for (fs::directory_iterator entry(folder.empty() ? "." : folder, error), end;
       !error && entry != end; entry.increment(error)) {
    if (is_source(entry->path())) names.push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  const std::string name = path.filename().string();
  const std::vector<std::string_view> known(names.begin(), names.end());
  const auto near = nearest(name, known);
  return near ? fmt::format(": did you mean '{}'?", (folder / *near).string()) : "";
}

/// Returns what a target must be instead of this existing file.
std::string wrong_kind(const fs::path& path) {
  constexpr std::array kHeaders = {".cuh", ".h", ".hpp", ".hh", ".hxx", ".inl"};
  std::error_code error;
  fs::path source = fs::path(path).replace_extension(".cu");
  if (!fs::exists(source, error)) source.replace_extension(".ptx");
  if (path.extension() == ".toml" && fs::exists(source, error)) {
    return fmt::format("expected the source of this contract, {}", source.string());
  }
  if (std::find(kHeaders.begin(), kHeaders.end(), path.extension()) != kHeaders.end()) {
    return fmt::format(
        "found a header, expected a .cu file that includes it: `#include \"{}\"` and a contract "
        "are "
        "enough",
        path.filename().string());
  }
  return "expected a .cu file, a .ptx file or a folder";
}

}  // namespace

SourceFiles source_files(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_symlink(fs::symlink_status(path, error)) && !fs::exists(status)) {
    const std::error_code reason = std::make_error_code(std::errc::too_many_symbolic_link_levels);
    (void)fs::status(path, error);
    return only_error(path, error == reason ? "found a symbolic link in a loop, expected a file"
                                            : fmt::format("found a symbolic link to {}, which does "
                                                          "not exist",
                                                          fs::read_symlink(path).string()));
  }
  if (!fs::exists(status)) {
    const bool is_glob = path.find_first_of("*?[") != std::string::npos;
    return only_error(path, is_glob ? "no such file or folder; a glob selects built-in variants, "
                                      "and a folder stands for its .cu and .ptx files"
                                    : "no such file or folder" + suggestion(path));
  }
  SourceFiles files;
  if (fs::is_directory(status)) {
    files = FolderReader().read(path);
    if (files.with_contract.empty() && files.errors.empty()) {
      files.errors = only_error(path, "no .cu or .ptx file with a contract in this folder").errors;
    }
  } else if (is_source(path)) {
    files.with_contract.emplace_back(path);
  } else {
    return only_error(path, wrong_kind(path));
  }
  return files;
}

}  // namespace warpcheck::contract
