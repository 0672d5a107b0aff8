#include "properties/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "properties/errors.hpp"

namespace warpcheck::properties {
namespace {

using kernels::ArgumentWord;
using kernels::Layout;

std::int64_t given_dimension(const Case& problem, ArgumentWord word) {
  if (word == ArgumentWord::lda) return problem.lda;
  return word == ArgumentWord::ldb ? problem.ldb : problem.ldc;
}

/// "row 65 of 65 rows", for an index at or beyond a count.
std::string beyond(std::string_view what, std::int64_t index, std::int64_t count) {
  return fmt::format("{} {} of {} {}{}", what, index, count, what, count == 1 ? "" : "s");
}

/// Throws where the matrix is larger than the limit; multiplication is checked.
void check_size(const Case& problem, const Placement& matrix, std::string_view leading_field,
                std::size_t limit_bytes) {
  if (matrix.leading < matrix.line_length()) {
    throw case_error(problem, leading_field,
                     fmt::format("{}={} is less than the {} elements of a {} of {}", leading_field,
                                 matrix.leading, matrix.line_length(),
                                 matrix.layout == Layout::row ? "row" : "column", matrix.name));
  }
  std::int64_t elements = 0;  // up to the last line's last one
  std::int64_t bytes = 0;
  const bool overflows =
      __builtin_mul_overflow(std::max<std::int64_t>(matrix.lines() - 1, 0), matrix.leading,
                             &elements) ||
      __builtin_add_overflow(elements, matrix.line_length(), &elements) ||
      __builtin_mul_overflow(elements, static_cast<std::int64_t>(size_of(matrix.type)), &bytes);
  if (overflows || static_cast<std::uint64_t>(bytes) > limit_bytes) {
    throw case_error(
        problem, matrix.name == "B" ? "n" : "m",
        fmt::format("{} of {} x {} {} elements with leading dimension {} takes {} bytes: the "
                    "limit is {}",
                    matrix.name, matrix.rows, matrix.columns, name(matrix.type), matrix.leading,
                    overflows ? "more than 2^63" : fmt::to_string(bytes), limit_bytes));
  }
}

/// An element that a place touches; the first one outside the matrix if there is one.
struct Touched {
  std::int64_t line;
  std::int64_t position;  // in the line
};

}  // namespace

device::Extent Placement::extent() const {
  const std::size_t element = size_of(type);
  return {static_cast<std::size_t>(lines()), static_cast<std::size_t>(line_length()) * element,
          static_cast<std::size_t>(leading) * element};
}

std::size_t Placement::byte_of(std::int64_t row, std::int64_t column) const {
  const std::int64_t element =
      layout == Layout::row ? row * leading + column : column * leading + row;
  return static_cast<std::size_t>(element) * size_of(type);
}

std::string Placement::describe(const MemoryPlace& place) const {
  const auto element = static_cast<std::ptrdiff_t>(size_of(type));
  const auto end = static_cast<std::ptrdiff_t>(extent().bytes());
  if (end == 0) return fmt::format("{}, which is empty ({} x {})", name, rows, columns);
  if (place.offset < 0) {
    return fmt::format("{} byte{} before {}", -place.offset, place.offset == -1 ? "" : "s", name);
  }
  const auto at = [&](std::ptrdiff_t byte) {
    return Touched{byte / element / leading, byte / element % leading};
  };
  const auto inside = [&](const Touched& touched) {
    return touched.line < lines() && touched.position < line_length();
  };
  const auto bytes = static_cast<std::ptrdiff_t>(std::max<std::size_t>(place.bytes, 1));
  std::ptrdiff_t byte = place.offset;
  while (byte + element < place.offset + bytes && inside(at(byte))) byte += element;
  const std::ptrdiff_t last = place.offset + bytes - 1;
  if (inside(at(byte)) && !inside(at(last))) byte = last;  // it begins in the middle of an element
  const Touched touched = inside(at(byte)) ? at(place.offset) : at(byte);

  const bool by_row = layout == Layout::row;
  const std::int64_t row = by_row ? touched.line : touched.position;
  const std::int64_t column = by_row ? touched.position : touched.line;
  std::string text = fmt::format("{}[{}, {}]", name, row, column);
  if (inside(touched)) return text;
  text += ": " + (row >= rows ? beyond("row", row, rows) : beyond("column", column, columns));
  if (byte >= end) {
    text +=
        fmt::format(", {} byte{} past the end of {}", byte - end + 1, byte == end ? "" : "s", name);
  }
  return text;
}

std::int64_t tight_dimension(const kernels::Contract& contract, const Case& problem,
                             ArgumentWord word) {
  switch (word) {
    case ArgumentWord::lda:
      return contract.layout_a == Layout::row ? problem.k : problem.m;
    case ArgumentWord::ldb:
      return contract.layout_b == Layout::row ? problem.n : problem.k;
    default:
      return contract.layout_c == Layout::row ? problem.n : problem.m;
  }
}

std::int64_t leading_dimension(const kernels::Contract& contract, const Case& problem,
                               ArgumentWord word) {
  const std::int64_t given = contract.takes(word) ? given_dimension(problem, word) : 0;
  return given != 0 ? given : std::max<std::int64_t>(1, tight_dimension(contract, problem, word));
}

Case normalized(const kernels::Contract& contract, Case problem) {
  const auto tidy = [&](std::int64_t& field, std::initializer_list<ArgumentWord> words) {
    bool matters = false;
    for (const ArgumentWord word : words) {
      const bool tight =
          field == std::max<std::int64_t>(1, tight_dimension(contract, problem, word));
      matters = matters || (contract.takes(word) && !tight);
    }
    if (!matters) field = 0;
  };
  tidy(problem.lda, {ArgumentWord::lda});
  tidy(problem.ldb, {ArgumentWord::ldb});
  tidy(problem.ldc, {ArgumentWord::ldc, ArgumentWord::ldd});
  if (!contract.takes(ArgumentWord::alpha)) problem.alpha = 1.0;
  if (!contract.takes(ArgumentWord::beta)) problem.beta = 0.0;
  if (problem.property == "matches-reference") problem.property.clear();
  return problem;
}

Layouts lay_out(const kernels::Contract& contract, const Case& problem, std::size_t limit_bytes) {
  const auto leading = [&](ArgumentWord word) {
    return leading_dimension(contract, problem, word);
  };
  Layouts layouts;
  layouts.a = {"A",
               problem.m,
               problem.k,
               contract.layout_a,
               leading(ArgumentWord::lda),
               contract.type_a,
               problem.off_a};
  layouts.b = {"B",
               problem.k,
               problem.n,
               contract.layout_b,
               leading(ArgumentWord::ldb),
               contract.type_b,
               problem.off_b};
  layouts.c = {"C",
               problem.m,
               problem.n,
               contract.layout_c,
               leading(ArgumentWord::ldc),
               contract.type_c,
               problem.off_c};
  check_size(problem, layouts.a, "lda", limit_bytes);
  check_size(problem, layouts.b, "ldb", limit_bytes);
  check_size(problem, layouts.c, "ldc", limit_bytes);
  if (contract.takes(ArgumentWord::d)) {
    layouts.d = layouts.c;
    layouts.d->name = "D";
    layouts.d->leading = leading(ArgumentWord::ldd);
    check_size(problem, *layouts.d, "ldc", limit_bytes);
  }
  return layouts;
}

}  // namespace warpcheck::properties
