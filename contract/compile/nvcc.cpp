#include "contract/compile/nvcc.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <sstream>

#include "base/diagnostic.hpp"
#include "base/files.hpp"
#include "base/process/child_process.hpp"
#include "base/process/temporary_folder.hpp"
#include "contract/one_processor.hpp"
#include "ptx/file_names.hpp"

namespace warpcheck::contract {

namespace fs = std::filesystem;

namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool is_program(const fs::path& file) {
  std::error_code error;
  return fs::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0;
}

/// The data folder of the XDG Base Directory Specification, which ignores relative paths.
fs::path data_folder() {
  const fs::path data = environment("XDG_DATA_HOME");
  return (data.is_absolute() ? data : fs::path(environment("HOME")) / ".local/share") / "warpcheck";
}

std::vector<fs::path> folders_with_nvcc() {
  std::vector<fs::path> folders;
  std::istringstream path(environment("PATH"));
  for (std::string folder; std::getline(path, folder, ':');) {
    if (!folder.empty()) folders.emplace_back(folder);
  }
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const std::string home = environment(name); !home.empty()) {
      folders.push_back(fs::path(home) / "bin");
    }
  }
  std::vector<std::string> installed;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/usr/local", error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("cuda")) installed.push_back(name);
  }
  // "cuda" is the administrator's choice; after it comes the highest version number.
  std::sort(installed.begin(), installed.end(), [](const std::string& x, const std::string& y) {
    if ((x == "cuda") != (y == "cuda")) return x == "cuda";
    return x.size() != y.size() ? x.size() > y.size() : x > y;
  });
  for (const std::string& name : installed)
    folders.push_back(fs::path("/usr/local") / name / "bin");
  // The folder of NVIDIA's wheels is nvidia/cu13, named after the version.
  for (const auto& entry : fs::directory_iterator(data_folder() / "cuda/nvidia", error)) {
    folders.push_back(entry.path() / "bin");
  }
  return folders;
}

/// The prerequisites of a Makefile rule of a compiler, which are separated by blanks and escaped
/// line breaks. "\ " is a blank in a name, "$$" a dollar.
std::vector<std::string> prerequisites(std::string_view rule) {
  std::vector<std::string> names;
  const std::size_t colon = rule.find(": ");
  if (colon == std::string_view::npos) return names;
  rule.remove_prefix(colon + 1);
  std::string name;
  const auto finish = [&] {
    if (!name.empty()) names.push_back(std::move(name));
    name.clear();
  };
  for (std::size_t i = 0; i < rule.size(); ++i) {
    const char next = i + 1 < rule.size() ? rule[i + 1] : '\0';
    const bool escapes = rule[i] == '\\' && (next == ' ' || next == '#');
    if (escapes || (rule[i] == '$' && next == '$')) {
      name += rule[++i];
    } else if (rule[i] == '\\' && next == '\n') {
      finish();
      ++i;
    } else if (rule[i] == ' ' || rule[i] == '\n') {
      finish();
    } else {
      name += rule[i];
    }
  }
  finish();
  return names;
}

using Paths = std::vector<fs::path>;

/// The file of a prerequisite. nvcc writes some characters as the escapes of C++ that it reads in
/// line markers.
fs::path named_file(const std::string& name) {
  fs::path file = fs::absolute(name).lexically_normal();
  std::error_code ignored;
  if (fs::exists(file, ignored)) return file;
  fs::path decoded = fs::absolute(ptx::decoded_string(name)).lexically_normal();
  return fs::exists(decoded, ignored) ? decoded : file;
}

/// The line of an output that reports a full disk or quota, or a limit of the size of files; empty
/// if there is none.
std::string space_error(std::string_view output) {
  for (const int error : {ENOSPC, EDQUOT, EFBIG}) {
    const std::size_t at = output.find(std::strerror(error));
    if (at == std::string_view::npos) continue;
    const std::size_t begin = output.rfind('\n', at) + 1;  // npos + 1 is 0
    return std::string(output.substr(begin, output.find('\n', at) - begin));
  }
  return {};
}

/// True if nvcc found no host compiler, or one that compiles no C++.
bool lacks_host_compiler(std::string_view output) {
  return output.find("Failed to preprocess host compiler properties") != std::string_view::npos ||
         (output.find("cannot execute") != std::string_view::npos &&
          output.find("cc1plus") != std::string_view::npos);
}

/// The folder of the toolkit's headers: that of cuda_runtime.h, which nvcc includes first.
Paths without_toolkit(Paths files) {
  const auto runtime = std::find_if(files.begin(), files.end(), [](const fs::path& file) {
    return file.filename() == "cuda_runtime.h";
  });
  if (runtime == files.end()) return files;
  const fs::path toolkit = runtime->parent_path();
  std::erase_if(files, [&](const fs::path& file) {
    return std::mismatch(toolkit.begin(), toolkit.end(), file.begin(), file.end()).first ==
           toolkit.end();
  });
  return files;
}

/// True if nvcc passes the path on to its compiler as it is, without quotes.
bool needs_no_quotes(const fs::path& path) {
  const std::string& name = path.native();
  return std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || std::strchr("/._-", c) != nullptr;
  });
}

/// Runs nvcc with further options, by which it or its compiler writes what they read to
/// `rule_file`.
NvccRun run_for_rule(std::vector<std::string> command, const std::vector<std::string>& options,
                     const fs::path& rule_file) {
  command.insert(command.end(), options.begin(), options.end());
  const ChildResult result =
      run_child(command, {.environment = {"TMPDIR=" + rule_file.parent_path().string()}});
  NvccRun run;
  run.succeeded = result.status == 0;
  run.output = result.output;
  if (!run.succeeded && run.output.empty()) {
    run.output = fmt::format("nvcc ended with status {} and no output", result.status);
  }
  Paths files;
  for (const std::string& name : prerequisites(read_file(rule_file).value_or(""))) {
    files.push_back(named_file(name));
  }
  run.dependencies = without_toolkit(files);
  return run;
}

/// Runs nvcc and lists what it reads. nvcc preprocesses once more for that, a tenth to a fifth of
/// the time of a compilation. The compiler for PTX runs once and can write the list.
NvccRun run_listing(const std::vector<std::string>& command, const fs::path& source,
                    Product product) {
  // nvcc leaves its temporary files behind when it is ended.
  const TemporaryFolder temporary;
  const fs::path list = temporary.path() / "read.d";
  if (product == Product::ptx && needs_no_quotes(list)) {
    NvccRun run = run_for_rule(command, {"-Xcompiler", "-MMD,-MF," + list.string()}, list);
    const bool lists = std::count(run.dependencies.begin(), run.dependencies.end(),
                                  fs::absolute(source).lexically_normal()) != 0;
    if (lists || !run.succeeded) return run;
  }
  const fs::path rule_file = temporary.path() / "rule.d";
  return run_for_rule(command, {"-MMD", "-MF", rule_file.string()}, rule_file);
}

}  // namespace

fs::path find_nvcc() {
  if (const std::string chosen = environment("WARPCHECK_NVCC"); !chosen.empty()) {
    if (is_program(chosen)) return chosen;
    throw EnvironmentError(fmt::format("WARPCHECK_NVCC is '{}', which is not a program", chosen));
  }
  for (const fs::path& folder : folders_with_nvcc()) {
    if (is_program(folder / "nvcc")) return folder / "nvcc";
  }
  fs::path configured = WARPCHECK_CONFIGURED_NVCC;
  if (!configured.empty() && is_program(configured)) return configured;
  throw EnvironmentError(
      "no nvcc, which compiles .cu files: put that of a CUDA Toolkit (11.8 or newer) on PATH, name "
      "it in WARPCHECK_NVCC, or let warpcheck-fetch-nvcc (in a clone: scripts/fetch-nvcc) fetch "
      "NVIDIA's from PyPI");
}

std::string nvcc_version(const fs::path& nvcc) {
  const ChildResult result = run_child({nvcc.string(), "--version"});
  if (result.status == 0) return result.output;
  throw EnvironmentError(fmt::format("{} --version ended with status {}: {}", nvcc.string(),
                                     result.status, result.output));
}

std::vector<std::string> nvcc_flags(const std::string& architecture,
                                    const std::vector<std::string>& added, Product product) {
  const std::string target = architecture.empty() ? "sm_80" : architecture;
  std::vector<std::string> flags = {"-std=c++17", "-O3", "-lineinfo", "-arch=" + target};
  if (product == Product::library) {
    const bool is_real = target.starts_with("sm_");  // ptxas is not needed
    flags = {"-std=c++17", "-O2", "-arch=" + (is_real ? "compute_" + target.substr(3) : target)};
  }
  flags.insert(flags.end(), added.begin(), added.end());
  std::istringstream environment_flags(environment("WARPCHECK_NVCC_FLAGS"));
  for (std::string flag; environment_flags >> flag;) flags.push_back(flag);
  return flags;
}

NvccRun run_nvcc(const fs::path& nvcc, const std::vector<std::string>& flags,
                 const fs::path& source, const fs::path& product_file, Product product) {
  std::vector<std::string> command = {nvcc.string()};
  command.insert(command.end(), flags.begin(), flags.end());
  std::vector<std::string> words = {"-ptx"};
  if (product == Product::library) words = {"-shared", "-Xcompiler", "-fPIC", "-cudart", "none"};
  command.insert(command.end(), words.begin(), words.end());
  for (const fs::path& word : {fs::path("-o"), product_file, source}) command.push_back(word);
  const OneProcessor processor;
  NvccRun run = run_listing(command, source, product);
  if (!run.succeeded) {
    if (const std::string error = space_error(run.output); !error.empty()) {
      throw EnvironmentError("nvcc cannot write its files: " + error);
    }
    if (lacks_host_compiler(run.output)) {
      throw EnvironmentError(
          "no g++, which nvcc needs to compile .cu files: install it (Debian: apt-get install "
          "g++), "
          "or name another one in WARPCHECK_NVCC_FLAGS=\"-ccbin PATH\"");
    }
  }
  return run;
}

}  // namespace warpcheck::contract
