// Laws of modules: printing and parsing a generated module gives the same module.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "ptx/parser.hpp"
#include "ptx/printer.hpp"
#include "ptx/scan.hpp"

namespace warpcheck::ptx {
namespace {

constexpr unsigned kRegisters = 6;
constexpr unsigned kParameters = 2;
constexpr unsigned kLabels = 2;

Register any_register() {
  return {static_cast<unsigned>(*rc::gen::inRange(0U, kRegisters)), *rc::gen::arbitrary<bool>()};
}

Register positive_register() { return {any_register().index, false}; }

Integer any_integer() {
  const auto bits = *rc::gen::arbitrary<std::uint64_t>() >> *rc::gen::inRange(1, 64);
  switch (*rc::gen::inRange(0, 3)) {
    case 0:
      return {bits, false};
    case 1:
      return {0 - bits, false};
    default:
      return {bits, true};
  }
}

Float any_float() {
  const auto bits = *rc::gen::arbitrary<std::uint64_t>();
  return *rc::gen::arbitrary<bool>() ? Float{bits & 0xffffffff, true} : Float{bits, false};
}

Symbol any_parameter() { return {Symbol::Kind::parameter, *rc::gen::inRange(0U, kParameters), 0}; }

Element any_element() {
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      return positive_register();
    case 1:
      return any_integer();
    case 2:
      return any_float();
    default:
      return Sink{};
  }
}

Address any_address() {
  Address address;
  if (*rc::gen::arbitrary<bool>()) {
    address.base = positive_register();
  } else {
    address.base = any_parameter();
  }
  address.offset = *rc::gen::inRange<std::int64_t>(-4096, 4096);
  return address;
}

Operand any_operand() {
  switch (*rc::gen::inRange(0, 8)) {
    case 0:
      return any_register();
    case 1:
      return any_integer();
    case 2:
      return any_float();
    case 3:
      return any_address();
    case 4:
      return SpecialRegister{*rc::gen::elementOf(std::vector<std::string>{"tid.x", "laneid"})};
    case 5: {
      Vector vector;
      const auto size = *rc::gen::inRange(1, 5);
      for (int i = 0; i < size; ++i) vector.elements.push_back(any_element());
      return vector;
    }
    case 6:
      return Pair{positive_register(), std::nullopt};
    default:
      return Label{*rc::gen::inRange(0U, kLabels)};
  }
}

Instruction any_instruction() {
  static const std::vector<std::vector<std::string>> kNames = {
      {"mov", "b32"}, {"ld", "global", "v4", "f32"}, {"bra"}, {"bar", "sync"}, {"add", "s32"}};
  Instruction instruction;
  if (*rc::gen::arbitrary<bool>()) instruction.guard = any_register();
  instruction.parts = *rc::gen::elementOf(kNames);
  const auto operands = *rc::gen::inRange(0, 4);
  for (int i = 0; i < operands; ++i) instruction.operands.push_back(any_operand());
  return instruction;
}

/// A kernel with registers %r0, %r1 ..., parameters p0, p1 ... and labels L0, L1 ...
Module any_module() {
  Module module;
  module.version_major = 8;
  module.version_minor = *rc::gen::inRange(0U, 9U);
  module.target = *rc::gen::elementOf(std::vector<std::string>{"sm_80", "sm_90a"});
  Function function;
  function.name = "kernel";
  function.is_entry = true;
  function.linkage = Linkage::visible;
  for (unsigned i = 0; i < kParameters; ++i) {
    Variable parameter;
    parameter.space = StateSpace::param;
    parameter.type = *rc::gen::elementOf(std::vector{Type::u64, Type::f32, Type::s8});
    parameter.alignment = bytes(parameter.type);
    parameter.name = "p" + std::to_string(i);
    function.parameters.push_back(std::move(parameter));
  }
  const Type type = *rc::gen::elementOf(std::vector{Type::b32, Type::f64, Type::pred});
  for (unsigned i = 0; i < kRegisters; ++i) {
    function.registers.push_back({"%r" + std::to_string(i), type});
  }
  const auto count = *rc::gen::inRange(0, 12);
  for (int i = 0; i < count; ++i) function.body.push_back(any_instruction());
  std::size_t target = 0;
  for (unsigned i = 0; i < kLabels; ++i) {
    target = *rc::gen::inRange<std::size_t>(target, function.body.size() + 1);
    function.labels.push_back({"L" + std::to_string(i), target});
  }
  module.functions.push_back(std::move(function));
  return module;
}

/// The modules without one instruction, then those without one operand.
std::vector<Module> smaller_modules(const Module& module) {
  std::vector<Module> smaller;
  const std::vector<Instruction>& body = module.functions[0].body;
  for (std::size_t i = 0; i < body.size(); ++i) {
    Function& function = smaller.emplace_back(module).functions[0];
    function.body.erase(function.body.begin() + static_cast<std::ptrdiff_t>(i));
    for (LabelDeclaration& label : function.labels) label.target -= label.target > i ? 1 : 0;
  }
  for (std::size_t i = 0; i < body.size(); ++i) {
    for (std::size_t operand = 0; operand < body[i].operands.size(); ++operand) {
      auto& operands = smaller.emplace_back(module).functions[0].body[i].operands;
      operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(operand));
    }
  }
  return smaller;
}

}  // namespace

void showValue(const Module& module, std::ostream& out) { out << to_text(module); }

}  // namespace warpcheck::ptx

template <>
struct rc::Arbitrary<warpcheck::ptx::Module> {
  static Gen<warpcheck::ptx::Module> arbitrary() {
    namespace ptx = warpcheck::ptx;
    return gen::shrink(
        gen::noShrink(gen::exec([] { return ptx::any_module(); })),
        [](const ptx::Module& module) { return seq::fromContainer(ptx::smaller_modules(module)); });
  }
};

namespace warpcheck::ptx {
namespace {

RC_GTEST_PROP(ModuleLaw, ParsingThePrintedTextGivesTheModule, (const Module& module)) {
  RC_ASSERT(parse(to_text(module), "law.ptx") == module);
}

RC_GTEST_PROP(ModuleLaw, PrintingTheParsedTextGivesTheText, (const Module& module)) {
  const std::string text = to_text(module);
  RC_ASSERT(to_text(parse(text, "law.ptx")) == text);
}

RC_GTEST_PROP(ModuleLaw, ScanFindsWhatTheParserFinds, (const Module& module)) {
  const std::string text = to_text(module);
  RC_ASSERT(target_architecture(text) == module.target);
  // The printer declares a kernel before it defines it.
  for (const EntryPoint& entry : entry_points(text)) {
    const Function& function = module.functions[0];
    RC_ASSERT(entry.name == function.name);
    RC_ASSERT(entry.parameters.size() == function.parameters.size());
    for (std::size_t i = 0; i < entry.parameters.size(); ++i) {
      RC_ASSERT(entry.parameters[i].bytes == function.parameters[i].bytes());
      RC_ASSERT(entry.parameters[i].floating == is_float(function.parameters[i].type));
    }
  }
  RC_ASSERT(entry_points(text).size() == 2U);
}

}  // namespace
}  // namespace warpcheck::ptx
