#include "campaign/case/placement.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

namespace warpcheck::campaign {
namespace {

std::string_view plural(std::int64_t count) { return count == 1 ? "" : "s"; }

/// Returns about the memory that a packed place takes: whole pages of each line and of its shadow.
std::int64_t bytes_of_lines(const Placement& place) {
  constexpr std::int64_t kPage = 4096;
  const std::int64_t line = place.has_lines() ? place.line().extent : 1;
  std::int64_t bytes = line * static_cast<std::int64_t>(size_of(place.type)) + 2 * kPage;
  bool overflows = false;
  for (const Placement::Axis& axis : place.axes) {
    if (&axis == &place.line() && place.has_lines()) continue;
    overflows = __builtin_mul_overflow(bytes, axis.extent, &bytes) || overflows;
  }
  return overflows ? std::numeric_limits<std::int64_t>::max() : bytes;
}

/// "row 65 of 65 rows", for an index at or beyond a count.
std::string beyond(std::string_view what, std::int64_t index, std::int64_t count) {
  return fmt::format("{} {} of {} {}{}", what, index, count, what, plural(count));
}

}  // namespace

/// The element that an access is reported at: the first one outside the place if there is one.
struct Placement::Access {
  std::vector<std::int64_t> index;  // one along each axis
  std::ptrdiff_t byte = 0;          // the first byte outside the place if there is one
  bool is_in_gap = false;  // true: the place lies between two elements of the innermost axis
  std::optional<std::size_t> outside;  // the axis along which the index is too large

  [[nodiscard]] bool is_inside() const { return !outside && !is_in_gap; }
  /// The row among all rows.
  [[nodiscard]] std::int64_t row(const Placement& place) const {
    std::int64_t row = 0;
    for (std::size_t i = 0; i + 1 < index.size(); ++i) row = row * place.axes[i].extent + index[i];
    return row;
  }
};

std::optional<std::size_t> Placement::axis_of_lines() const {
  if (nest.size() < 2) return std::nullopt;
  return nest[nest.size() - 2];
}

std::int64_t Placement::line_distance() const {
  const auto axis = axis_of_lines();
  return axis ? axes[*axis].stride : std::max<std::int64_t>(line().extent, 1);
}

device::Extent Placement::extent() const {
  const std::size_t element = size_of(type);
  device::Extent made;
  made.row_bytes = (has_lines() ? static_cast<std::size_t>(line().extent) : 1) * element;
  for (auto axis = nest.rbegin() + (has_lines() ? 1 : 0); axis != nest.rend(); ++axis) {
    made.levels.push_back({static_cast<std::size_t>(axes[*axis].extent),
                           static_cast<std::size_t>(axes[*axis].stride) * element});
  }
  return made;
}

std::size_t Placement::byte_of(std::int64_t row, std::int64_t column) const {
  std::int64_t element = column * axes.back().stride;
  for (std::size_t i = axes.size() - 1; i-- > 0 && row != 0;) {
    const Axis& axis = axes[i];
    const bool is_last = i == 0 || row < axis.extent;
    element += (is_last ? row : row % axis.extent) * axis.stride;
    row = is_last ? 0 : row / axis.extent;
  }
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
  std::vector<std::int64_t> index(axes.size(), 0);
  // The access lies in one matrix, or another part of two inner axes: beyond it, it is outside.
  std::int64_t begin = 0;
  for (std::size_t i = 0; i + 2 < nest.size(); ++i) {
    const Axis& axis = axes[nest[i]];
    if (axis.extent < 2) continue;
    index[nest[i]] = std::min((place.offset / element - begin) / axis.stride, axis.extent - 1);
    begin += index[nest[i]] * axis.stride;
  }
  const auto at = [&](std::ptrdiff_t byte) {
    Access access{index, byte, false, {}};
    std::int64_t rest = byte / element - begin;
    if (const auto lines = axis_of_lines()) {
      access.index[*lines] = rest / axes[*lines].stride;
      rest %= axes[*lines].stride;
    }
    access.index[nest.back()] = rest / line().stride;
    access.is_in_gap = rest % line().stride != 0;
    for (std::size_t i = axes.size(); i-- > 0;) {
      const bool is_outside = access.index[i] >= axes[i].extent;
      if (is_outside && (!access.outside || i + 2 >= axes.size())) access.outside = i;
    }
    return access;
  };
  const auto bytes = static_cast<std::ptrdiff_t>(std::max<std::size_t>(place.bytes, 1));
  std::ptrdiff_t byte = place.offset;
  while (byte + element < place.offset + bytes && at(byte).is_inside()) byte += element;
  const std::ptrdiff_t last = place.offset + bytes - 1;
  // An access that begins in the middle of an element may end in the next one.
  if (at(byte).is_inside() && !at(last).is_inside()) byte = last;
  Access found = at(at(byte).is_inside() ? place.offset : byte);
  found.byte = byte;
  return found;
}

/// "[3, 4]: row 65 of 65 rows", without the name.
std::string Placement::outside_text(const Access& access) const {
  const std::size_t axis = *access.outside;
  const std::int64_t index = access.index[axis];
  if (axis + 1 == axes.size()) return beyond(vector ? "element" : "column", index, columns);
  if (axis + 2 < axes.size()) {
    return fmt::format("index {} of {} along dimension {}", index, axes[axis].extent, axis);
  }
  // The rows of a tensor are numbered through all of its matrices.
  const bool numbers_all = shape.size() > 1;
  return beyond("row", numbers_all ? access.row(*this) : index, numbers_all ? all_rows() : rows);
}

std::string Placement::describe(const MemoryPlace& place) const {
  const auto end = static_cast<std::ptrdiff_t>(extent().bytes());
  if (end == 0) return fmt::format("{}, which is empty ({} x {})", name, all_rows(), columns);
  if (place.offset < 0) {
    return fmt::format("{} byte{} before {}", -place.offset, plural(-place.offset), name);
  }
  const Access access = access_at(place);
  std::string text;
  if (access.outside && *access.outside + 2 < axes.size()) {
    text = fmt::format("{}[{}]", name, fmt::join(access.index, ", "));
  } else if (shape.size() > 1 || vector) {
    text = element(access.row(*this), access.index.back());
  } else {
    text = fmt::format("{}{}[{}, {}]", name, batched ? fmt::format("[{}]", access.index[0]) : "",
                       access.index[1], access.index[2]);
  }
  if (access.is_inside()) return text;
  text += ": " + (access.outside ? outside_text(access) : "in the gap behind it");
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
  if (!access.outside) return std::nullopt;
  return access.index[*access.outside];
}

std::optional<std::int64_t> span_bytes(const Placement& place) {
  std::int64_t elements = place.has_lines() ? place.line().extent : 1;  // up to the last element
  bool overflows = false;
  for (const Placement::Axis& axis : place.axes) {
    if (&axis == &place.line() && place.has_lines()) continue;
    std::int64_t before = 0;  // elements before the last index
    overflows =
        __builtin_mul_overflow(std::max<std::int64_t>(axis.extent - 1, 0), axis.stride, &before) ||
        __builtin_add_overflow(elements, before, &elements) || overflows;
  }
  std::int64_t bytes = 0;
  overflows =
      __builtin_mul_overflow(elements, static_cast<std::int64_t>(size_of(place.type)), &bytes) ||
      overflows;
  if (overflows) return std::nullopt;
  return bytes;
}

bool pack_if_larger(Placement& place, std::size_t limit_bytes) {
  constexpr auto kMostBytes = static_cast<std::int64_t>(device::kMostBufferBytes);
  const std::optional<std::int64_t> bytes = span_bytes(place);
  if (bytes && static_cast<std::uint64_t>(*bytes) <= limit_bytes) return true;
  // A matrix without lines has none to pack, but its other extent may be billions.
  const std::int64_t bytes_packed = bytes_of_lines(place);
  place.packed = bytes && *bytes <= kMostBytes && bytes_packed > 0 &&
                 static_cast<std::uint64_t>(bytes_packed) <= limit_bytes;
  return place.packed;
}

}  // namespace warpcheck::campaign
