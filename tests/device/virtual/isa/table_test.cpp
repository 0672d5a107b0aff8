// The instruction table: its rows do not overlap, are complete, and have semantics for every
// instruction that they accept.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "device/virtual/isa/decode.hpp"
#include "device/virtual/isa/form.hpp"
#include "device/virtual/isa/lowering.hpp"
#include "ptx/parser.hpp"
#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::isa {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end != 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

/// Every combination of modifiers that a row accepts.
std::vector<std::vector<std::string_view>> modifiers_of(const Form& form) {
  std::vector<std::vector<std::string_view>> all{{}};
  for (std::string_view token : split(form.modifiers, ' ')) {
    const bool optional = token.front() == '[';
    if (optional) token = token.substr(1, token.size() - 2);
    std::vector<std::vector<std::string_view>> longer;
    if (optional) longer = all;
    for (const std::string_view modifier : split(token, '|')) {
      for (auto one : all) {
        one.push_back(modifier);
        longer.push_back(std::move(one));
      }
    }
    all = std::move(longer);
  }
  return all;
}

std::vector<std::vector<Type>> types_of(const Form& form) {
  std::vector<std::vector<Type>> all;
  for (const std::string_view alternative : split(form.types, ' ')) {
    std::vector<Type> types;
    for (const std::string_view name : split(alternative, '.')) {
      types.push_back(ptx::type(name).value());
    }
    all.push_back(std::move(types));
  }
  if (all.empty()) all.emplace_back();
  return all;
}

std::vector<Selection> selections_of(const Form& form) {
  std::vector<Selection> all;
  for (const auto& modifiers : modifiers_of(form)) {
    for (const auto& types : types_of(form)) all.push_back({types, modifiers});
  }
  return all;
}

std::string form_spelling(const Form& form, const Selection& selection) {
  std::string text(form.mnemonic);
  for (const std::string_view modifier : selection.modifiers) text += fmt::format(".{}", modifier);
  for (const Type type : selection.types) text += fmt::format(".{}", ptx::name(type));
  return text;
}

std::map<std::string_view, std::vector<const Form*>> rows_by_mnemonic() {
  std::map<std::string_view, std::vector<const Form*>> rows;
  for (const Form& form : table()) rows[form.mnemonic].push_back(&form);
  return rows;
}

/// The types, of one row's, that each of two rows accepts.
std::vector<std::vector<Type>> common_types(const Form& one, const Form& other) {
  std::vector<std::vector<Type>> common;
  const auto others = types_of(other);
  for (const auto& types : types_of(one)) {
    if (std::find(others.begin(), others.end(), types) != others.end()) common.push_back(types);
  }
  return common;
}

// A row accepts its types with each of its modifiers.
TEST(Table, NoTwoRowsAcceptTheSameInstruction) {
  for (const auto& [mnemonic, rows] : rows_by_mnemonic()) {
    if (rows.size() == 1) continue;
    for (const Form* row : rows) {
      const auto modifiers_of_row = modifiers_of(*row);
      for (const Form* other : rows) {
        const auto types = common_types(*row, *other);
        if (types.empty()) continue;
        for (const auto& modifiers : modifiers_of_row) {
          const Selection selection{types.front(), modifiers};
          ASSERT_EQ(accepts(*other, selection), other == row) << form_spelling(*row, selection);
        }
      }
    }
  }
}

TEST(Table, EveryRowNamesASectionOfTheManual) {
  for (const Form& form : table()) {
    const auto parts = split(form.section, '.');
    ASSERT_GE(parts.size(), 3U) << form.mnemonic;
    EXPECT_EQ(parts[0], "9") << form.mnemonic;
    EXPECT_EQ(parts[1], "7") << form.mnemonic;
  }
}

TEST(Table, EveryRowEitherBindsOrLowers) {
  for (const Form& form : table()) {
    EXPECT_NE(form.bind == nullptr, form.lower == nullptr) << form.mnemonic << ' ' << form.types;
    if (form.bind != nullptr) {
      EXPECT_FALSE(form.operands.empty()) << form.mnemonic;
    }
  }
}

/// Combinations that PTX does not have although the row accepts each of their parts.
bool is_illegal_in_ptx(const Form& form, const Selection& s) {
  // .xorsign requires .abs; .abs alone is a modifier of the forms with three operands.
  if (form.mnemonic == "min" || form.mnemonic == "max") return s.has("xorsign") != s.has("abs");
  // .ftz applies to the f32 operand that slct compares.
  if (form.mnemonic == "slct") return s.has("ftz") && s.type(1) != Type::f32;
  return false;
}

/// A register for the operand token.
std::string operand_text(std::string_view token, const Selection& selection) {
  if (token.front() == '=') token.remove_prefix(1);
  Type type = Type::none;
  if (token == "t") type = selection.type(0);
  if (token == "u") type = selection.type(1);
  unsigned bits = token == "w" ? 2 * bits_of(selection.type(0)) : 0;
  if (token != "t" && token != "u" && token != "w") type = ptx::type(token).value();
  if (bits == 0) bits = bits_of(type);
  return bits == 1 ? "%p1" : bits == 16 ? "%h1" : bits == 32 ? "%r1" : "%d1";
}

TEST(Table, EveryAcceptedCombinationIsDecodedOrIllegal) {
  for (const Form& form : table()) {
    if (form.operands.empty()) continue;
    std::string text;
    std::vector<Selection> selections = selections_of(form);
    for (const Selection& selection : selections) {
      std::string line = form_spelling(form, selection);
      std::string separator = " ";
      for (const std::string_view token : split(form.operands, ' ')) {
        line += separator + operand_text(token, selection);
        separator = ", ";
      }
      text += line + ";\n";
    }
    const auto program = decode(ptx::parse(test::entry(text), "table.ptx"));
    std::size_t first = 0;
    const auto& ops = program->functions[0].ops;
    const auto& body = program->module.functions[0].body;
    while (body[first].parts.front() != form.mnemonic ||
           body.size() - 1 - first != selections.size()) {
      ++first;
    }
    for (const machine::Op& op : ops) {
      if (op.instruction < first || op.instruction - first >= selections.size()) continue;
      const Selection& selection = selections[op.instruction - first];
      EXPECT_EQ(is_unsupported(op), is_illegal_in_ptx(form, selection))
          << form_spelling(form, selection) << ": " << op.detail->message;
    }
  }
}

}  // namespace
}  // namespace warpcheck::isa
