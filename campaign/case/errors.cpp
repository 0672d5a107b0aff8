#include "campaign/case/errors.hpp"

#include <fmt/format.h>

#include <utility>

namespace warpcheck::campaign {

InputError case_error(const Case& problem, std::string_view field, std::string message) {
  Diagnostic diagnostic;
  diagnostic.message = std::move(message);
  diagnostic.excerpt = to_line(problem);
  diagnostic.where.file = std::string("case");
  diagnostic.where.line = 1;
  const std::size_t at = diagnostic.excerpt.find(fmt::format(" {}=", field));
  if (at != std::string::npos) diagnostic.where.column = static_cast<unsigned>(at + 2);
  return InputError(std::move(diagnostic));
}

}  // namespace warpcheck::campaign
