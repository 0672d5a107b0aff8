#include "contract/build/nvcc_flag.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/closest_word.hpp"

namespace warpcheck::contract {
namespace {

enum class Takes { nothing, value };

/// A flag that changes the code of a kernel, or the messages about it.
struct Allowed {
  std::string_view name;  // long spelling; the dashes are left out
  std::string_view abbreviation;
  Takes takes;
};

// CUDA Compiler Driver NVCC, "NVCC Command Options".
constexpr std::array kAllowed = {
    Allowed{"std", "std", Takes::value},
    Allowed{"optimize", "O", Takes::value},
    Allowed{"device-debug", "G", Takes::nothing},
    Allowed{"dopt", "dopt", Takes::value},
    Allowed{"Ofast-compile", "Ofc", Takes::value},
    Allowed{"debug", "g", Takes::nothing},
    Allowed{"generate-line-info", "lineinfo", Takes::nothing},
    Allowed{"use_fast_math", "use_fast_math", Takes::nothing},
    Allowed{"ftz", "ftz", Takes::value},
    Allowed{"prec-div", "prec-div", Takes::value},
    Allowed{"prec-sqrt", "prec-sqrt", Takes::value},
    Allowed{"fmad", "fmad", Takes::value},
    Allowed{"maxrregcount", "maxrregcount", Takes::value},
    Allowed{"extra-device-vectorization", "extra-device-vectorization", Takes::nothing},
    Allowed{"restrict", "restrict", Takes::nothing},
    Allowed{"expt-relaxed-constexpr", "expt-relaxed-constexpr", Takes::nothing},
    Allowed{"extended-lambda", "extended-lambda", Takes::nothing},
    Allowed{"expt-extended-lambda", "expt-extended-lambda", Takes::nothing},
    Allowed{"relocatable-device-code", "rdc", Takes::value},
    Allowed{"default-stream", "default-stream", Takes::value},
    Allowed{"undefine-macro", "U", Takes::value},
    Allowed{"ptxas-options", "Xptxas", Takes::value},
    Allowed{"allow-unsupported-compiler", "allow-unsupported-compiler", Takes::nothing},
    Allowed{"Werror", "Werror", Takes::value},
    Allowed{"diag-suppress", "diag-suppress", Takes::value},
    Allowed{"diag-warn", "diag-warn", Takes::value},
    Allowed{"diag-error", "diag-error", Takes::value},
    Allowed{"display-error-number", "err-no", Takes::nothing},
    Allowed{"no-display-error-number", "no-err-no", Takes::nothing},
    Allowed{"Wno-deprecated-gpu-targets", "Wno-deprecated-gpu-targets", Takes::nothing},
    Allowed{"Wno-deprecated-declarations", "Wno-deprecated-declarations", Takes::nothing},
    Allowed{"Wreorder", "Wreorder", Takes::nothing},
    Allowed{"Wext-lambda-captures-this", "Wext-lambda-captures-this", Takes::nothing},
};

struct Refused {
  std::string_view name;
  std::string_view reason;
};

constexpr std::string_view kOutput = "warpcheck chooses what nvcc writes";
constexpr std::string_view kProgram = "warpcheck compiles no host code and runs no other programs";
constexpr std::string_view kArch = "write `arch = \"sm_90\"`";
constexpr std::string_view kInclude = "write `include = [\"FOLDER\"]`";
constexpr std::string_view kDefines = "write `defines = { NAME = VALUE }`";

constexpr std::array kRefused = {
    Refused{"output-file", kOutput},
    Refused{"o", kOutput},
    Refused{"output-directory", kOutput},
    Refused{"odir", kOutput},
    Refused{"ptx", kOutput},
    Refused{"cubin", kOutput},
    Refused{"fatbin", kOutput},
    Refused{"optix-ir", kOutput},
    Refused{"ltoir", kOutput},
    Refused{"dlto", kOutput},
    Refused{"cuda", kOutput},
    Refused{"preprocess", kOutput},
    Refused{"E", kOutput},
    Refused{"compile", kOutput},
    Refused{"c", kOutput},
    Refused{"device-c", kOutput},
    Refused{"dc", kOutput},
    Refused{"device-w", kOutput},
    Refused{"dw", kOutput},
    Refused{"device-link", kOutput},
    Refused{"dlink", kOutput},
    Refused{"link", kOutput},
    Refused{"lib", kOutput},
    Refused{"generate-dependencies", kOutput},
    Refused{"M", kOutput},
    Refused{"MM", kOutput},
    Refused{"MD", kOutput},
    Refused{"MMD", kOutput},
    Refused{"MF", kOutput},
    Refused{"MT", kOutput},
    Refused{"MP", kOutput},
    Refused{"keep", kOutput},
    Refused{"keep-dir", kOutput},
    Refused{"time", kOutput},
    Refused{"dryrun", kOutput},
    Refused{"clean-targets", kOutput},
    Refused{"disable-warnings", "warpcheck reads the warnings"},
    Refused{"w", "warpcheck reads the warnings"},
    Refused{"run", kProgram},
    Refused{"compiler-bindir", kProgram},
    Refused{"ccbin", kProgram},
    Refused{"compiler-options", kProgram},
    Refused{"Xcompiler", kProgram},
    Refused{"linker-options", kProgram},
    Refused{"Xlinker", kProgram},
    Refused{"archive-options", kProgram},
    Refused{"Xarchive", kProgram},
    Refused{"library", kProgram},
    Refused{"l", kProgram},
    Refused{"library-path", kProgram},
    Refused{"L", kProgram},
    Refused{"options-file", "write its options here"},
    Refused{"optf", "write its options here"},
    Refused{"x", "the source is CUDA C++"},
    Refused{"gpu-architecture", kArch},
    Refused{"arch", kArch},
    Refused{"gpu-code", kArch},
    Refused{"code", kArch},
    Refused{"generate-code", kArch},
    Refused{"gencode", kArch},
    Refused{"include-path", kInclude},
    Refused{"I", kInclude},
    Refused{"system-include", kInclude},
    Refused{"isystem", kInclude},
    Refused{"define-macro", kDefines},
    Refused{"D", kDefines},
};

/// "std" of "--std=c++20".
std::string_view name_of(std::string_view flag) {
  flag.remove_prefix(std::min(flag.find_first_not_of('-'), flag.size()));
  return flag.substr(0, flag.find('='));
}

const Allowed* find_allowed(std::string_view flag) {
  const std::string_view name = name_of(flag);
  for (const Allowed& row : kAllowed) {
    if (name == row.name || name == row.abbreviation) return &row;
  }
  // The value can follow these two directly: -O2, -UNDEBUG.
  const bool joined = flag.size() > 2 && (flag.starts_with("-O") || flag.starts_with("-U"));
  return joined && !flag.starts_with("-Of") ? find_allowed(flag.substr(0, 2)) : nullptr;
}

const Refused* find_refused(std::string_view flag) {
  const std::string_view name = name_of(flag);
  for (const Refused& row : kRefused) {
    if (name == row.name) return &row;
  }
  // The value can follow a flag of one letter directly: -DTILE=8.
  if (flag.size() < 3 || flag[1] == '-') return nullptr;
  constexpr std::string_view kJoined = "DILl";
  return kJoined.find(flag[1]) == std::string_view::npos ? nullptr
                                                         : find_refused(flag.substr(0, 2));
}

bool expects_value(std::string_view flag) {
  const Allowed* row = find_allowed(flag);
  if (row == nullptr || row->takes == Takes::nothing) return false;
  const std::string_view name = name_of(flag);
  return flag.find('=') == std::string_view::npos &&
         (name == row->name || name == row->abbreviation);
}

std::string unknown_flag(std::string_view flag) {
  std::vector<std::string_view> names;
  for (const Allowed& row : kAllowed) names.push_back(row.name);
  const auto close = nearest(name_of(flag), names);
  return close ? fmt::format("unknown flag '{}': did you mean '--{}'?", flag, *close)
               : fmt::format("unknown flag '{}': expected one of --{}", flag,
                             fmt::join(names, ", --"));
}

}  // namespace

std::optional<std::string> shell_error(std::string_view text) {
  constexpr std::string_view kForbidden = "$`\\\"";
  const auto found = std::find_if(text.begin(), text.end(), [&](char c) {
    const auto code = static_cast<unsigned char>(c);
    return code < 0x20 || code == 0x7f || kForbidden.find(c) != std::string_view::npos;
  });
  if (found == text.end()) return std::nullopt;
  if (kForbidden.find(*found) == std::string_view::npos) return "a control character";
  return fmt::format("the character {}", *found);
}

std::optional<std::string> flag_error(const std::vector<std::string>& flags, std::size_t index) {
  const std::string& flag = flags[index];
  if (const auto error = shell_error(flag)) {
    return fmt::format("{} in a flag: nvcc hands its arguments to a shell", *error);
  }
  const bool is_value = index > 0 && expects_value(flags[index - 1]);
  if (is_value && !flag.starts_with('-')) return std::nullopt;
  if (is_value && name_of(flags[index - 1]) == "Xptxas") return std::nullopt;
  if (flag.size() < 2 || flag.front() != '-') {
    return fmt::format("'{}' is not a flag, which begins with '-'", flag);
  }
  if (flag.find(' ') != std::string::npos) {
    return fmt::format("'{}' has a blank: expected one string for each argument of nvcc", flag);
  }
  const Refused* refused = find_refused(flag);
  if (refused != nullptr && find_allowed(flag) == nullptr) {
    return fmt::format("flag '{}': {}", flag, refused->reason);
  }
  if (find_allowed(flag) == nullptr) return unknown_flag(flag);
  if (expects_value(flag) && index + 1 == flags.size()) {
    return fmt::format("flag '{}' without its value", flag);
  }
  return std::nullopt;
}

}  // namespace warpcheck::contract
