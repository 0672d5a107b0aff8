#include "campaign/generate/sampling/narrow_index.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

namespace warpcheck::campaign::generate {
namespace {

constexpr unsigned kMost = 64;  // bits of a set

/// The parts of a register's value.
struct Parts {
  std::uint64_t parameters = 0;  // bit i: parameter i
  std::uint64_t products = 0;    // bit i: narrow product i
  bool block_z = false;          // the index of the block along z

  Parts& operator|=(const Parts& other) {
    parameters |= other.parameters;
    products |= other.products;
    block_z = block_z || other.block_z;
    return *this;
  }
  friend bool operator==(const Parts&, const Parts&) = default;
};

/// The instructions whose result contains their operands as terms or factors.
bool passes_on(std::string_view name) {
  constexpr std::array<std::string_view, 12> kNames = {"mov", "add",  "sub",  "mul", "mad", "shl",
                                                       "cvt", "cvta", "selp", "min", "max", "neg"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

const ptx::Register* register_of(const ptx::Instruction& instruction, std::size_t operand) {
  return operand < instruction.operands.size()
             ? std::get_if<ptx::Register>(&instruction.operands[operand])
             : nullptr;
}

/// Returns true for a product of two registers of which only the lower 32 bits remain.
bool is_narrow_product(const ptx::Instruction& instruction) {
  const std::vector<std::string>& parts = instruction.parts;
  if (parts.size() < 3 || (parts[0] != "mul" && parts[0] != "mad") || parts[1] != "lo") {
    return false;
  }
  const bool is_narrow = parts[2] == "s32" || parts[2] == "u32";
  return is_narrow && register_of(instruction, 1) != nullptr &&
         register_of(instruction, 2) != nullptr;
}

class Flow {
 public:
  explicit Flow(const ptx::Function& kernel) : kernel_(kernel), parts_(kernel.registers.size()) {
    while (step()) {
    }
    for (const ptx::Instruction& instruction : kernel.body) {
      if (products_.size() < kMost && is_narrow_product(instruction) &&
          factors(instruction).parameters != 0) {
        products_.push_back(&instruction);
      }
    }
    while (!products_.empty() && step()) {
    }
  }

  /// The instructions that Parts::products counts.
  [[nodiscard]] const std::vector<const ptx::Instruction*>& products() const { return products_; }

  /// Returns the parts of the factors of a product.
  [[nodiscard]] Parts factors(const ptx::Instruction& product) const {
    Parts all = of(product, 1);
    return all |= of(product, 2);
  }

  /// Returns the parts of the addresses that an instruction accesses.
  [[nodiscard]] Parts address(const ptx::Instruction& instruction) const {
    Parts all;
    for (const ptx::Operand& operand : instruction.operands) {
      const auto* address = std::get_if<ptx::Address>(&operand);
      const auto* base = address == nullptr ? nullptr : std::get_if<ptx::Register>(&address->base);
      if (base != nullptr) all |= parts_[base->index];
    }
    return all;
  }

 private:
  [[nodiscard]] Parts of(const ptx::Instruction& instruction, std::size_t operand) const {
    const ptx::Register* const one = register_of(instruction, operand);
    return one == nullptr ? Parts{} : parts_[one->index];
  }

  /// Returns the parts of an instruction's result.
  [[nodiscard]] Parts result(const ptx::Instruction& instruction) const {
    Parts all;
    if (instruction.parts.front() == "ld") {
      const auto* address = std::get_if<ptx::Address>(&instruction.operands.at(1));
      const auto* symbol = address == nullptr ? nullptr : std::get_if<ptx::Symbol>(&address->base);
      if (symbol != nullptr && symbol->kind == ptx::Symbol::Kind::parameter &&
          symbol->index < kMost) {
        all.parameters = std::uint64_t{1} << symbol->index;
      }
      return all;
    }
    if (!passes_on(instruction.parts.front())) return all;
    const auto* const special = std::get_if<ptx::SpecialRegister>(&instruction.operands[1]);
    all.block_z = special != nullptr && special->name == "ctaid.z";
    for (std::size_t i = 1; i < instruction.operands.size(); ++i) all |= of(instruction, i);
    // A remainder is a - a / n * n, which is exact in 32 bits.
    if (instruction.parts.front() == "sub") all.products = of(instruction, 1).products;
    const auto product = std::find(products_.begin(), products_.end(), &instruction);
    if (product != products_.end()) {
      all.products |= std::uint64_t{1} << (product - products_.begin());
    }
    return all;
  }

  /// Returns true if the parts of a register changed.
  bool step() {
    bool changed = false;
    for (const ptx::Instruction& instruction : kernel_.body) {
      if (instruction.parts.empty() || instruction.operands.size() < 2) continue;
      const ptx::Register* const to = register_of(instruction, 0);
      if (to == nullptr) continue;
      Parts all = parts_[to->index];
      all |= result(instruction);
      changed = changed || !(all == parts_[to->index]);
      parts_[to->index] = all;
    }
    return changed;
  }

  const ptx::Function& kernel_;
  std::vector<Parts> parts_;  // indexed by register
  std::vector<const ptx::Instruction*> products_;
};

/// Returns the set of the parameters that count matrices, or elements from one to the next.
std::uint64_t parameters_of_batch(const contract::LaunchStep& launch) {
  using contract::ArgumentWord;
  constexpr std::array kWords = {ArgumentWord::batch, ArgumentWord::stride_a,
                                 ArgumentWord::stride_b, ArgumentWord::stride_c,
                                 ArgumentWord::stride_d};
  std::uint64_t set = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(launch.arguments.size(), kMost); ++i) {
    const bool is_one =
        std::find(kWords.begin(), kWords.end(), launch.arguments[i].word) != kWords.end();
    set |= static_cast<std::uint64_t>(is_one) << i;
  }
  return set;
}

NarrowIndex place_of(const ptx::Module& module, const ptx::Instruction& product,
                     const contract::Argument& buffer) {
  NarrowIndex found;
  found.buffer = buffer.word;
  if (buffer.word == contract::ArgumentWord::tensor) found.tensor = buffer.text;
  if (product.location) {
    const ptx::SourceLine& line = module.locations[*product.location].outermost();
    found.file = module.file(line.file);
    found.line = line.line;
  }
  return found;
}

}  // namespace

std::vector<NarrowIndex> narrow_indices(const ptx::Module& module, const ptx::Function& kernel,
                                        const contract::LaunchStep& launch) {
  const Flow flow(kernel);
  const std::uint64_t of_batch = parameters_of_batch(launch);
  std::vector<NarrowIndex> all;
  for (const ptx::Instruction& instruction : kernel.body) {
    const Parts parts = flow.address(instruction);
    for (std::size_t p = 0; p < flow.products().size(); ++p) {
      if ((parts.products >> p & 1) == 0) continue;
      for (std::size_t i = 0; i < std::min<std::size_t>(launch.arguments.size(), kMost); ++i) {
        const contract::Argument& argument = launch.arguments[i];
        const bool is_address =
            contract::is_buffer(argument.word) || argument.word == contract::ArgumentWord::tensor;
        if ((parts.parameters >> i & 1) == 0 || !is_address) continue;
        NarrowIndex found = place_of(module, *flow.products()[p], argument);
        const Parts factors = flow.factors(*flow.products()[p]);
        found.spans_batch = (factors.products & ~(std::uint64_t{1} << p)) != 0 || factors.block_z ||
                            (factors.parameters & of_batch) != 0;
        if (std::find(all.begin(), all.end(), found) == all.end()) all.push_back(std::move(found));
      }
    }
  }
  return all;
}

}  // namespace warpcheck::campaign::generate
