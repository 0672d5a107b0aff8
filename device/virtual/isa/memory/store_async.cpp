// st.async (PTX ISA 9.7.9.12) and red.async (9.7.13.7): stores to the shared memory of a block of
// the cluster, and reductions there. They complete on an mbarrier object of that block. They use
// the generic proxy (CUDA C++ Programming Guide, "Async Thread and Async Proxy").
#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "device/virtual/isa/form.hpp"
#include "device/virtual/isa/memory/bulk.hpp"

namespace warpcheck::isa {
namespace {

using machine::Flow;
using machine::Op;
using machine::Slot;
using machine::Warp;

template <std::size_t bytes>
Flow store(Warp& warp, const Op& op) {
  return bulk::for_each_lane(warp, op, [&](unsigned lane) {
    const std::span<const Slot> values(op.detail->elements.begin() + bulk::kCoordinates,
                                       op.detail->elements.end());
    bulk::Image image(values.size() * bytes);
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::memcpy(&image.data[i * bytes], warp.lanes<std::byte>(values[i]) + lane * bytes, bytes);
    }
    const auto size = static_cast<std::uint32_t>(image.data.size());
    bulk::deliver(warp, op, lane, image, {{0, size}}, size, size);
  });
}

std::vector<ptx::Element> values_of(const Lowering& lowering) {
  const ptx::Operand& operand = lowering.instruction.operands[1];
  if (const auto* vector = std::get_if<ptx::Vector>(&operand)) return vector->elements;
  if (const auto* reg = std::get_if<ptx::Register>(&operand)) return {*reg};
  if (const auto* integer = std::get_if<ptx::Integer>(&operand)) return {*integer};
  if (const auto* number = std::get_if<ptx::Float>(&operand)) return {*number};
  throw DecodeError("a value or a vector of values is expected");
}

/// `[to], value, [mbarrier]`.
void lower_store(Lowering& lowering) {
  lowering.expect_operands(3);
  const Type type = lowering.selection.type();
  lowering.detail().generic_proxy = true;
  const std::size_t count = lowering.selection.has("v2") ? 2 : lowering.selection.has("v4") ? 4 : 1;
  bulk::lower_address(lowering, 0, bulk::kTo, machine::Space::shared);
  bulk::lower_address(lowering, 2, bulk::kObject, machine::Space::shared);
  const auto values = values_of(lowering);
  if (values.size() != count) throw DecodeError("the number of values differs from .v");
  for (const ptx::Element& value : values) {
    const Slot slot = lowering.source_element(value, type);
    if (slot == machine::kNoSlot) throw DecodeError("a value is missing");
    lowering.detail().elements.push_back(slot);
  }
  lowering.result.operand[bulk::kFrom] = machine::kNoSlot;
  lowering.function.code().communicates = true;
  lowering.function.code().uses_cluster = true;
  lowering.result.run = ptx::bytes(type) == 8 ? store<8> : store<4>;
}

void lower_reduction(Lowering& lowering) {
  lower_store(lowering);
  bulk::lower_reduction(lowering, bulk::type_in_shared(lowering.selection));
  lowering.result.scope = scope_of(lowering.selection);
}

#define WARPCHECK_RED_ASYNC "async relaxed cluster [shared::cluster] mbarrier::complete_tx::bytes "
constexpr std::string_view kReduce = "9.7.13.7";

constexpr std::array kForms = {
    Form{"red", WARPCHECK_RED_ASYNC "add", "u32 s32 u64", "", kReduce, nullptr, nullptr,
         lower_reduction},
    Form{"red", WARPCHECK_RED_ASYNC "min|max", "u32 s32", "", kReduce, nullptr, nullptr,
         lower_reduction},
    Form{"red", WARPCHECK_RED_ASYNC "inc|dec", "u32", "", kReduce, nullptr, nullptr,
         lower_reduction},
    Form{"red", WARPCHECK_RED_ASYNC "and|or|xor", "b32", "", kReduce, nullptr, nullptr,
         lower_reduction},
    Form{"st", "async [weak] [shared::cluster] mbarrier::complete_tx::bytes [v2|v4]",
         "b32 u32 s32 f32 b64 u64 s64 f64", "", "9.7.9.12", nullptr, nullptr, lower_store},
};

}  // namespace

std::span<const Form> store_async_forms() { return kForms; }

}  // namespace warpcheck::isa
