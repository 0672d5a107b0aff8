#include "device/virtual/machine/core/object_copy.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/module.hpp"

namespace warpcheck::machine {
namespace {

constexpr std::size_t kMostApart = 16;  // largest distance in ops between two stores of one object
// Limit of the registers between the loads of a value and its store.
constexpr std::size_t kMostMoves = 32;

std::vector<Slot> values_of(const Op& access) {
  if (!access.detail->elements.empty()) return access.detail->elements;
  return {access.operand[1]};
}

const ptx::Instruction& instruction_of(const FunctionCode& code, const Op& op) {
  return code.source->body[op.instruction];
}

/// Bytes of all elements: 4 for .v4.u8.
std::size_t bytes_of(const FunctionCode& code, const Op& access) {
  constexpr std::size_t kBits = 8;
  const std::string& type = instruction_of(code, access).parts.back();
  const std::size_t digits = type.find_last_not_of("0123456789") + 1;
  if (digits == type.size()) return 0;
  return std::stoul(type.substr(digits)) / kBits * values_of(access).size();
}

/// True if both stores use one address register, at the same place in the source.
bool are_of_one_object(const Program& program, const FunctionCode& code, const Op& one,
                       const Op& other) {
  if (!other.stores) return false;
  const auto& locations = program.module.locations;
  const auto& first = instruction_of(code, one).location;
  const auto& second = instruction_of(code, other).location;
  return one.operand[kAddress] == other.operand[kAddress] &&
         one.frame_relative == other.frame_relative && first.has_value() == second.has_value() &&
         (!first || locations[*first] == locations[*second]);
}

/// A store of the object, in the same basic block, that the predicate accepts; null: there is none.
template <typename Predicate>
const Op* find_store(const Program& program, const FunctionCode& code, const Op& store,
                     Predicate accepts) {
  const auto at = static_cast<std::size_t>(&store - code.ops.data());
  const auto matches = [&](const Op& other) {
    return are_of_one_object(program, code, store, other) && accepts(other);
  };
  for (std::size_t i = at; i > 0 && at - i < kMostApart && !code.ops[i].leader; --i) {
    if (matches(code.ops[i - 1])) return &code.ops[i - 1];
  }
  for (std::size_t i = at + 1; i < code.ops.size() && i - at <= kMostApart; ++i) {
    if (code.ops[i].leader) break;
    if (matches(code.ops[i])) return &code.ops[i];
  }
  return nullptr;
}

bool writes(const Op& op, Slot slot) {
  if (op.stores) return false;
  const std::vector<Slot>& elements = op.detail->elements;
  if (std::find(elements.begin(), elements.end(), slot) != elements.end()) return true;
  if (op.loads) return op.operand[1] == slot;
  return (op.bits[kResult] != 0 && op.operand[kResult] == slot) ||
         (op.bits[kSecondResult] != 0 && op.operand[kSecondResult] == slot);
}

/// The number of registers whose bytes an op moves to its result; 0: it computes the result.
unsigned moved_sources(const FunctionCode& code, const Op& op) {
  const std::string_view name = instruction_of(code, op).parts.front();
  if (name == "selp") return 2;  // the third source is its predicate
  constexpr std::array<std::string_view, 7> kMoves = {"mov", "cvt", "prmt", "bfi",
                                                      "shl", "and", "or"};
  return std::find(kMoves.begin(), kMoves.end(), name) == kMoves.end() ? 0 : op.sources;
}

/// True if every op that writes the register loads it, or moves bytes to it from such registers or
/// from constants.
bool is_loaded(const FunctionCode& code, Slot value) {
  std::vector<Slot> found = {value};
  for (std::size_t next = 0; next < found.size(); ++next) {
    const Slot slot = found[next];
    if (slot.index >= code.register_count) continue;  // the slot is a constant
    bool is_written = false;
    for (const Op& op : code.ops) {
      if (!writes(op, slot)) continue;
      is_written = true;
      if (op.loads) continue;
      const unsigned sources = moved_sources(code, op);
      if (sources == 0 || found.size() > kMostMoves) return false;
      for (unsigned i = 1; i <= sources; ++i) {
        if (std::find(found.begin(), found.end(), op.operand[i]) != found.end()) continue;
        found.push_back(op.operand[i]);
      }
    }
    if (!is_written) return false;
  }
  return true;
}

}  // namespace

std::optional<WordsOfObject> words_of_object(const Program& program, const FunctionCode& code,
                                             const Op& store, std::size_t value) {
  const std::vector<Slot> values = values_of(store);
  if (!store.stores || value >= values.size()) return std::nullopt;
  const std::size_t bytes = bytes_of(code, store);
  const auto end = store.immediate + static_cast<std::int64_t>(bytes);
  const Op* const ahead = find_store(program, code, store, [&](const Op& other) {
    return other.immediate + static_cast<std::int64_t>(bytes_of(code, other)) == store.immediate;
  });
  const Op* const behind =
      find_store(program, code, store, [end](const Op& other) { return other.immediate == end; });
  if (ahead == nullptr && behind == nullptr) return std::nullopt;
  if (!is_loaded(code, values[value])) return std::nullopt;
  return WordsOfObject{ahead == nullptr ? 0 : bytes_of(code, *ahead), bytes, behind == nullptr};
}

}  // namespace warpcheck::machine
