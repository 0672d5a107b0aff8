#include "campaign/run/tensor_maps.hpp"

#include <algorithm>
#include <utility>

#include "campaign/case/domain.hpp"

namespace warpcheck::campaign::run {
namespace {

using contract::ArgumentWord;
using contract::Layout;

/// The number of the type in the driver API. It has no types of eight bits but u8, whose bytes are
/// copied as they are.
unsigned element_type(ScalarType type) {
  switch (type) {
    case ScalarType::f16:
      return 6;
    case ScalarType::f32:
    case ScalarType::tf32:
      return 7;
    case ScalarType::f64:
      return 8;
    case ScalarType::bf16:
      return 9;
    case ScalarType::s32:
      return 3;
    default:
      return 0;
  }
}

}  // namespace

device::TensorMap tensor_map_of(const Problem& problem,
                                const contract::TensorMapArgument& described,
                                std::span<const std::uint32_t> box) {
  const Placement& matrix = problem.layouts.at(operand_name(described.of));
  const contract::Bindings names = bindings(problem.variant->contract, problem.line);
  const std::string operand(contract::name(described.of));
  const auto stride = [&](const std::string& word) {
    return static_cast<std::uint64_t>(names.value(word).value_or(0)) * size_of(matrix.type);
  };
  device::TensorMap map;
  map.type = element_type(matrix.type);
  map.rank = static_cast<unsigned>(box.size());
  map.dims = {static_cast<std::uint64_t>(matrix.columns), static_cast<std::uint64_t>(matrix.rows),
              static_cast<std::uint64_t>(matrix.batch), 1, 1};
  if (!matrix.is_by_rows()) std::swap(map.dims[0], map.dims[1]);
  map.strides = {stride("ld" + operand), stride("stride_" + operand), 0, 0};
  map.box.fill(1);
  std::copy(box.begin(), box.end(), map.box.begin());
  map.steps.fill(1);
  map.swizzle = described.swizzle == 0    ? 0
                : described.swizzle == 32 ? 1
                : described.swizzle == 64 ? 2
                                          : 3;
  map.fill = described.fills_with_nan && device::is_floating(map.type) ? 1 : 0;
  return map;
}

}  // namespace warpcheck::campaign::run
