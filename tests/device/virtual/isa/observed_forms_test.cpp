// Every row of the instruction table is executed under every observer of a launch: races, the
// digest, the counters with coverage, the origins of undefined values.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.hpp"
#include "device/virtual/isa/decode.hpp"
#include "device/virtual/isa/form.hpp"
#include "ptx/parser.hpp"
#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::isa {
namespace {

constexpr const char* kFolder = WARPCHECK_SOURCE_DIR "/tests/device/virtual/isa/headers/";

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

std::string spelling(const std::string& form) { return form.substr(0, form.find_first_of(" ;")); }

/// The forms in a file, one of each spelling.
std::vector<std::string> forms_in(const std::string& file) {
  std::vector<std::string> forms;
  std::set<std::string> spellings;
  std::ifstream lines(kFolder + file);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('#')) continue;
    const std::string form = line.substr(0, line.find('\t'));
    const auto operands = std::count(form.begin(), form.end(), ',');
    const auto addresses = std::count(form.begin(), form.end(), '[');
    if (spellings.insert(fmt::format("{} {} {}", spelling(form), operands, addresses)).second) {
      forms.push_back(form);
    }
  }
  return forms;
}

/// True if the row accepts the mnemonic, types and modifiers.
bool accepts_spelling(const Form& row, const std::string& spelled) {
  const std::vector<std::string> parts = split(spelled, '.');
  if (parts.front() != row.mnemonic) return false;
  Selection selection;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (const auto type = ptx::type(parts[i])) {
      selection.types.push_back(*type);
    } else {
      selection.modifiers.emplace_back(parts[i]);
    }
  }
  return accepts(row, selection);
}

/// The first alternative of each required modifier and of the types, with registers as operands;
/// empty if the row decodes its operands itself.
std::string form_of(const Form& row) {
  if (row.operands.empty() || row.types == "*") return {};
  std::string form(row.mnemonic);
  for (const std::string& token : split(std::string(row.modifiers), ' ')) {
    if (!token.starts_with('[')) form += "." + split(token, '|').front();
  }
  const std::string types = split(std::string(row.types) + " ", ' ').front();
  for (const std::string& type : split(types, '.')) form += "." + type;
  std::vector<Type> named;
  for (const std::string& type : split(types, '.')) named.push_back(ptx::type(type).value());
  std::string separator = " ";
  unsigned number = 0;
  for (std::string token : split(std::string(row.operands), ' ')) {
    if (token.starts_with('[')) continue;
    if (token.starts_with('=')) token = token.substr(1);
    const Type type = token == "t" || token == "w" ? named.at(0)
                      : token == "u"               ? named.at(1)
                                                   : ptx::type(token).value();
    const unsigned bits = bits_of(type) * (token == "w" ? 2 : 1);
    const char kind = bits == 1 ? 'p' : bits == 16 ? 'h' : bits == 32 ? 'r' : 'd';
    form += fmt::format("{}%{}{}", separator, kind, number++);
    separator = ", ";
  }
  return form + ";";
}

/// The state spaces of the addresses, in their order.
std::vector<std::string> spaces_of(const std::string& form) {
  std::vector<std::string> spaces;
  for (const std::string& part : split(spelling(form), '.')) {
    if (part == "global" || part.starts_with("shared")) spaces.push_back(part);
  }
  if (spaces.empty()) spaces.emplace_back("global");
  return spaces;
}

/// Instructions that define the registers of a form: addresses in brackets, otherwise `value`.
std::string definitions(const std::string& form, unsigned value) {
  static const std::regex kRegister("%([a-z])([0-9]+)|\\[");
  const std::vector<std::string> spaces = spaces_of(form);
  const auto brackets = static_cast<std::size_t>(std::count(form.begin(), form.end(), '['));
  const bool on_object = form.find("mbarrier") != std::string::npos;
  std::set<std::string> defined;
  std::string text;
  std::size_t bracket = 0;
  bool is_address = false;
  for (std::sregex_iterator at(form.begin(), form.end(), kRegister), none; at != none; ++at) {
    const std::string reg = at->str();
    if (reg == "[") {
      ++bracket;
      is_address = true;
      continue;
    }
    const bool address = std::exchange(is_address, false);
    if (!defined.insert(reg).second) continue;
    const char kind = reg[1];
    const std::string type = kind == 'c' || kind == 'h' ? "u16"
                             : kind == 'd'              ? "u64"
                             : kind == 'f'              ? "f32"
                             : kind == 'e'              ? "f64"
                                                        : "u32";
    if (address) {
      const std::string& space = spaces[std::min(bracket, spaces.size()) - 1];
      const bool object = on_object && bracket == brackets;
      const std::string place = object ? "object" : space == "global" ? "%in" : "buffer";
      text += fmt::format("  mov.{} {}, {};\n", type, reg, place);
    } else if (kind == 'p') {
      text += fmt::format("  setp.eq.u32 {}, 0, 0;\n", reg);
    } else if (kind == 'q') {
      text += fmt::format("  mov.b128 {}, {{%in, %in}};\n", reg);
    } else if (kind == 'f' || kind == 'e') {
      text += fmt::format("  mov.{} {}, {};\n", type, reg,
                          kind == 'f' ? "0f3F800000" : "0d3FF0000000000000");
    } else if (kind != 'c') {
      text += fmt::format("  mov.{} {}, {};\n", type, reg, value);
    }
  }
  return text;
}

/// True if all lanes of a warp, or of a warpgroup, execute it together.
bool is_aligned(const std::string& form) { return form.find(".aligned") != std::string::npos; }

/// A kernel with the instruction between two fences, which make the accesses beside them flags.
std::string module_with(const std::string& form, unsigned value) {
  const bool aligned = is_aligned(form);
  return fmt::format(
      ".version 9.0\n.target sm_90a\n.address_size 64\n.shared .align 128 .b8 buffer[1024];\n"
      ".shared .align 8 .b64 object;\n"
      ".visible .entry f(.param .u64 in_parameter, .param .u64 out_parameter)\n{{\n"
      "  .reg .b8 %c<16>;\n  .reg .b16 %h<32>;\n  .reg .b32 %r<160>;\n  .reg .b64 %d<64>;\n"
      "  .reg .b128 %q<8>;\n  .reg .f32 %f<160>;\n  .reg .f64 %e<32>;\n  .reg .pred %p<16>;\n"
      "  .reg .b64 %in;\n  ld.param.u64 %in, [in_parameter];\n"
      "{}{}  fence.acq_rel.cta;\n  {}\n  fence.acq_rel.gpu;\n  ret;\n}}\n",
      aligned ? "" : "  mbarrier.init.shared.b64 [object], 2;\n", definitions(form, value), form);
}

/// True if the machine parses and executes it.
bool is_executed(const std::string& form) {
  try {
    const auto program = decode(ptx::parse(module_with(form, 1), "form.ptx"));
    const auto& ops = program->functions.at(0).ops;
    return std::none_of(ops.begin(), ops.end(), is_unsupported);
  } catch (const InputError&) {
    return false;
  }
}

/// Runs a form under each observer. Returns the first finding; "" without one.
std::string run_observed(const std::string& form, unsigned value) {
  const std::string ptx = module_with(form, value);
  const std::vector<std::byte> in(1024);
  test::Conditions plain = test::kOneThread;
  if (is_aligned(form)) plain.block.x = 128;
  plain.in_access = device::Access::read_write;
  plain.budget = 1 << 12;
  test::Conditions counted = plain;
  counted.count = true;
  counted.cover = true;
  test::Conditions digested = plain;
  digested.digest = true;
  test::Conditions tracked = plain;
  tracked.track_origins = true;
  std::string finding;
  for (const test::Conditions& conditions : {plain, counted, digested, tracked}) {
    finding = test::run_module(ptx, in, 64, conditions).finding();
  }
  return finding;
}

/// The forms of the headers, those of rows with plain operands, and one for each further row.
std::vector<std::string> all_forms() {
  std::vector<std::string> forms = forms_in("forms.txt");
  for (const Form& row : table()) {
    if (std::string form = form_of(row); !form.empty()) forms.push_back(std::move(form));
  }
  const std::vector<std::string> further = forms_in("further_forms.txt");
  forms.insert(forms.end(), further.begin(), further.end());
  return forms;
}

TEST(ObservedForms, EachRowHasAForm) {
  std::map<std::string, std::set<std::string>> spellings;
  for (const std::string& form : all_forms()) {
    spellings[split(spelling(form), '.').front()].insert(spelling(form));
  }
  for (const Form& row : table()) {
    // These need declarations beside the instruction; tests of control flow execute them.
    if (row.mnemonic == "brx" || row.mnemonic == "call") continue;
    const std::set<std::string>& candidates = spellings[std::string(row.mnemonic)];
    EXPECT_TRUE(
        std::any_of(candidates.begin(), candidates.end(),
                    [&](const std::string& spelled) { return accepts_spelling(row, spelled); }))
        << row.mnemonic << ' ' << row.modifiers << " (" << row.types << ')';
  }
}

TEST(ObservedForms, EachFurtherFormIsSupported) {
  for (const std::string& form : forms_in("further_forms.txt")) {
    EXPECT_TRUE(is_executed(form)) << form;
  }
}

TEST(ObservedForms, EachFormRunsUnderEachObserver) {
  unsigned executed = 0;
  unsigned completed = 0;
  for (const std::string& form : all_forms()) {
    if (!is_executed(form)) continue;
    ++executed;
    SCOPED_TRACE(form);
    bool completes = false;
    for (const unsigned value : {1U, 16U}) completes |= run_observed(form, value).empty();
    completed += completes ? 1 : 0;
  }
  EXPECT_GT(executed, 1500U);
  EXPECT_GT(10 * completed, 8 * executed) << completed << " of " << executed << " forms complete";
}

}  // namespace
}  // namespace warpcheck::isa
