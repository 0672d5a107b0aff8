#include "runtime/blas/operand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "runtime/memory.hpp"

namespace warpcheck::runtime {
namespace {

/// The rows of a column that belong to the part: from the first up to the second.
std::pair<std::int64_t, std::int64_t> rows_of(const Operand& operand, std::int64_t column) {
  const auto within = [&](std::int64_t row) { return std::min(row, operand.rows); };
  switch (operand.part) {
    case MatrixPart::full:
      break;
    case MatrixPart::lower:
      return {within(column), operand.rows};
    case MatrixPart::below_diagonal:
      return {within(column + 1), operand.rows};
    case MatrixPart::upper:
      return {0, within(column + 1)};
    case MatrixPart::above_diagonal:
      return {0, within(column)};
  }
  return {0, operand.rows};
}

std::uint64_t address_of_element(const Operand& operand, std::int64_t row, std::int64_t column) {
  const std::int64_t element = row + column * operand.leading;
  return operand.address + static_cast<std::uint64_t>(element) * size_of(operand.type);
}

/// "element (0, 3) of A", "element 3 of x" or "alpha".
std::string describe(const Operand& operand, std::int64_t row, std::int64_t column) {
  if (operand.rows == 1 && operand.columns == 1) return operand.name;
  if (operand.rows == 1 || operand.columns == 1) {
    const std::int64_t last = operand.rows * operand.columns - 1;
    const std::int64_t index = row + column;
    return fmt::format("element {} of {}", operand.reversed ? last - index : index, operand.name);
  }
  if (operand.row_major) std::swap(row, column);
  return fmt::format("element ({}, {}) of {}", row, column, operand.name);
}

}  // namespace

Operand vector_operand(const char* name, const void* address, cudaDataType type, std::int64_t n,
                       std::int64_t increment) {
  Operand operand{name, address_of(address), type};
  const bool has_gaps = std::abs(increment) != 1;
  operand.rows = has_gaps ? 1 : n;
  operand.columns = has_gaps ? n : 1;
  operand.leading = has_gaps ? std::abs(increment) : n;
  operand.reversed = increment < 0;
  return operand;
}

/// Columns without a gap are one run, unless it has an error, which is that of a column.
template <class Access>
void OperandAccess::for_each_run(const Operand& operand, const char* verb, Access access) {
  bool reported = false;
  const auto error_of = [&](const Run& run) {
    return access(run, address_of_element(operand, run.row, run.column),
                  static_cast<std::size_t>(run.row + run.column * operand.rows));
  };
  const bool has_no_gaps = operand.part == MatrixPart::full && operand.leading == operand.rows;
  if (has_no_gaps && !error_of({0, 0, operand.rows * operand.columns})) return;
  for (std::int64_t column = 0; column < operand.columns; ++column) {
    const auto [first, end] = rows_of(operand, column);
    if (first >= end) continue;
    const Run run{first, column, end - first};
    const auto error = error_of(run);
    if (error && !std::exchange(reported, true)) report_range(operand, run, verb, *error);
  }
}

bool OperandAccess::is_valid(const Operand& operand, const char* verb) {
  if (operand.rows <= 0 || operand.columns <= 0) return false;
  const std::size_t alignment = size_of(real_type(operand.type));
  if (operand.address == 0) {
    static_cast<void>(runtime_.misuse(
        cudaErrorInvalidValue, fmt::format("{}: {} is a null pointer", function_, operand.name)));
    return false;
  }
  if (operand.address % alignment == 0) return true;
  runtime_.report(FindingClass::misaligned,
                  fmt::format("{} {} {} at address 0x{:x}, which is not a multiple of {} bytes",
                              function_, verb, operand.name, operand.address, alignment));
  return false;
}

void OperandAccess::report_range(const Operand& operand, const Run& run, const char* verb,
                                 const device::RangeError& error) {
  const std::size_t bytes = static_cast<std::size_t>(run.elements) * size_of(operand.type);
  const char* const from = run.elements == 1 ? ", " : " from ";
  runtime::report_range(runtime_,
                        fmt::format("{} {} {} bytes{}{},", function_, verb, bytes, from,
                                    describe(operand, run.row, run.column)),
                        error);
}

void OperandAccess::report_undefined(const Operand& operand, const Run& run) {
  std::vector<std::byte> element(size_of(operand.type));
  std::size_t undefined = 0;
  for (std::int64_t i = 0; i < run.elements; ++i) {
    const std::int64_t row = operand.rows == 0 ? 0 : (run.row + i) % operand.rows;
    const std::int64_t column = run.column + (run.row + i) / operand.rows;
    const std::uint64_t address = address_of_element(operand, row, column);
    if (runtime_.session().read(address, element, &undefined) || undefined == 0) continue;
    runtime_.report_undefined(fmt::format("{} reads {}", function_, describe(operand, row, column)),
                              address, element.size());
    return;
  }
}

std::vector<std::byte> OperandAccess::read_bytes(const Operand& operand) {
  const std::size_t element = size_of(operand.type);
  const auto count = static_cast<std::size_t>(std::max<std::int64_t>(operand.rows, 0) *
                                              std::max<std::int64_t>(operand.columns, 0));
  std::vector<std::byte> bytes(count * element);
  if (!is_valid(operand, "reads")) return bytes;
  bool reported = runtime_.lacks_results();  // then undefined values are no findings
  for_each_run(operand, "reads", [&](const Run& run, std::uint64_t address, std::size_t index) {
    const std::size_t size = static_cast<std::size_t>(run.elements) * element;
    std::size_t undefined = 0;
    auto error =
        runtime_.session().read(address, {bytes.data() + index * element, size}, &undefined);
    if (error) return error;
    if (undefined != 0 && !std::exchange(reported, true)) report_undefined(operand, run);
    runtime_.note_access({address, size, {.read = true}});
    return error;
  });
  return bytes;
}

void OperandAccess::write_bytes(const Operand& operand, const std::vector<std::byte>& bytes) {
  if (!is_valid(operand, "writes")) return;
  const std::size_t element = size_of(operand.type);
  for_each_run(operand, "writes", [&](const Run& run, std::uint64_t address, std::size_t index) {
    const std::size_t size = static_cast<std::size_t>(run.elements) * element;
    auto error = runtime_.session().write(address, {bytes.data() + index * element, size});
    if (!error) runtime_.note_access({address, size, {.write = true}});
    return error;
  });
}

template <class Number>
Packed<Number> OperandAccess::read(const Operand& operand) {
  const std::vector<std::byte> bytes = read_bytes(operand);
  Packed<Number> numbers(bytes.size() / size_of(operand.type));
  load_elements(operand.type, bytes.data(), numbers.size(), numbers.data());
  if (operand.reversed) std::reverse(numbers.begin(), numbers.end());
  return numbers;
}

template <class Number>
void OperandAccess::write(const Operand& operand, const Packed<Number>& numbers) {
  std::vector<std::byte> bytes(numbers.size() * size_of(operand.type));
  Packed<Number> reversed;
  if (operand.reversed) reversed.assign(numbers.rbegin(), numbers.rend());
  store_elements(operand.type, operand.reversed ? reversed.data() : numbers.data(), numbers.size(),
                 bytes.data());
  write_bytes(operand, bytes);
}

std::vector<std::uint64_t> OperandAccess::read_pointers(const char* name, std::uint64_t address,
                                                        std::int64_t count) {
  const Packed<std::int64_t> numbers =
      read<std::int64_t>({name, address, CUDA_R_64I, count, 1, count});
  return {numbers.begin(), numbers.end()};
}

#define WARPCHECK_NUMBER(Number)                                       \
  template Packed<Number> OperandAccess::read<Number>(const Operand&); \
  template void OperandAccess::write(const Operand&, const Packed<Number>&);
WARPCHECK_NUMBER(float)
WARPCHECK_NUMBER(double)
WARPCHECK_NUMBER(std::complex<float>)
WARPCHECK_NUMBER(std::complex<double>)
WARPCHECK_NUMBER(std::int32_t)
WARPCHECK_NUMBER(std::int64_t)
#undef WARPCHECK_NUMBER

}  // namespace warpcheck::runtime
