#include "campaign/case/placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace warpcheck::campaign {
namespace {

using contract::Layout;

std::string_view plural(std::int64_t count) { return count == 1 ? "" : "s"; }

/// Returns about the memory that a packed matrix takes: whole pages of each line and of its shadow.
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

/// "row 65 of 65 rows", for an index at or beyond a count.
std::string beyond(std::string_view what, std::int64_t index, std::int64_t count) {
  return fmt::format("{} {} of {} {}{}", what, index, count, what, plural(count));
}

}  // namespace

/// The element that an access is reported at: the first one outside the matrix if there is one.
struct Placement::Access {
  struct Position {
    std::int64_t line = 0;
    std::int64_t index = 0;  // index of the element in the line
  };

  std::int64_t matrix = 0;  // number in the batch
  std::int64_t row = 0;     // row in this matrix
  std::int64_t column = 0;
  std::ptrdiff_t byte = 0;  // the first byte outside the matrix if there is one
  bool inside = true;
};

device::Extent Placement::extent() const {
  const std::size_t element = size_of(type);
  return {static_cast<std::size_t>(lines()), static_cast<std::size_t>(line_length()) * element,
          static_cast<std::size_t>(leading) * element, static_cast<std::size_t>(batch),
          static_cast<std::size_t>(stride) * element};
}

std::size_t Placement::byte_of(std::int64_t row, std::int64_t column) const {
  std::int64_t begin = 0;
  if (row >= rows) {  // the first matrix does not have this row
    begin = row / rows * stride;
    row %= rows;
  }
  const std::int64_t element =
      begin + (layout == Layout::row ? row * leading + column : column * leading + row);
  return static_cast<std::size_t>(element) * size_of(type);
}

std::size_t Placement::index_of(std::int64_t row, std::int64_t column) const {
  return packed ? extent().packed_from(byte_of(row, column)) : byte_of(row, column);
}

std::size_t Placement::column_distance(std::int64_t row) const {
  return columns > 1 ? index_of(row, 1) - index_of(row, 0) : 0;
}

/// "3, 0, 4": the indices of an element of a tensor whose rows are numbered consecutively.
std::string Placement::indices(std::int64_t row, std::int64_t column) const {
  std::string text = fmt::to_string(column);
  for (std::size_t i = shape.size() - 1; i-- > 0;) {
    const std::int64_t index = i == 0 ? row : row % shape[i];
    row /= shape[i];
    text = fmt::format("{}, {}", index, text);
  }
  return text;
}

std::string Placement::element(std::int64_t row, std::int64_t column) const {
  if (shape.size() > 1) return fmt::format("{}[{}]", name, indices(row, column));
  if (vector) return fmt::format("{}[{}]", name, column);
  if (!batched) return fmt::format("{}[{}, {}]", name, row, column);
  return fmt::format("{}[{}][{}, {}]", name, row / rows, row % rows, column);
}

Placement::Access Placement::access_at(const MemoryPlace& place) const {
  const auto element = static_cast<std::ptrdiff_t>(size_of(type));
  const std::int64_t matrix =
      batch > 1 ? std::min<std::int64_t>(place.offset / element / stride, batch - 1) : 0;
  const auto at = [&](std::ptrdiff_t byte) {
    const std::int64_t index = byte / element - matrix * stride;
    return vector ? Access::Position{0, index} : Access::Position{index / leading, index % leading};
  };
  const auto inside = [&](const Access::Position& position) {
    return position.line < lines() && position.index < line_length();
  };
  const auto bytes = static_cast<std::ptrdiff_t>(std::max<std::size_t>(place.bytes, 1));
  std::ptrdiff_t byte = place.offset;
  while (byte + element < place.offset + bytes && inside(at(byte))) byte += element;
  const std::ptrdiff_t last = place.offset + bytes - 1;
  // An access that begins in the middle of an element may end in the next one.
  if (inside(at(byte)) && !inside(at(last))) byte = last;
  const Access::Position position = inside(at(byte)) ? at(place.offset) : at(byte);
  const bool by_row = layout == Layout::row;
  return {matrix, by_row ? position.line : position.index, by_row ? position.index : position.line,
          byte, inside(position)};
}

std::string Placement::describe(const MemoryPlace& place) const {
  const auto end = static_cast<std::ptrdiff_t>(extent().bytes());
  if (end == 0) return fmt::format("{}, which is empty ({} x {})", name, all_rows(), columns);
  if (place.offset < 0) {
    return fmt::format("{} byte{} before {}", -place.offset, plural(-place.offset), name);
  }
  const Access access = access_at(place);
  const std::string number = batched ? fmt::format("[{}]", access.matrix) : "";
  // The rows of a tensor are numbered through all of its matrices.
  const bool numbers_all = shape.size() > 1;
  const std::int64_t row = numbers_all ? access.matrix * rows + access.row : access.row;
  const std::int64_t last_row = numbers_all ? all_rows() : rows;
  std::string text = shape.size() > 1 ? element(row, access.column)
                     : vector
                         ? fmt::format("{}[{}]", name, access.column)
                         : fmt::format("{}{}[{}, {}]", name, number, access.row, access.column);
  if (access.inside) return text;
  text +=
      ": " + (access.row >= rows ? beyond("row", row, last_row)
                                 : beyond(vector ? "element" : "column", access.column, columns));
  if (access.byte < end) return text;
  if (place.offset < end) {
    const std::ptrdiff_t past = place.offset + static_cast<std::ptrdiff_t>(place.bytes) - end;
    return text +
           fmt::format("; the access ends {} byte{} past the end of {}", past, plural(past), name);
  }
  const std::ptrdiff_t past = access.byte - end + 1;
  return text + fmt::format(", {} byte{} past the end of {}", past, plural(past), name);
}

bool Placement::is_below(std::int64_t index) const {
  if (shape.empty()) return rows <= index && columns <= index;
  return std::all_of(shape.begin(), shape.end(),
                     [&](std::int64_t extent) { return extent <= index; });
}

std::optional<std::int64_t> Placement::index_outside(const MemoryPlace& place) const {
  if (extent().bytes() == 0 || place.offset < 0) return std::nullopt;
  const Access access = access_at(place);
  if (access.inside) return std::nullopt;
  return access.row >= rows ? access.row : access.column;
}

std::optional<std::int64_t> span_bytes(const Placement& matrix) {
  std::int64_t elements = 0;  // elements up to the last one of the last line
  std::int64_t before = 0;    // elements of the matrices before the last one
  std::int64_t bytes = 0;
  const bool overflows =
      __builtin_mul_overflow(std::max<std::int64_t>(matrix.lines() - 1, 0), matrix.leading,
                             &elements) ||
      __builtin_add_overflow(elements, matrix.line_length(), &elements) ||
      __builtin_mul_overflow(std::max<std::int64_t>(matrix.batch - 1, 0), matrix.stride, &before) ||
      __builtin_add_overflow(elements, before, &elements) ||
      __builtin_mul_overflow(elements, static_cast<std::int64_t>(size_of(matrix.type)), &bytes);
  if (overflows) return std::nullopt;
  return bytes;
}

bool pack_if_larger(Placement& matrix, std::size_t limit_bytes) {
  constexpr auto kMostBytes = static_cast<std::int64_t>(device::kMostBufferBytes);
  const std::optional<std::int64_t> bytes = span_bytes(matrix);
  if (bytes && static_cast<std::uint64_t>(*bytes) <= limit_bytes) return true;
  // A matrix without lines has none to pack, but its other extent may be billions.
  matrix.packed = bytes && *bytes <= kMostBytes && matrix.lines() > 0 &&
                  static_cast<std::uint64_t>(bytes_of_lines(matrix)) <= limit_bytes;
  return matrix.packed;
}

}  // namespace warpcheck::campaign
