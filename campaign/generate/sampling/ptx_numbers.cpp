#include "campaign/generate/sampling/ptx_numbers.hpp"

#include <bit>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "campaign/generate/sampling/tiles.hpp"

namespace warpcheck::campaign::generate {
namespace {

constexpr std::array<const char*, 3> kNames = {"m", "n", "k"};

using contract::ArgumentWord;

constexpr std::int64_t kLeastNumber = 2;
constexpr std::int64_t kMostNumber = 8192;
// A larger number of a loop is rather one of bytes:
constexpr std::int64_t kMostTerms = 256;
constexpr std::int64_t kMostIterations = 32;

/// The origins of a register's value: a set of bits.
using Origin = unsigned;
constexpr Origin kParameter = 1;  // shifted by 0, 1, 2: m, n, k
constexpr Origin kBlock = 8;      // shifted by 0, 1, 2: the block index along x, y, z
constexpr Origin kThread = 64;
constexpr Origin kQuotient = 128;  // the value, or a part of it, was divided or shifted right
constexpr Origin kCounter = 256;   // the register depends on itself

bool is_any_of(std::string_view name, std::initializer_list<std::string_view> names) {
  for (const std::string_view one : names) {
    if (name == one) return true;
  }
  return false;
}

/// Calls visit(register) for each register of an operand.
template <class Visit>
void for_each_register(const ptx::Operand& operand, const Visit& visit) {
  if (const auto* one = std::get_if<ptx::Register>(&operand)) visit(one->index);
  if (const auto* vector = std::get_if<ptx::Vector>(&operand)) {
    for (const ptx::Element& element : vector->elements) {
      if (const auto* one = std::get_if<ptx::Register>(&element)) visit(one->index);
    }
  }
}

Origin of_special_register(std::string_view name) {
  if (name.starts_with("tid") || name == "laneid") return kThread;
  const bool is_block = name.starts_with("ctaid.") || name.starts_with("nctaid.");
  const char axis = name.empty() ? ' ' : name.back();
  return is_block && axis >= 'x' && axis <= 'z' ? kBlock << (axis - 'x') : 0;
}

/// The origins of all registers of a kernel, whatever the order of its instructions.
class Origins {
 public:
  Origins(const ptx::Function& kernel, const contract::LaunchStep& launch)
      : origins_(kernel.registers.size()), sources_(kernel.registers.size()) {
    for (const ptx::Instruction& instruction : kernel.body) add(instruction, launch);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < origins_.size(); ++i) {
        Origin origin = origins_[i];
        for (const unsigned source : sources_[i]) origin |= origins_[source];
        changed = changed || origin != origins_[i];
        origins_[i] = origin;
      }
    }
  }

  [[nodiscard]] Origin of(unsigned index) const {
    return origins_[index] | (depends_on_itself(index) ? kCounter : 0);
  }

 private:
  void add(const ptx::Instruction& instruction, const contract::LaunchStep& launch) {
    if (instruction.parts.empty() || instruction.operands.empty()) return;
    const std::string_view name = instruction.parts.front();
    // A predicate and a value from memory end a chain.
    if (is_any_of(name, {"setp", "st", "red", "call", "bra", "bar", "barrier"})) return;
    const bool loads = is_any_of(name, {"ld", "ldu", "atom", "tex", "ldmatrix", "wmma", "mma"});
    Origin origin = is_any_of(name, {"shr", "div"}) ? kQuotient : 0;
    std::vector<unsigned> sources;
    for (std::size_t i = 1; i < instruction.operands.size(); ++i) {
      const ptx::Operand& operand = instruction.operands[i];
      if (const auto* special = std::get_if<ptx::SpecialRegister>(&operand)) {
        origin |= of_special_register(special->name);
      }
      if (const auto* address = std::get_if<ptx::Address>(&operand)) {
        origin |= of_parameter(*address, launch);
      }
      if (!loads) for_each_register(operand, [&](unsigned index) { sources.push_back(index); });
    }
    for_each_register(instruction.operands.front(), [&](unsigned index) {
      origins_[index] |= origin;
      sources_[index].insert(sources_[index].end(), sources.begin(), sources.end());
    });
  }

  static Origin of_parameter(const ptx::Address& address, const contract::LaunchStep& launch) {
    const auto* symbol = std::get_if<ptx::Symbol>(&address.base);
    if (symbol == nullptr || symbol->kind != ptx::Symbol::Kind::parameter ||
        symbol->index >= launch.arguments.size()) {
      return 0;
    }
    switch (launch.arguments[symbol->index].word) {
      case ArgumentWord::m:
        return kParameter;
      case ArgumentWord::n:
        return kParameter << 1;
      case ArgumentWord::k:
        return kParameter << 2;
      default:
        return 0;
    }
  }

  [[nodiscard]] bool depends_on_itself(unsigned index) const {
    std::vector<bool> seen(origins_.size(), false);
    std::vector<unsigned> open(sources_[index]);
    while (!open.empty()) {
      const unsigned next = open.back();
      open.pop_back();
      if (next == index) return true;
      if (seen[next]) continue;
      seen[next] = true;
      open.insert(open.end(), sources_[next].begin(), sources_[next].end());
    }
    return false;
  }

  std::vector<Origin> origins_;
  std::vector<std::vector<unsigned>> sources_;
};

/// An immediate operand of an instruction and the register that it applies to.
struct Use {
  std::int64_t number = 0;
  unsigned other = 0;
  bool compares = false;
};

/// Returns the number that an immediate stands for: 32 for a shift by 5 and for a mask of 31.
std::optional<std::int64_t> meaning(std::string_view name, std::int64_t value) {
  if (name == "shr")
    return value >= 1 && value <= 13 ? std::optional(std::int64_t{1} << value) : std::nullopt;
  if (name != "and") return value;
  const bool is_mask = value > 0 && std::has_single_bit(static_cast<std::uint64_t>(value) + 1);
  return is_mask ? std::optional(value + 1) : std::nullopt;
}

std::optional<Use> use_in(const ptx::Instruction& instruction) {
  if (instruction.parts.empty() || instruction.operands.size() < 3) return std::nullopt;
  const std::string_view name = instruction.parts.front();
  if (!is_any_of(name, {"setp", "set", "min", "max", "div", "rem", "and", "shr"})) {
    return std::nullopt;
  }
  std::optional<Use> use;
  std::optional<unsigned> other;
  for (std::size_t i = 1; i < 3; ++i) {
    const ptx::Operand& operand = instruction.operands[i];
    if (const auto* one = std::get_if<ptx::Register>(&operand)) other = one->index;
    if (const auto* integer = std::get_if<ptx::Integer>(&operand)) {
      const auto number = meaning(name, static_cast<std::int64_t>(integer->bits));
      if (number && *number >= kLeastNumber && *number <= kMostNumber) {
        use = Use{*number, 0, is_any_of(name, {"setp", "set", "min", "max"})};
      }
    }
  }
  if (!use || !other) return std::nullopt;
  use->other = *other;
  return use;
}

/// Returns true if the value depends on a block index along an axis that depends on the extent.
bool is_block_of(Origin origin, const contract::LaunchStep& launch, const char* extent) {
  for (std::size_t axis = 0; axis < launch.grid.size(); ++axis) {
    if ((origin & (kBlock << axis)) != 0 && launch.grid.at(axis).names().contains(extent)) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::array<PtxNumbers, 3> ptx_numbers(const ptx::Function& kernel,
                                      const contract::LaunchStep& launch) {
  const Origins origins(kernel, launch);
  std::array<PtxNumbers, 3> numbers;
  for (const ptx::Instruction& instruction : kernel.body) {
    const std::optional<Use> use = use_in(instruction);
    if (!use) continue;
    const Origin origin = origins.of(use->other);
    for (std::size_t extent = 0; extent < numbers.size(); ++extent) {
      const bool of_size = (origin & (kParameter << extent)) != 0;
      const bool of_block = is_block_of(origin, launch, kNames.at(extent));
      const bool of_counter = extent == 2 && origin == kCounter && use->number <= kMostIterations;
      const bool of_thread = (origin & kThread) != 0;
      if (of_size || (of_block && of_thread) || of_counter) {
        numbers.at(extent).elements.insert(use->number);
      }
      const bool of_count = of_size && use->compares && (origin & kQuotient) != 0;
      if (((of_block || of_count) && !of_thread) ||
          (of_counter && use->number <= kMostIterations)) {
        numbers.at(extent).tiles.insert(use->number);
        // An index above 31 exists from the 33rd block on: one tile beyond 32.
        if (of_block && use->compares) numbers.at(extent).tiles.insert(use->number + 1);
      }
    }
  }
  return numbers;
}

}  // namespace warpcheck::campaign::generate
