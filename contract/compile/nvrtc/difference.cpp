#include "contract/compile/nvrtc/difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "contract/source/cpp_token.hpp"

namespace warpcheck::contract {
namespace {

constexpr std::string_view kShared =
    "shared memory, whose addresses nvcc computes in 32 bits and NVRTC in 64";

// Functions that <cmath> overloads in another way than NVRTC does, and names of one compiler alone.
constexpr std::array<std::string_view, 18> kOtherNames = {
    "pow",   "fmod",     "fmax",           "fmin",      "atan2",  "hypot",
    "fdim",  "copysign", "remainder",      "nextafter", "scalbn", "ldexp",
    "frexp", "signbit",  "__CUDACC_RTC__", "__NVCC__",  "assert", "va_list"};

// The headers of the toolkit without code that depends on the compiler. Tests compare the PTX of
// their functions.
constexpr std::array<std::string_view, 10> kSameHeaders = {
    "cuda_fp16.h",    "cuda_fp16.hpp",      "cuda_bf16.h",
    "cuda_bf16.hpp",  "cuda_fp8.h",         "cuda_fp8.hpp",
    "cuda_runtime.h", "cuda_runtime_api.h", "device_launch_parameters.h",
    "vector_types.h"};

// Those that warpcheck-nvrtc has.
constexpr std::array<std::string_view, 4> kTypeHeaders = {"cstdint", "stdint.h", "cstddef",
                                                          "stddef.h"};

// The predefined macros with the same values.
constexpr std::array<std::string_view, 3> kSameMacros = {"__CUDA_ARCH__", "__CUDACC__",
                                                         "__cplusplus"};

template <class Range>
bool contains(const Range& range, std::string_view word) {
  return std::find(range.begin(), range.end(), word) != range.end();
}

/// True for an identifier that the implementation reserves, as those of its macros.
bool is_reserved(std::string_view word) {
  return word.size() > 1 && word[0] == '_' &&
         (word[1] == '_' || (word[1] >= 'A' && word[1] <= 'Z'));
}

std::optional<std::string> difference_of_word(std::string_view word) {
  if (word == "__shared__") return fmt::format("it uses {}", kShared);
  if (contains(kOtherNames, word))
    return fmt::format("it uses {}, which NVRTC defines otherwise", word);
  return std::nullopt;
}

std::optional<std::string> difference_of_include(const CppToken& directive) {
  const auto file = included_file(directive);
  if (!file || file->quoted || contains(kTypeHeaders, file->name) ||
      is_same_for_nvrtc(file->name)) {
    return std::nullopt;
  }
  return fmt::format("it includes <{}>", file->name);
}

/// `defined`: the macros that the source itself defines.
std::optional<std::string> difference_of_directive(const CppToken& directive,
                                                   const std::set<std::string_view>& defined) {
  const std::vector<CppToken> tokens = directive_tokens(directive);
  if (tokens.empty()) return std::nullopt;
  const std::string_view name = tokens.front().text;
  if (name == "include") return difference_of_include(directive);
  const bool is_condition = name == "if" || name == "ifdef" || name == "ifndef" || name == "elif";
  for (const CppToken& token : tokens) {
    const std::string_view word = token.text;
    if (auto difference = difference_of_word(word)) return difference;
    const bool is_predefined =
        is_reserved(word) && !contains(kSameMacros, word) && !defined.contains(word);
    if (is_condition && is_predefined) return fmt::format("it tests the macro {}", word);
  }
  return std::nullopt;
}

std::set<std::string_view> defined_macros(const std::vector<CppToken>& tokens) {
  std::set<std::string_view> defined;
  for (const CppToken& token : tokens) {
    if (token.kind != CppTokenKind::directive) continue;
    const std::vector<CppToken> parts = directive_tokens(token);
    if (parts.size() > 1 && parts.front().is("define")) defined.insert(parts[1].text);
  }
  return defined;
}

}  // namespace

std::optional<std::string> nvrtc_difference(std::string_view source) {
  const std::vector<CppToken> tokens = cpp_tokens(source);
  const std::set<std::string_view> defined = defined_macros(tokens);
  for (const CppToken& token : tokens) {
    std::optional<std::string> difference;
    if (token.kind == CppTokenKind::directive) {
      difference = difference_of_directive(token, defined);
    } else if (token.is_word()) {
      difference = difference_of_word(token.text);
    } else if (token.is("<<<")) {
      difference = "it has host code";
    }
    if (difference) return difference;
  }
  return std::nullopt;
}

std::optional<std::string> nvrtc_difference_in_ptx(std::string_view ptx) {
  if (ptx.find(".shared") != std::string_view::npos) return fmt::format("it uses {}", kShared);
  // Equal assembly of one function at several lines, as that of conversions of half precision.
  if (ptx.find("// begin inline asm") != std::string_view::npos) {
    return "it has inline assembly, for which NVRTC may name another line";
  }
  // An instance of a template is at another place among the functions. Those of mathematics are
  // not.
  constexpr std::string_view kFunction = "\n.func";
  for (std::size_t at = ptx.find(kFunction); at != std::string_view::npos;
       at = ptx.find(kFunction, at + 1)) {
    const std::string_view line = ptx.substr(at + 1, ptx.find('\n', at + 1) - at - 1);
    if (line.find(" __internal_") != std::string_view::npos) continue;
    return "it has a device function that is not inlined, which NVRTC may write at another place";
  }
  return std::nullopt;
}

bool is_same_for_nvrtc(std::string_view header) { return contains(kSameHeaders, header); }

}  // namespace warpcheck::contract
