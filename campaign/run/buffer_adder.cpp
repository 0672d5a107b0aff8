#include "campaign/run/buffer_adder.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "base/parallel_for.hpp"
#include "campaign/run/element.hpp"

namespace warpcheck::campaign::run {
namespace {

/// Returns the contents of a buffer: the values in the lines and poison in the gaps.
std::vector<std::byte> filled(const Placement& place, std::span<const double> values,
                              std::byte padding) {
  const device::Extent extent = place.extent();
  std::vector<std::byte> bytes(place.packed ? extent.packed_bytes() : extent.bytes(), padding);
  const auto fill = [&](std::size_t number) {
    const auto row = static_cast<std::int64_t>(number);
    const std::span line = values.subspan(number * static_cast<std::size_t>(place.columns),
                                          static_cast<std::size_t>(place.columns));
    if (line.empty()) return;
    encode(line, place.type, bytes.data() + place.index_of(row, 0), place.column_distance(row));
  };
  for_each_row(static_cast<std::size_t>(place.all_rows()), static_cast<std::size_t>(place.columns),
               fill);
  return bytes;
}

/// Returns the contents of a buffer: one byte repeated in the lines and another one in the gaps.
std::vector<std::byte> filled(const Placement& place, std::byte value, std::byte padding) {
  const device::Extent extent = place.extent();
  if (place.packed) return std::vector<std::byte>(extent.packed_bytes(), value);
  std::vector<std::byte> bytes(extent.bytes(), padding);
  if (bytes.empty()) return bytes;
  for (std::size_t line = 0; line < extent.rows(); ++line) {
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(extent.row_begin(line)),
                extent.row_bytes, value);
  }
  return bytes;
}

device::Buffer buffer(const Placement& place, std::vector<std::byte> bytes, device::Access access,
                      bool initialized) {
  const std::size_t element = size_of(place.type);
  device::Buffer result;
  result.name = place.name;
  result.extent = place.extent();
  result.element_bytes = element;
  result.shift_bytes = static_cast<std::size_t>(place.offset) % 256 * element % 256;
  result.access = access;
  result.initialized = initialized;
  result.packed = place.packed;
  result.bytes = std::move(bytes);
  return result;
}

}  // namespace

void BufferAdder::add_values(std::size_t operand, std::span<const double> values,
                             device::Access access) {
  const Placement& place = problem_.layouts.operands[operand];
  add(operand, buffer(place, filled(place, values, problem_.poison.padding), access, true));
}

void BufferAdder::add_poison(std::size_t operand, device::Access access, bool readable) {
  const Placement& place = problem_.layouts.operands[operand];
  const Poison& poison = problem_.poison;
  add(operand, buffer(place, filled(place, poison.output, poison.padding), access,
                      readable || !poison.output_reads_are_findings));
}

void BufferAdder::add(std::optional<std::size_t> operand, device::Buffer buffer) {
  problem_.roles.push_back({operand, Call::checked});
  problem_.job.buffers.push_back(std::move(buffer));
}

}  // namespace warpcheck::campaign::run
