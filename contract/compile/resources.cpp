#include "contract/compile/resources.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <utility>

#include "base/diagnostic.hpp"
#include "base/process/child_process.hpp"
#include "contract/compile/assembly.hpp"

namespace warpcheck::contract {
namespace {

/// The number before `words` on a line; 0 if the line does not have them.
std::size_t number_before(std::string_view line, std::string_view words) {
  const std::size_t end = line.find(words);
  if (end == std::string_view::npos) return 0;
  std::size_t begin = end;
  while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') --begin;
  std::size_t value = 0;
  std::from_chars(line.data() + begin, line.data() + end, value);
  return value;
}

}  // namespace

std::optional<Resources> read_resources(std::string_view output, std::string_view entry) {
  const std::string head = fmt::format("Compiling entry function '{}'", entry);
  std::size_t begin = output.find(head);
  if (begin == std::string_view::npos) return std::nullopt;
  output.remove_prefix(begin + head.size());
  output = output.substr(0, output.find("Compiling entry function"));
  Resources resources;
  resources.registers = static_cast<unsigned>(number_before(output, " registers"));
  resources.shared_bytes = number_before(output, " bytes smem");
  resources.spill_bytes = number_before(output, " bytes spill stores");
  return resources;
}

std::string assemble(const Compiled& compiled, const std::string& architecture) {
  ChildResult result = run_child({find_ptxas().string(), "-v", "--gpu-name", architecture, "-o",
                                  "/dev/null", compiled.ptx_file});
  if (result.status == 0) return std::move(result.output);
  throw EnvironmentError(
      fmt::format("ptxas ended with status {}: {}", result.status, result.output));
}

}  // namespace warpcheck::contract
