#include "device/cuda/jit_log.hpp"

#include <charconv>
#include <sstream>
#include <string_view>
#include <utility>

namespace warpcheck::device::cuda {

std::vector<Diagnostic> parse_jit_log(const std::string& log, const std::string& ptx,
                                      const std::string& file) {
  std::vector<Diagnostic> diagnostics;
  std::istringstream lines(log);
  constexpr std::string_view kBefore = "ptx input, line ";
  for (std::string line; std::getline(lines, line);) {
    const std::size_t number_at = line.find(kBefore);
    if (number_at == std::string::npos) continue;
    unsigned number = 0;
    const char* first = line.data() + number_at + kBefore.size();
    if (std::from_chars(first, line.data() + line.size(), number).ec != std::errc()) continue;
    const std::size_t colon = line.find(": ", number_at);
    Diagnostic diagnostic;
    diagnostic.where = {file, number, 0};
    diagnostic.message = "ptxas: " + (colon == std::string::npos ? line : line.substr(colon + 2));
    diagnostic.excerpt = line_of(ptx, number);
    diagnostics.push_back(std::move(diagnostic));
  }
  if (diagnostics.empty()) {
    Diagnostic diagnostic;
    diagnostic.where.file = file;
    diagnostic.message =
        "the driver rejects the PTX: " + log.substr(0, log.find_last_not_of(" \n") + 1);
    diagnostics.push_back(std::move(diagnostic));
  }
  return diagnostics;
}

}  // namespace warpcheck::device::cuda
