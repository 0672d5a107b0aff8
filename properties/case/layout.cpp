#include "properties/case/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "properties/case/errors.hpp"

namespace warpcheck::properties {
namespace {

using contract::ArgumentWord;
using contract::Contract;
using contract::Layout;

/// THE table of what a case says of one operand's place in memory.
struct OperandFields {
  std::string_view name;
  Layout Contract::*layout;
  ScalarType Contract::*type;
  std::int64_t Case::*rows;
  std::int64_t Case::*columns;
  std::int64_t Case::*leading;
  std::int64_t Case::*stride;
  std::int64_t Case::*offset;
  bool Case::*transposed;  // null: never
  ArgumentWord leading_word;
  ArgumentWord stride_word;
  std::string_view leading_field;
  std::string_view stride_field;
  std::string_view rows_field;
};

/// Of a batch: empty ones take no memory, but each is drawn and judged.
constexpr std::int64_t kMostProducts = std::int64_t{1} << 20;

constexpr auto kMostBytes = static_cast<std::int64_t>(device::kMostBufferBytes);

constexpr OperandFields kA{"A",
                           &Contract::layout_a,
                           &Contract::type_a,
                           &Case::m,
                           &Case::k,
                           &Case::lda,
                           &Case::stride_a,
                           &Case::off_a,
                           &Case::ta,
                           ArgumentWord::lda,
                           ArgumentWord::stride_a,
                           "lda",
                           "stride_a",
                           "m"};
constexpr OperandFields kB{"B",
                           &Contract::layout_b,
                           &Contract::type_b,
                           &Case::k,
                           &Case::n,
                           &Case::ldb,
                           &Case::stride_b,
                           &Case::off_b,
                           &Case::tb,
                           ArgumentWord::ldb,
                           ArgumentWord::stride_b,
                           "ldb",
                           "stride_b",
                           "n"};
constexpr OperandFields kC{"C",
                           &Contract::layout_c,
                           &Contract::type_c,
                           &Case::m,
                           &Case::n,
                           &Case::ldc,
                           &Case::stride_c,
                           &Case::off_c,
                           nullptr,
                           ArgumentWord::ldc,
                           ArgumentWord::stride_c,
                           "ldc",
                           "stride_c",
                           "m"};
constexpr OperandFields kD{"D",
                           &Contract::layout_c,
                           &Contract::type_c,
                           &Case::m,
                           &Case::n,
                           &Case::ldc,
                           &Case::stride_c,
                           &Case::off_c,
                           nullptr,
                           ArgumentWord::ldd,
                           ArgumentWord::stride_d,
                           "ldc",
                           "stride_c",
                           "m"};

const OperandFields& operand(ArgumentWord word) {
  for (const OperandFields* fields : {&kA, &kB, &kC}) {
    if (word == fields->leading_word || word == fields->stride_word) return *fields;
  }
  return kD;
}

/// "row 65 of 65 rows", for an index at or beyond a count.
std::string beyond(std::string_view what, std::int64_t index, std::int64_t count) {
  return fmt::format("{} {} of {} {}{}", what, index, count, what, count == 1 ? "" : "s");
}

/// About what a far matrix takes: whole pages of a line and of its shadow.
std::int64_t bytes_of_lines(const Placement& matrix) {
  constexpr std::int64_t kPage = 4096;
  const std::int64_t line =
      matrix.line_length() * static_cast<std::int64_t>(size_of(matrix.type)) + 2 * kPage;
  std::int64_t bytes = 0;
  const bool overflows =
      __builtin_mul_overflow(matrix.lines(), line, &bytes) ||
      __builtin_mul_overflow(bytes, std::max<std::int64_t>(matrix.batch, 1), &bytes);
  return overflows ? std::numeric_limits<std::int64_t>::max() : bytes;
}

/// Throws where the matrix is larger than the limit; multiplication is checked.
void check_size(const Case& problem, Placement& matrix, const OperandFields& fields,
                std::size_t limit_bytes) {
  const std::string_view leading_field = fields.leading_field;
  if (matrix.leading < matrix.line_length()) {
    throw case_error(problem, leading_field,
                     fmt::format("{}={} is less than the {} elements of a {} of {}", leading_field,
                                 matrix.leading, matrix.line_length(),
                                 matrix.layout == Layout::row ? "row" : "column", matrix.name));
  }
  if (matrix.batch > 1 && matrix.lines() > 0 && matrix.stride / matrix.lines() < matrix.leading) {
    throw case_error(
        problem, fields.stride_field,
        fmt::format("{}={} is less than the {} lines of {} elements of {}", fields.stride_field,
                    matrix.stride, matrix.lines(), matrix.leading, matrix.name));
  }
  std::int64_t elements = 0;  // up to the last line's last one
  std::int64_t before = 0;    // of the matrices before the last
  std::int64_t bytes = 0;
  const bool overflows =
      __builtin_mul_overflow(std::max<std::int64_t>(matrix.lines() - 1, 0), matrix.leading,
                             &elements) ||
      __builtin_add_overflow(elements, matrix.line_length(), &elements) ||
      __builtin_mul_overflow(std::max<std::int64_t>(matrix.batch - 1, 0), matrix.stride, &before) ||
      __builtin_add_overflow(elements, before, &elements) ||
      __builtin_mul_overflow(elements, static_cast<std::int64_t>(size_of(matrix.type)), &bytes);
  const bool large = overflows || static_cast<std::uint64_t>(bytes) > limit_bytes;
  // Lines that there are: of none, nothing lies far apart, but its rows or columns may be billions.
  matrix.far = large && !overflows && bytes <= kMostBytes && matrix.lines() > 0 &&
               static_cast<std::uint64_t>(bytes_of_lines(matrix)) <= limit_bytes;
  if (large && !matrix.far) {
    throw case_error(
        problem, fields.rows_field,
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
          static_cast<std::size_t>(leading) * element, static_cast<std::size_t>(batch),
          static_cast<std::size_t>(stride) * element};
}

std::size_t Placement::byte_of(std::int64_t row, std::int64_t column) const {
  const std::int64_t matrix = row / rows;
  row %= rows;
  const std::int64_t element =
      matrix * stride + (layout == Layout::row ? row * leading + column : column * leading + row);
  return static_cast<std::size_t>(element) * size_of(type);
}

std::size_t Placement::index_of(std::int64_t row, std::int64_t column) const {
  return far ? extent().packed_from(byte_of(row, column)) : byte_of(row, column);
}

std::string Placement::element(std::int64_t row, std::int64_t column) const {
  if (vector) return fmt::format("{}[{}]", name, column);
  if (!batched) return fmt::format("{}[{}, {}]", name, row, column);
  return fmt::format("{}[{}][{}, {}]", name, row / rows, row % rows, column);
}

std::string Placement::describe(const MemoryPlace& place) const {
  const auto element = static_cast<std::ptrdiff_t>(size_of(type));
  const auto end = static_cast<std::ptrdiff_t>(extent().bytes());
  if (end == 0) return fmt::format("{}, which is empty ({} x {})", name, rows, columns);
  if (place.offset < 0) {
    return fmt::format("{} byte{} before {}", -place.offset, place.offset == -1 ? "" : "s", name);
  }
  const std::int64_t matrix =
      batch > 1 ? std::min<std::int64_t>(place.offset / element / stride, batch - 1) : 0;
  const auto at = [&](std::ptrdiff_t byte) {
    const std::int64_t index = byte / element - matrix * stride;
    return vector ? Touched{0, index} : Touched{index / leading, index % leading};
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
  const std::string number = batched ? fmt::format("[{}]", matrix) : "";
  std::string text = vector ? fmt::format("{}[{}]", name, column)
                            : fmt::format("{}{}[{}, {}]", name, number, row, column);
  if (inside(touched)) return text;
  text += ": " + (row >= rows ? beyond("row", row, rows)
                              : beyond(vector ? "element" : "column", column, columns));
  if (byte >= end) {
    text +=
        fmt::format(", {} byte{} past the end of {}", byte - end + 1, byte == end ? "" : "s", name);
  }
  return text;
}

Layout layout_of(const Contract& contract, const Case& problem, ArgumentWord word) {
  const OperandFields& fields = operand(word);
  const Layout layout = contract.*fields.layout;
  if (fields.transposed == nullptr || !(problem.*fields.transposed)) return layout;
  return layout == Layout::row ? Layout::column : Layout::row;
}

std::int64_t tight_dimension(const Contract& contract, const Case& problem, ArgumentWord word) {
  const OperandFields& fields = operand(word);
  return layout_of(contract, problem, word) == Layout::row ? problem.*fields.columns
                                                           : problem.*fields.rows;
}

std::int64_t leading_dimension(const Contract& contract, const Case& problem, ArgumentWord word) {
  const std::int64_t given = contract.takes(word) ? problem.*operand(word).leading : 0;
  return given != 0 ? given : std::max<std::int64_t>(1, tight_dimension(contract, problem, word));
}

std::int64_t tight_stride(const Contract& contract, const Case& problem, ArgumentWord word) {
  const OperandFields& fields = operand(word);
  const std::int64_t lines = layout_of(contract, problem, word) == Layout::row
                                 ? problem.*fields.rows
                                 : problem.*fields.columns;
  std::int64_t result = 0;
  const std::int64_t leading = leading_dimension(contract, problem, fields.leading_word);
  return __builtin_mul_overflow(lines, leading, &result) ? std::numeric_limits<std::int64_t>::max()
                                                         : result;
}

std::int64_t stride(const Contract& contract, const Case& problem, ArgumentWord word) {
  const std::int64_t given = contract.takes(word) ? problem.*operand(word).stride : 0;
  return given != 0 ? given : tight_stride(contract, problem, word);
}

Case normalized(const Contract& contract, Case problem) {
  if (!contract.takes(ArgumentWord::ta)) problem.ta = false;
  if (!contract.takes(ArgumentWord::tb)) problem.tb = false;
  if (!contract.takes(ArgumentWord::batch)) problem.batch = 1;
  const auto tidy = [&](std::int64_t& field, auto tight,
                        std::initializer_list<ArgumentWord> words) {
    const bool matters = std::any_of(words.begin(), words.end(), [&](ArgumentWord word) {
      return contract.takes(word) && field != tight(contract, problem, word);
    });
    if (!matters) field = 0;
  };
  const auto leading = [](const Contract& given, const Case& line, ArgumentWord word) {
    return std::max<std::int64_t>(1, tight_dimension(given, line, word));
  };
  tidy(problem.lda, leading, {ArgumentWord::lda});
  tidy(problem.ldb, leading, {ArgumentWord::ldb});
  tidy(problem.ldc, leading, {ArgumentWord::ldc, ArgumentWord::ldd});
  tidy(problem.stride_a, tight_stride, {ArgumentWord::stride_a});
  tidy(problem.stride_b, tight_stride, {ArgumentWord::stride_b});
  tidy(problem.stride_c, tight_stride, {ArgumentWord::stride_c, ArgumentWord::stride_d});
  if (!contract.takes(ArgumentWord::bias)) problem.off_bias = 0;
  if (!contract.takes(ArgumentWord::alpha)) problem.alpha = 1.0;
  if (!contract.takes(ArgumentWord::beta)) problem.beta = 0.0;
  if (problem.property == "matches-reference") problem.property.clear();
  return problem;
}

std::string_view ignored_field(const Contract& contract, const Case& problem) {
  const Case kept = normalized(contract, problem);
  if (kept.ta != problem.ta) return "ta";
  if (kept.tb != problem.tb) return "tb";
  if (kept.batch != problem.batch) return "batch";
  for (const OperandFields* fields : {&kA, &kB, contract.takes(ArgumentWord::ldc) ? &kC : &kD}) {
    if (kept.*fields->leading != problem.*fields->leading &&
        problem.*fields->leading != leading_dimension(contract, kept, fields->leading_word)) {
      return fields->leading_field;
    }
  }
  for (const OperandFields* fields :
       {&kA, &kB, contract.takes(ArgumentWord::stride_c) ? &kC : &kD}) {
    if (kept.*fields->stride != problem.*fields->stride &&
        problem.*fields->stride != stride(contract, kept, fields->stride_word)) {
      return fields->stride_field;
    }
  }
  if (kept.off_bias != problem.off_bias) return "off_bias";
  if (kept.alpha != problem.alpha) return "alpha";
  return kept.beta != problem.beta ? "beta" : "";
}

Layouts lay_out(const Contract& contract, const Case& problem, std::size_t limit_bytes) {
  if (problem.batch < 1) throw case_error(problem, "batch", "batch=0: expected 1 or more");
  const auto place = [&](const OperandFields& fields) {
    Placement matrix{std::string(fields.name),
                     problem.*fields.rows,
                     problem.*fields.columns,
                     layout_of(contract, problem, fields.leading_word),
                     leading_dimension(contract, problem, fields.leading_word),
                     contract.*fields.type,
                     problem.*fields.offset,
                     problem.batch,
                     stride(contract, problem, fields.stride_word),
                     contract.takes(ArgumentWord::batch)};
    check_size(problem, matrix, fields, limit_bytes);
    return matrix;
  };
  Layouts layouts{place(kA), place(kB), place(kC), {}, {}};
  if (problem.batch > kMostProducts) {
    throw case_error(problem, "batch",
                     fmt::format("batch={}: the limit is {}", problem.batch, kMostProducts));
  }
  if (contract.takes(ArgumentWord::d)) layouts.d = place(kD);
  if (contract.takes(ArgumentWord::bias)) {
    layouts.bias = Placement{"bias",
                             1,
                             problem.n,
                             Layout::row,
                             std::max<std::int64_t>(1, problem.n),
                             contract.type_c,
                             problem.off_bias};
    layouts.bias->vector = true;
  }
  return layouts;
}

}  // namespace warpcheck::properties
