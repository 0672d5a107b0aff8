// Copies of boxes through tensor maps, mbarrier objects, and clusters of blocks. PTX ISA 9.7.9.27,
// 9.7.13.15 and 9.7.13.3. The order in which copies complete is not followed.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "proof/lift/executor.hpp"
#include "ptx/analysis/registers.hpp"

namespace warpcheck::proof {
namespace {

using ptx::Instruction;
using ptx::analysis::has_mnemonic;
using ptx::analysis::has_modifier;

constexpr std::int64_t kObjectBytes = 8;
constexpr std::int64_t kBoxAlignment = 128;  // bytes, in shared memory

constexpr std::array<std::string_view, 14> kBoxParts = {"cp",
                                                        "async",
                                                        "bulk",
                                                        "tensor",
                                                        "2d",
                                                        "3d",
                                                        "global",
                                                        "shared::cluster",
                                                        "shared::cta",
                                                        "tile",
                                                        "bulk_group",
                                                        "mbarrier::complete_tx::bytes",
                                                        "multicast::cluster",
                                                        "L2::cache_hint"};

/// The bytes that a box takes in shared memory. With a swizzle, a row takes its whole span.
std::int64_t bytes_in_shared(const TensorMap& map, std::int64_t element_bytes) {
  std::int64_t rows = 1;
  for (std::size_t i = 0; i + 1 < map.box.size(); ++i) rows *= map.box[i];
  return rows * std::max(map.box.back() * element_bytes, map.swizzle);
}

const ptx::Address& address_operand(const Instruction& instruction, std::size_t index) {
  const auto* const place = ptx::analysis::operand<ptx::Address>(instruction, index);
  if (place == nullptr) throw_not_covered(instruction);
  return *place;
}

ptx::Operand as_operand(const ptx::Element& element) {
  return std::visit([](const auto& part) { return ptx::Operand(part); }, element);
}

}  // namespace

/// False if it is no instruction of bulk copies, mbarrier objects or clusters.
bool Executor::execute_bulk(const Instruction& instruction, State& state) {
  if (has_mnemonic(instruction, {"cp"}) && has_modifier(instruction, "bulk")) {
    record_unordered("the order of bulk copies and other accesses is not proved");
    const bool is_order =
        has_modifier(instruction, "commit_group") || has_modifier(instruction, "wait_group");
    if (!is_order) copy_box(instruction, state);
    return true;
  }
  if (has_mnemonic(instruction, {"mbarrier"})) {
    record_unordered("the order of accesses by mbarrier objects is not proved");
    access_object(instruction, state);
    return true;
  }
  if (has_mnemonic(instruction, {"mapa"})) {
    put(instruction, mapped_address(instruction, state), state);
    return true;
  }
  if (has_mnemonic(instruction, {"barrier"}) && has_modifier(instruction, "cluster")) {
    record_unordered("the order of accesses by barriers of a cluster is not proved");
    meet_in_cluster(instruction, state);
    return true;
  }
  return false;
}

void Executor::copy_box(const Instruction& instruction, const State& state) {
  const auto is_known = [](const std::string& part) {
    return std::find(kBoxParts.begin(), kBoxParts.end(), part) != kBoxParts.end();
  };
  const bool is_store = has_modifier(instruction, "bulk_group");
  const bool is_load = has_modifier(instruction, "mbarrier::complete_tx::bytes");
  if (!std::all_of(instruction.parts.begin(), instruction.parts.end(), is_known) ||
      !has_modifier(instruction, "tensor") || is_store == is_load) {
    throw_not_covered(instruction);
  }
  const State guarded = guarded_path(instruction, state);
  const ptx::Address& described = address_operand(instruction, is_store ? 0 : 1);
  Access in_shared{.kind = is_store ? AccessKind::read : AccessKind::write};
  in_shared.alignment = kBoxAlignment;
  in_shared.bytes =
      transfer_box(described, is_store ? AccessKind::write : AccessKind::read, state, guarded);
  record(std::move(in_shared), address(instruction.operands.at(is_store ? 1 : 0), state),
         MemorySpace::shared, guarded);
  if (is_store) return;
  Access object{.kind = AccessKind::atomic};
  object.bytes = object.atomic_bytes = kObjectBytes;
  record(std::move(object), address(instruction.operands.at(2), state), MemorySpace::shared,
         guarded);
  if (has_modifier(instruction, "multicast::cluster")) require_multicast(instruction, state);
}

/// The map of `[map, {coordinates}]`: a parameter of the kernel.
const TensorMap& Executor::tensor_map(const ptx::Address& place, const State& state) {
  const ptx::Operand base =
      std::visit([](const auto& part) { return ptx::Operand(part); }, place.base);
  const Polynomial where = integer(base, state) + place.offset;
  for (const auto& [number, map] : domain_.tensor_maps) {
    if (number >= kernel_.parameters.size()) continue;
    const auto array = arrays_.find(kernel_.parameters[number].name);
    if (array == arrays_.end()) continue;
    if (where == Polynomial::of(array->second) + window(MemorySpace::parameter)) return map;
  }
  throw Unsupported("the tensor map of a copy is no parameter of the kernel");
}

/// Records the access to the elements of the operand. Returns the bytes in shared memory.
std::int64_t Executor::transfer_box(const ptx::Address& place, AccessKind kind, const State& state,
                                    const State& guarded) {
  const TensorMap& map = tensor_map(place, state);
  const Buffer& buffer = domain_.buffer_of(map);
  const auto rank = map.box.size();
  if (place.coordinates.size() != rank || buffer.axes.size() != rank || !place.more_bases.empty()) {
    throw Unsupported("a copy has another number of coordinates than its tensor map");
  }
  Access access{.kind = kind};
  access.base = buffer.pointer;
  access.box = map.box;
  access.bytes = map.box.back() * buffer.element_bytes;
  // The innermost coordinate is the first one.
  for (auto element = place.coordinates.rbegin(); element != place.coordinates.rend(); ++element) {
    const Polynomial index = integer(as_operand(*element), state);
    access.box_indices.push_back(observed(index, {32, true}, guarded));
  }
  add_access(std::move(access), guarded);
  return bytes_in_shared(map, buffer.element_bytes);
}

/// The mask of the blocks that receive a copy.
void Executor::require_multicast(const Instruction& instruction, const State& state) {
  require_clusters();
  if (is_guessing()) return;
  const State guarded = guarded_path(instruction, state);
  const Polynomial mask = observed(source(instruction, 3, state), {16, false}, guarded);
  lifted_.blocks_of_cluster.push_back({mask, 0, (std::int64_t{1} << domain_.cluster_size()) - 1,
                                       guarded.path, instruction_,
                                       "the mask of a copy may name a block beyond the cluster"});
}

void Executor::access_object(const Instruction& instruction, State& state) {
  const auto place = std::find_if(
      instruction.operands.begin(), instruction.operands.end(),
      [](const ptx::Operand& one) { return std::holds_alternative<ptx::Address>(one); });
  if (place == instruction.operands.end()) {
    if (!has_modifier(instruction, "pending_count")) throw_not_covered(instruction);
    return forget_results(instruction, state);
  }
  const bool is_shared = has_modifier(instruction, "shared") ||
                         has_modifier(instruction, "shared::cta") ||
                         has_modifier(instruction, "shared::cluster");
  if (!is_shared) throw_not_covered(instruction);
  const bool is_init = has_modifier(instruction, "init");
  Access access{.kind = is_init ? AccessKind::write : AccessKind::atomic};
  access.bytes = kObjectBytes;
  if (!is_init) access.atomic_bytes = kObjectBytes;
  Polynomial where = address(*place, state);
  if (has_modifier(instruction, "shared::cluster")) where = own_address(where);
  record(std::move(access), where, MemorySpace::shared, guarded_path(instruction, state));
  if (has_modifier(instruction, "try_wait") || has_modifier(instruction, "test_wait")) {
    record_wait("waits for an mbarrier object: that the phase completes is not proved");
  }
  forget_results(instruction, state);
}

/// mapa: the address in another block of the cluster is at a distance that depends on the block.
Polynomial Executor::mapped_address(const Instruction& instruction, const State& state) {
  if (!has_modifier(instruction, "shared::cluster") || !has_modifier(instruction, "u32")) {
    throw_not_covered(instruction);
  }
  require_clusters();
  const State guarded = guarded_path(instruction, state);
  const Polynomial rank = observed(source(instruction, 2, state), {32, false}, guarded);
  if (!is_guessing()) {
    lifted_.blocks_of_cluster.push_back({rank, 0, domain_.cluster_size() - 1, guarded.path,
                                         instruction_,
                                         "the number of a block may be beyond the cluster"});
  }
  const SymbolId distance = terms_.add({.name = "the distance to a block"});
  distances_.insert(distance);
  return source(instruction, 1, state) + Polynomial::of(distance);
}

/// The address in the block itself of the place that one in another block has there.
Polynomial Executor::own_address(const Polynomial& address) const {
  for (const SymbolId id : address.symbols()) {
    const auto linear = address.linear_in(id);
    if (distances_.contains(id) && linear && linear->first == Polynomial(1)) return linear->second;
  }
  return address;
}

/// A barrier of a cluster is an arrival that its wait follows at once.
void Executor::meet_in_cluster(const Instruction& instruction, const State& state) {
  require_clusters();
  const bool arrives = has_modifier(instruction, "arrive");
  const BasicBlock& block = lifted_.flow.blocks[block_];
  const std::size_t other = arrives ? instruction_ + 1 : instruction_ - 1;
  const bool is_pair = other >= block.begin && other < block.end &&
                       has_mnemonic(kernel_.body[other], {"barrier"}) &&
                       has_modifier(kernel_.body[other], "cluster") &&
                       has_modifier(kernel_.body[other], "arrive") != arrives;
  if (!is_pair || instruction.guard || kernel_.body[other].guard) {
    throw Unsupported("a wait does not follow the arrival at a barrier of the cluster at once");
  }
  if (arrives || is_guessing() || state.is_unreachable()) return;
  lifted_.cluster_barriers.push_back({state.decisive_path(), loops_, instruction_});
}

/// Without the key of the contract, a launch has the clusters that the kernel declares.
void Executor::require_clusters() const {
  const auto& declared = kernel_.directives.reqnctapercluster;
  if (!declared) return;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (static_cast<std::int64_t>((*declared)[axis]) == domain_.cluster[axis]) continue;
    throw Unsupported(
        "the kernel declares clusters of blocks, and the key `cluster` of its "
        "contract does not state the same ones");
  }
}

void Executor::record_unordered(const char* reason) {
  if (!lifted_.unordered) lifted_.unordered = Wait{block_, instruction_, reason};
}

void Executor::record_wait(const char* reason) {
  if (!is_guessing()) lifted_.waits.push_back({block_, instruction_, reason});
}

}  // namespace warpcheck::proof
