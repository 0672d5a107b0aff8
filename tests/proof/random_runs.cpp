#include "tests/proof/random_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>

namespace warpcheck::proof::test {
namespace {

constexpr std::size_t kOutputY = 2;
constexpr std::size_t kOutputW = 3;

contract::Bindings bindings(const Sizes& sizes) {
  return {.value = [sizes](std::string_view name) -> std::optional<std::int64_t> {
            if (name == "rows") return sizes.rows;
            if (name == "columns") return sizes.columns;
            if (name == "stride_x") return sizes.stride_x;
            if (name == "stride_y") return sizes.stride_y;
            return std::nullopt;
          },
          .address = [sizes](std::string_view) { return std::optional(4L * sizes.offset); }};
}

/// The elements are small numbers: of a pattern, or 0.
device::Buffer buffer(const char* name, int rows, int columns, int stride, const Sizes& sizes,
                      bool is_output) {
  const auto bytes = [](int elements) { return static_cast<std::size_t>(elements) * 4; };
  device::Buffer made;
  made.name = name;
  made.extent = {static_cast<std::size_t>(rows), bytes(columns), bytes(stride)};
  made.element_bytes = 4;
  made.shift_bytes = bytes(sizes.offset);
  made.access = is_output ? device::Access::read_write : device::Access::read_only;
  made.bytes.resize(made.extent.bytes());
  for (std::size_t i = 0; !is_output && i < made.bytes.size(); i += 4) {
    const auto value = static_cast<std::int32_t>((i / 4 * 7 + 3) % 23) - 6;
    std::memcpy(&made.bytes[i], &value, 4);
  }
  return made;
}

device::Argument number(int value) {
  device::Scalar scalar;
  std::memcpy(scalar.bytes.data(), &value, 4);
  return scalar;
}

/// The grid of a case; empty if it has no blocks.
std::optional<Dim3> grid_of(const contract::Variant& variant, const Sizes& sizes) {
  std::array<unsigned, 3> extents = {1, 1, 1};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const contract::Expression& expression = variant.contract.launches.front().grid[axis];
    if (expression.root() == nullptr) continue;
    const auto extent = expression.evaluate(bindings(sizes));
    if (!extent || *extent < 1) return std::nullopt;
    extents[axis] = static_cast<unsigned>(*extent);
  }
  return Dim3{extents[0], extents[1], extents[2]};
}

bool is_in_domain(const contract::Variant& variant, const Sizes& sizes) {
  const auto& all = variant.contract.requires_;
  return std::all_of(all.begin(), all.end(), [&](const contract::Expression& one) {
    return one.evaluate(bindings(sizes)).value_or(0) != 0;
  });
}

}  // namespace

std::string Sizes::text() const {
  return fmt::format("rows={} columns={} stride_x={} stride_y={} offset={}", rows, columns,
                     stride_x, stride_y, offset);
}

contract::Variant variant_of(const RandomKernel& kernel) {
  contract::Variant variant;
  variant.contract = contract::parse_contracts(kernel.contract, {"probe.toml", 1, 1}).at(0);
  auto compiled = std::make_shared<contract::Compiled>();
  compiled->source_file = "probe.cu";
  compiled->ptx_file = "probe.ptx";
  compiled->ptx = kernel.ptx;
  variant.compiled = compiled;
  variant.entries = {{"probe", {{8}, {4}, {8}, {8}, {4}, {8}, {4}, {4}}}};
  return variant;
}

void for_each_case(const contract::Variant& variant, const RandomKernel& kernel,
                   const std::function<bool(const Sizes&)>& use) {
  const auto width = static_cast<int>(kernel.width);
  for (const int rows : {1, 2, 5, 0, 3}) {
    for (const int columns : {0, 1, 2, 3, 4, 5, 7, 8, 9, 12, width - 1, width, width + 1, 2 * width,
                              2 * width + 4, 3 * width + 4}) {
      for (const int padding : {0, 1, 4}) {
        const int tight = std::max(columns, 1);
        const Sizes sizes{rows, columns, tight + padding, tight + (padding == 1 ? 3 : padding),
                          padding == 1 ? 3 : padding};
        if (!is_in_domain(variant, sizes) || !grid_of(variant, sizes)) continue;
        if (!use(sizes)) return;
      }
    }
  }
}

device::Outcome run(device::Device& device, const device::Program& program,
                    const contract::Variant& variant, const Sizes& sizes, std::uint64_t budget) {
  device::Job job;
  job.buffers.push_back(buffer("x", sizes.rows, sizes.columns, sizes.stride_x, sizes, false));
  job.buffers.push_back(buffer("v", 1, sizes.columns, sizes.columns, sizes, false));
  job.buffers.push_back(buffer("y", sizes.rows, sizes.columns, sizes.stride_y, sizes, true));
  job.buffers.push_back(buffer("w", 1, sizes.rows, sizes.rows, sizes, true));
  const auto& block = variant.contract.launches.front().block;
  const auto extent = [&](std::size_t axis) {
    return static_cast<unsigned>(block[axis].evaluate(bindings(sizes)).value_or(1));
  };
  job.launches.push_back({.entry = "probe",
                          .grid = *grid_of(variant, sizes),
                          .block = {extent(0), extent(1), 1},
                          .shared_bytes = 0,
                          .arguments = {device::BufferAddress{0, 0}, number(sizes.stride_x),
                                        device::BufferAddress{1, 0}, device::BufferAddress{2, 0},
                                        number(sizes.stride_y), device::BufferAddress{3, 0},
                                        number(sizes.rows), number(sizes.columns)}});
  job.instruction_budget = budget;
  return device.run(program, job);
}

std::uint32_t largest_output(const device::Outcome& outcome) {
  std::uint32_t largest = 0;
  for (const std::size_t output : {kOutputY, kOutputW}) {
    const std::vector<std::byte>& bytes = outcome.buffers.at(output);
    for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
      std::uint32_t value = 0;
      std::memcpy(&value, &bytes[i], 4);
      largest = std::max(largest, value);
    }
  }
  return largest;
}

}  // namespace warpcheck::proof::test
