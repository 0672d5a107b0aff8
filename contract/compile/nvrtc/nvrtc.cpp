#include "contract/compile/nvrtc/nvrtc.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

#include "base/files.hpp"
#include "base/process/child_process.hpp"
#include "base/process/temporary_folder.hpp"
#include "contract/compile/nvrtc/difference.hpp"
#include "contract/one_processor.hpp"

namespace warpcheck::contract {

namespace fs = std::filesystem;

namespace {

constexpr int kRefuses = 1;  // exit status of warpcheck-nvrtc

/// The first libnvrtc.so of the toolkit; empty if there is none.
fs::path library_of(const fs::path& toolkit) {
  for (const char* folder :
       {"lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"}) {
    std::vector<fs::path> found;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(toolkit / folder, ignored)) {
      if (entry.path().filename().string().starts_with("libnvrtc.so"))
        found.push_back(entry.path());
    }
    if (!found.empty()) return *std::min_element(found.begin(), found.end());
  }
  return {};
}

/// warpcheck-nvrtc in the folder of this program, or where an installation or a build has it.
fs::path find_helper() {
  std::error_code ignored;
  const fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const char* place : {".", "../libexec/warpcheck", "../bin"}) {
    fs::path helper = folder / place / "warpcheck-nvrtc";
    if (fs::exists(helper, ignored)) return helper.lexically_normal();
  }
  return {};
}

/// The option of NVRTC for a flag of nvcc; "" if NVRTC needs none, empty if it has none.
std::optional<std::string> option_of(const std::string& flag) {
  constexpr std::array kSame = {"-I",          "-D",           "-U",
                                "-std=",       "-lineinfo",    "-fmad=",
                                "-ftz=",       "--fmad=",      "-prec-div=",
                                "-prec-sqrt=", "--ftz=",       "-use_fast_math",
                                "--prec-div=", "--prec-sqrt=", "--use_fast_math"};
  constexpr std::string_view kArchitecture = "-arch=sm_";
  if (flag == "-O3") return "";
  if (flag.starts_with(kArchitecture)) return "-arch=compute_" + flag.substr(kArchitecture.size());
  const auto known = std::any_of(kSame.begin(), kSame.end(),
                                 [&](const char* begin) { return flag.starts_with(begin); });
  return known ? std::optional(flag) : std::nullopt;
}

/// NVRTC makes the instance of a kernel template weak, nvcc makes it visible.
std::string with_visible_entries(std::string_view ptx) {
  std::string result;
  while (!ptx.empty()) {
    std::string_view line = ptx.substr(0, ptx.find('\n') + 1);
    if (line.empty()) line = ptx;
    ptx.remove_prefix(line.size());
    for (const auto& [weak, visible] :
         {std::pair<std::string_view, std::string_view>{".weak .entry", ".visible .entry"},
          {"\t// .weak\t", "\t// .globl\t"}}) {
      if (!line.starts_with(weak)) continue;
      result += visible;
      line.remove_prefix(weak.size());
    }
    result += line;
  }
  return result;
}

/// "Cuda compilation tools, release 13.0, V13.0.88"
std::string_view version_in(std::string_view ptx) {
  const std::size_t at = ptx.find("Cuda compilation tools");
  return at == std::string_view::npos ? std::string_view()
                                      : ptx.substr(at, ptx.find('\n', at) - at);
}

bool is_below(const fs::path& file, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first ==
         folder.end();
}

NvrtcRun refused(std::string reason) { return {{}, std::move(reason), {}}; }

}  // namespace

Nvrtc::Nvrtc(const fs::path& nvcc, std::string nvcc_version, const fs::path& library)
    : nvcc_version_(std::move(nvcc_version)) {
  const char* const chosen = std::getenv("WARPCHECK_NVRTC");
  if (chosen != nullptr && std::string_view(chosen) == "off") return;
  std::error_code failed;
  toolkit_ = fs::canonical(nvcc, failed).parent_path().parent_path();
  helper_ = find_helper();
  if (failed || helper_.empty() || !fs::exists(toolkit_ / "include/cuda_runtime.h", failed)) return;
  library_ = library.empty() ? library_of(toolkit_) : library;
}

NvrtcRun Nvrtc::compile(const fs::path& text_file, std::string_view source,
                        const std::vector<std::string>& flags) const {
  if (library_.empty()) return refused("there is no NVRTC beside nvcc");
  if (auto difference = nvrtc_difference(source)) return refused(std::move(*difference));
  const TemporaryFolder folder;
  const fs::path ptx_file = folder.path() / "ptx";
  const fs::path files = folder.path() / "files";
  std::vector<std::string> command = {helper_.string(), library_.string(), text_file.string(),
                                      ptx_file.string(), files.string()};
  std::string standard;  // the last one counts
  for (const std::string& flag : flags) {
    const auto option = option_of(flag);
    if (!option) return refused(fmt::format("NVRTC has no option {}", flag));
    if (option->starts_with("-std=")) standard = *option;
    if (!option->empty() && standard != *option) command.push_back(*option);
  }
  command.push_back(standard);
  command.push_back("-I" + (toolkit_ / "include").string());

  const OneProcessor processor;
  const ChildResult result = run_child(command);
  if (result.status > kRefuses) {
    return refused(fmt::format("NVRTC ended with status {}", result.status));
  }
  if (result.status == kRefuses || !result.output.empty()) {
    return refused("NVRTC: " + result.output.substr(0, result.output.find('\n')));
  }
  NvrtcRun run{with_visible_entries(read_file(ptx_file).value_or("")), {}, {}};
  if (nvcc_version_.find(version_in(run.ptx)) == std::string::npos || version_in(run.ptx).empty()) {
    return refused("NVRTC has another version than nvcc");
  }
  if (auto difference = nvrtc_difference_in_ptx(run.ptx)) return refused(std::move(*difference));
  std::istringstream lines(read_file(files).value_or(""));
  for (std::string line; std::getline(lines, line);) {
    const fs::path file = fs::absolute(line).lexically_normal();
    if (file == text_file.lexically_normal()) continue;
    if (is_below(file, toolkit_ / "include")) {
      if (is_same_for_nvrtc(file.filename().string())) continue;
      return refused(fmt::format("it includes <{}>", file.filename().string()));
    }
    if (auto difference = nvrtc_difference(read_file(file).value_or(""))) {
      return refused(fmt::format("{}: {}", file.string(), *difference));
    }
    run.dependencies.push_back(file);
  }
  if (run.dependencies.empty()) return refused("NVRTC did not list the files that it read");
  return run;
}

}  // namespace warpcheck::contract
