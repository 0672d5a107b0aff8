#include "ptx/analysis/number_uses.hpp"

#include <bit>
#include <optional>
#include <string_view>

#include "ptx/analysis/registers.hpp"

namespace warpcheck::ptx::analysis {
namespace {

void add_special_register(std::string_view name, Origin& origin) {
  if (name.starts_with("tid") || name == "laneid") origin.thread = true;
  const bool is_block = name.starts_with("ctaid.") || name.starts_with("nctaid.");
  const char axis = name.empty() ? ' ' : name.back();
  if (is_block && axis >= 'x' && axis <= 'z') origin.block_axes |= 1U << (axis - 'x');
}

/// Predicates, values of other threads and values from memory end a chain.
bool ends_chain(const Instruction& instruction) {
  return has_mnemonic(instruction,
                      {"setp", "st", "red", "call", "bra", "bar", "barrier", "shfl", "match"});
}

/// The registers on whose values the result depends.
std::vector<unsigned> sources_of(const Instruction& instruction) {
  std::vector<unsigned> sources;
  if (has_mnemonic(instruction, {"ld", "ldu", "atom", "tex", "ldmatrix", "wmma", "mma"})) {
    return sources;
  }
  for (std::size_t i = 1; i < instruction.operands.size(); ++i) {
    if (std::holds_alternative<Address>(instruction.operands[i])) continue;
    const std::vector<unsigned> more = registers_of(instruction.operands[i]);
    sources.insert(sources.end(), more.begin(), more.end());
  }
  return sources;
}

/// The origins of all registers of a kernel.
class Origins {
 public:
  explicit Origins(const Function& kernel)
      : origins_(kernel.registers.size()), sources_(kernel.registers.size()) {
    join_results(kernel, origins_,
                 [](const Instruction& one, const auto& values) { return result(one, values); });
    for (const Instruction& instruction : kernel.body) {
      if (instruction.operands.empty() || ends_chain(instruction)) continue;
      const std::vector<unsigned> sources = sources_of(instruction);
      for (const unsigned reg : written_registers(instruction.operands.front())) {
        sources_[reg].insert(sources_[reg].end(), sources.begin(), sources.end());
      }
    }
  }

  [[nodiscard]] Origin of(unsigned reg) const {
    Origin origin = origins_[reg];
    origin.counter = depends_on_itself(reg);
    return origin;
  }

 private:
  static Origin result(const Instruction& instruction, const std::vector<Origin>& values) {
    Origin origin;
    if (ends_chain(instruction)) return origin;
    origin.quotient = has_mnemonic(instruction, {"shr", "div"});
    for (std::size_t i = 1; i < instruction.operands.size(); ++i) {
      if (const auto* special = operand<SpecialRegister>(instruction, i)) {
        add_special_register(special->name, origin);
      }
      const auto parameter = parameter_of(instruction.operands[i]);
      if (parameter && *parameter < kMostParameters) {
        origin.parameters |= std::uint64_t{1} << *parameter;
      }
    }
    for (const unsigned source : sources_of(instruction)) origin |= values[source];
    return origin;
  }

  [[nodiscard]] bool depends_on_itself(unsigned reg) const {
    std::vector<bool> seen(origins_.size(), false);
    std::vector<unsigned> open(sources_[reg]);
    while (!open.empty()) {
      const unsigned next = open.back();
      open.pop_back();
      if (next == reg) return true;
      if (seen[next]) continue;
      seen[next] = true;
      open.insert(open.end(), sources_[next].begin(), sources_[next].end());
    }
    return false;
  }

  std::vector<Origin> origins_;
  std::vector<std::vector<unsigned>> sources_;
};

/// The number that an immediate stands for.
std::optional<std::int64_t> meaning(std::string_view name, std::int64_t value) {
  if (name == "shr")
    return value >= 1 && value <= 13 ? std::optional(std::int64_t{1} << value) : std::nullopt;
  if (name != "and") return value;
  const bool is_mask = value > 0 && std::has_single_bit(static_cast<std::uint64_t>(value) + 1);
  return is_mask ? std::optional(value + 1) : std::nullopt;
}

}  // namespace

Origin& Origin::operator|=(const Origin& other) {
  parameters |= other.parameters;
  block_axes |= other.block_axes;
  thread = thread || other.thread;
  quotient = quotient || other.quotient;
  counter = counter || other.counter;
  return *this;
}

std::vector<NumberUse> number_uses(const Function& kernel, std::int64_t least, std::int64_t most) {
  const Origins origins(kernel);
  std::vector<NumberUse> uses;
  for (const Instruction& instruction : kernel.body) {
    const bool compares = has_mnemonic(instruction, {"setp", "set", "min", "max"});
    if (!compares && !has_mnemonic(instruction, {"div", "rem", "and", "shr"})) continue;
    std::optional<std::int64_t> number;
    const Register* other = nullptr;
    for (const std::size_t i : {1U, 2U}) {
      if (const auto* reg = operand<Register>(instruction, i)) other = reg;
      const auto* const integer = operand<Integer>(instruction, i);
      if (integer == nullptr) continue;
      const auto found = meaning(mnemonic(instruction), static_cast<std::int64_t>(integer->bits));
      if (found && *found >= least && *found <= most) number = found;
    }
    if (number && other != nullptr) uses.push_back({*number, compares, origins.of(other->index)});
  }
  return uses;
}

}  // namespace warpcheck::ptx::analysis
