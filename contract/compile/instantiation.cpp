#include "contract/compile/instantiation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <memory>

#include "base/files.hpp"
#include "base/text/demangle.hpp"

namespace warpcheck::contract {
namespace {

/// The place of the parenthesis that the last character closes; npos if it closes none.
std::size_t opening_of_last(std::string_view text) {
  if (!text.ends_with(')')) return std::string_view::npos;
  int depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    if (text[i] == ')') ++depth;
    if (text[i] == '(' && --depth == 0) return i;
  }
  return std::string_view::npos;
}

/// A call of pick(), which prefers the overload with as many parameters as the launch has
/// arguments; or a cast, if the contract selects the overload by parameter types ("sgemm(float*,
/// int)").
std::string kernel_address(const LaunchStep& step) {
  const std::string& kernel = step.kernel;
  const std::size_t parameters = opening_of_last(kernel);
  if (parameters != std::string::npos && parameters > 0) {
    return fmt::format("static_cast<void (*){}>(&{})", kernel.substr(parameters),
                       kernel.substr(0, parameters));
  }
  return fmt::format("warpcheck_kernels::Parameters<{}>::pick(&{}, 0)", step.arguments.size(),
                     kernel);
}

/// Parameters<N>::pick for one N: it prefers N parameters, and accepts any number.
std::string pick_of(std::size_t count) {
  std::string names;
  std::string list;
  for (std::size_t i = 0; i < count; ++i) {
    names += fmt::format("{}class WarpcheckP{}", i == 0 ? "template <" : ", ", i);
    list += fmt::format("{}WarpcheckP{}", i == 0 ? "" : ", ", i);
  }
  if (count != 0) names += "> ";
  return fmt::format(
      "template <> struct Parameters<{0}> {{ "
      "{1}__host__ __device__ static constexpr auto pick(void (*kernel)({2}), int) {{ return "
      "kernel; }} "
      "template <class... WarpcheckP> "
      "__host__ __device__ static constexpr auto pick(void (*kernel)(WarpcheckP...), long) {{ "
      "return kernel; }} }};",
      count, names, list);
}

/// The lines before the uses: the include, and one line for each number of arguments.
std::vector<std::string> opening_lines(const std::string& source_file,
                                       std::span<const LaunchStep> steps) {
  std::vector<std::size_t> counts;
  for (const LaunchStep& step : steps) counts.push_back(step.arguments.size());
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  std::vector<std::string> lines = {
      fmt::format("#include {}", quoted_include(source_file)), "namespace warpcheck_kernels {",
      "template <int WarpcheckIndex, auto WarpcheckKernel> __device__ char entry;",
      "template <int WarpcheckCount> struct Parameters;"};
  for (const std::size_t count : counts) lines.push_back(pick_of(count));
  lines.emplace_back("}");
  return lines;
}

/// "...entry<3, &(void sgemm<8>(float*))>" -> 3 and "void sgemm<8>(float*)".
struct Use {
  std::size_t index = 0;
  std::string function;
};
std::optional<Use> parse_use(const std::string& demangled) {
  constexpr std::string_view kOpening = "warpcheck_kernels::entry<";
  const std::size_t found = demangled.find(kOpening);
  if (found == std::string::npos || !demangled.ends_with('>')) return std::nullopt;
  Use use;
  const char* const begin = demangled.data() + found + kOpening.size();
  const char* const end = demangled.data() + demangled.size() - 1;
  const auto [stop, error] = std::from_chars(begin, end, use.index);
  std::string_view function(stop, static_cast<std::size_t>(end - stop));
  function.remove_prefix(std::min(function.find_first_not_of(", "), function.size()));
  if (error != std::errc() || !function.starts_with('&')) return std::nullopt;
  function.remove_prefix(1);
  if (opening_of_last(function) == 0) function = function.substr(1, function.size() - 2);
  use.function = function;
  return use;
}

std::vector<Use> uses_in(std::string_view text) {
  std::vector<Use> uses;
  for (const std::string_view name :
       ptx::module_identifiers_containing(text, "17warpcheck_kernels5entryI")) {
    if (auto use = parse_use(demangle(std::string(name)))) uses.push_back(std::move(*use));
  }
  return uses;
}

/// Finds the entry with the demangled name of the use. The names of extern "C" functions and of
/// members of an unnamed namespace differ in the use: for them the name without signature decides,
/// then the number of parameters.
std::optional<Entry> entry_of(const Use& use, const LaunchStep& step,
                              const std::vector<Entry>& entries) {
  std::vector<const Entry*> same_name;
  for (const Entry& entry : entries) {
    const std::string demangled = demangle(entry.name);
    if (demangled == use.function) return entry;
    if (without_signature(demangled) == without_signature(use.function)) {
      same_name.push_back(&entry);
    }
  }
  if (same_name.size() > 1) {
    std::erase_if(same_name, [&](const Entry* entry) {
      return entry->parameters.size() != step.arguments.size();
    });
  }
  if (same_name.size() != 1) return std::nullopt;
  return *same_name.front();
}

}  // namespace

std::string_view without_signature(std::string_view function) {
  const std::size_t parameters = opening_of_last(function);
  if (parameters != std::string_view::npos && parameters > 0) {
    function = function.substr(0, parameters);
  }
  if (function.starts_with("void ")) function.remove_prefix(5);
  return function;
}

std::string quoted_include(const std::filesystem::path& file) {
  const std::string name = file.string();
  const bool quotes = name.find('"') != std::string::npos;
  if (name.find('\n') != std::string::npos || (quotes && name.find('>') != std::string::npos)) {
    throw file_error(file,
                     "found a name that no #include can have: rename this file or its folder "
                     "(a line feed, or both \" and >)");
  }
  return quotes ? "<" + name + ">" : "\"" + name + "\"";
}

std::string instantiating_text(const std::string& source_file, std::span<const LaunchStep> steps) {
  std::string text;
  for (const std::string& line : opening_lines(source_file, steps)) text += line + "\n";
  for (std::size_t i = 0; i < steps.size(); ++i) {
    text += fmt::format("template __device__ char warpcheck_kernels::entry<{}, {}>;\n", i,
                        kernel_address(steps[i]));
  }
  return text;
}

std::vector<std::optional<std::string>> errors_of_uses(std::string_view nvcc_output,
                                                       const std::filesystem::path& text_file,
                                                       std::span<const LaunchStep> steps) {
  const std::size_t first_use = opening_lines("", steps).size() + 1;
  std::vector<std::optional<std::string>> found(steps.size());
  const std::string opening = text_file.string() + "(";
  while (!nvcc_output.empty()) {
    const std::string_view line = nvcc_output.substr(0, nvcc_output.find('\n'));
    nvcc_output.remove_prefix(std::min(line.size() + 1, nvcc_output.size()));
    constexpr std::string_view kError = "): error";
    const std::size_t error = line.find(kError);
    if (error == std::string_view::npos) continue;
    std::size_t number = 0;
    if (line.starts_with(opening)) {
      std::from_chars(line.data() + opening.size(), line.data() + error, number);
    }
    if (number < first_use || number - first_use >= steps.size()) return {};
    std::optional<std::string>& first_error = found[number - first_use];
    const std::size_t message = line.find(": ", error + kError.size() - 1);
    if (!first_error) first_error = line.substr(std::min(message + 2, line.size()));
  }
  return found;
}

std::vector<std::optional<Entry>> instantiated_entries(std::string_view text,
                                                       std::span<const LaunchStep> steps) {
  const std::vector<Entry> entries = ptx::entry_points(text);
  std::vector<std::optional<Entry>> found(steps.size());
  for (const Use& use : uses_in(text)) {
    if (use.index >= found.size() || found[use.index]) continue;
    found[use.index] = entry_of(use, steps[use.index], entries);
    if (found[use.index]) found[use.index]->signature = use.function;
  }
  return found;
}

}  // namespace warpcheck::contract
