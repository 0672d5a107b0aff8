#include "ptx/analysis/narrow_products.hpp"

#include <algorithm>

#include "ptx/analysis/registers.hpp"

namespace warpcheck::ptx::analysis {
namespace {

constexpr std::size_t kMostProducts = 64;  // bits of a set

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

/// True for a product of two registers of which only the lower 32 bits remain.
bool is_narrow_product(const Instruction& instruction) {
  const std::vector<std::string>& parts = instruction.parts;
  if (parts.size() < 3 || !has_mnemonic(instruction, {"mul", "mad"}) || parts[1] != "lo") {
    return false;
  }
  return (parts[2] == "s32" || parts[2] == "u32") && operand<Register>(instruction, 1) != nullptr &&
         operand<Register>(instruction, 2) != nullptr;
}

class Flow {
 public:
  explicit Flow(const Function& kernel) : parts_(kernel.registers.size()) {
    follow(kernel);
    for (const Instruction& instruction : kernel.body) {
      if (products_.size() < kMostProducts && is_narrow_product(instruction) &&
          factors(instruction).parameters != 0) {
        products_.push_back(&instruction);
      }
    }
    if (!products_.empty()) follow(kernel);
  }

  /// The instructions that Parts::products counts.
  [[nodiscard]] const std::vector<const Instruction*>& products() const { return products_; }

  /// The parts of the factors of a product.
  [[nodiscard]] Parts factors(const Instruction& product) const {
    Parts all = of(product, 1, parts_);
    return all |= of(product, 2, parts_);
  }

  /// The parts of the addresses that an instruction accesses.
  [[nodiscard]] Parts address(const Instruction& instruction) const {
    Parts all;
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
      const auto* address = operand<Address>(instruction, i);
      const auto* base = address == nullptr ? nullptr : std::get_if<Register>(&address->base);
      if (base != nullptr) all |= parts_[base->index];
    }
    return all;
  }

 private:
  void follow(const Function& kernel) {
    join_results(kernel, parts_, [&](const Instruction& one, const std::vector<Parts>& values) {
      return operand<Register>(one, 0) == nullptr ? Parts{} : result(one, values);
    });
  }

  static Parts of(const Instruction& instruction, std::size_t index,
                  const std::vector<Parts>& values) {
    const auto* const one = operand<Register>(instruction, index);
    return one == nullptr ? Parts{} : values[one->index];
  }

  /// The parts of an instruction's result.
  [[nodiscard]] Parts result(const Instruction& instruction,
                             const std::vector<Parts>& values) const {
    Parts all;
    if (mnemonic(instruction) == "ld") {
      const auto parameter = parameter_of(instruction.operands[1]);
      if (parameter && *parameter < kMostParameters)
        all.parameters = std::uint64_t{1} << *parameter;
      return all;
    }
    // The result of these contains their operands as terms or factors.
    if (!has_mnemonic(instruction, {"mov", "add", "sub", "mul", "mad", "shl", "cvt", "cvta", "selp",
                                    "min", "max", "neg"})) {
      return all;
    }
    const auto* const special = operand<SpecialRegister>(instruction, 1);
    all.block_z = special != nullptr && special->name == "ctaid.z";
    for (std::size_t i = 1; i < instruction.operands.size(); ++i) all |= of(instruction, i, values);
    // A remainder is a - a / n * n, which is exact in 32 bits.
    if (mnemonic(instruction) == "sub") all.products = of(instruction, 1, values).products;
    const auto product = std::find(products_.begin(), products_.end(), &instruction);
    if (product != products_.end()) {
      all.products |= std::uint64_t{1} << (product - products_.begin());
    }
    return all;
  }

  std::vector<Parts> parts_;  // indexed by register
  std::vector<const Instruction*> products_;
};

}  // namespace

std::vector<NarrowProduct> narrow_products(const Function& kernel) {
  const Flow flow(kernel);
  std::vector<NarrowProduct> found;
  for (const Instruction& instruction : kernel.body) {
    const Parts address = flow.address(instruction);
    for (std::size_t i = 0; i < flow.products().size(); ++i) {
      const std::uint64_t own = std::uint64_t{1} << i;
      if ((address.products & own) == 0) continue;
      const Parts factors = flow.factors(*flow.products()[i]);
      found.push_back({flow.products()[i], address.parameters, factors.parameters,
                       (factors.products & ~own) != 0, factors.block_z});
    }
  }
  return found;
}

}  // namespace warpcheck::ptx::analysis
