// Instruction forms of the inline assembly in the CUDA Toolkit's headers (scripts/header-forms):
// each is executed, or docs/instructions.md lists it as unsupported.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "device/virtual/isa/decode.hpp"
#include "ptx/parser.hpp"

namespace warpcheck::isa {
namespace {

constexpr const char* kForms = WARPCHECK_SOURCE_DIR "/tests/device/virtual/isa/headers/forms.txt";
constexpr const char* kPage = WARPCHECK_SOURCE_DIR "/docs/instructions.md";
constexpr std::string_view kBegin =
    "<!-- generated: tests/device/virtual/isa/header_forms_test.cpp -->\n";
constexpr std::string_view kEnd = "<!-- end of the generated part -->\n";

struct HeaderForm {
  std::string text;    // "add.f16 %h0, %h1, %h2;"
  std::string groups;  // "bf16, fp16"
  std::string reason;  // empty: executed
};

std::string contents(const char* path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string spelling(const HeaderForm& form) {
  return form.text.substr(0, form.text.find_first_of(" ;"));
}

std::string module_with(std::string_view instruction) {
  return fmt::format(
      ".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry f(.param .u64 in)\n{{\n"
      ".reg .b8 %c<16>;\n.reg .b16 %h<32>;\n.reg .b32 %r<160>;\n.reg .b64 %d<64>;\n.reg .b128 "
      "%q<8>;\n"
      ".reg .f32 %f<160>;\n.reg .f64 %e<32>;\n.reg .pred %p<16>;\n{}\nret;\n}}\n",
      instruction);
}

/// The reason why the instruction is not executed; "" if it is.
std::string refusal(const std::string& instruction) {
  try {
    const auto program = decode(ptx::parse(module_with(instruction), "form.ptx"));
    for (const machine::Op& op : program->functions.at(0).ops) {
      if (is_unsupported(op)) return op.detail->message;
    }
    return "";
  } catch (const InputError& error) {
    return std::string("not parsed: ") + error.what();
  }
}

std::vector<HeaderForm> read_forms() {
  std::vector<HeaderForm> forms;
  std::istringstream lines(contents(kForms));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('#')) continue;
    const std::size_t first = line.find('\t');
    const std::size_t second = line.find('\t', first + 1);
    HeaderForm form{line.substr(0, first), line.substr(first + 1, second - first - 1), {}};
    form.reason = refusal(form.text);
    forms.push_back(std::move(form));
  }
  return forms;
}

const std::vector<HeaderForm>& header_forms() {
  static const std::vector<HeaderForm> forms = read_forms();
  return forms;
}

struct Count {
  unsigned forms = 0;
  unsigned executed = 0;

  void add(const HeaderForm& form) {
    ++forms;
    executed += form.reason.empty() ? 1U : 0U;
  }
};

template <class Name>
std::string table_of(const std::vector<HeaderForm>& forms, std::string_view heading,
                     Name names_of) {
  std::map<std::string, Count> counts;
  Count all;
  for (const HeaderForm& form : forms) {
    for (const std::string& name : names_of(form)) counts[name].add(form);
    all.add(form);
  }
  std::string text =
      fmt::format("| {} | forms | executed | unsupported |\n|---|---:|---:|---:|\n", heading);
  const auto row = [&](std::string_view name, const Count& count) {
    text += fmt::format("| {} | {} | {} | {} |\n", name, count.forms, count.executed,
                        count.forms - count.executed);
  };
  for (const auto& [name, count] : counts) row(name, count);
  row("all", all);
  return text;
}

std::vector<std::string> groups_of(const HeaderForm& form) {
  std::vector<std::string> groups;
  std::istringstream names(form.groups);
  for (std::string name; std::getline(names >> std::ws, name, ',');) groups.push_back(name);
  return groups;
}

/// Unsupported forms by spelling, with the number of their forms.
std::string unsupported_list(const std::vector<HeaderForm>& forms) {
  std::map<std::string, std::pair<unsigned, std::set<std::string>>> spellings;
  for (const HeaderForm& form : forms) {
    if (form.reason.empty()) continue;
    auto& [count, groups] = spellings[spelling(form)];
    ++count;
    for (std::string& group : groups_of(form)) groups.insert(std::move(group));
  }
  std::string text = "| unsupported | forms | headers |\n|---|---:|---|\n";
  for (const auto& [name, entry] : spellings) {
    text += fmt::format("| `{}` | {} | {} |\n", name, entry.first, fmt::join(entry.second, ", "));
  }
  return text;
}

std::string generated(const std::vector<HeaderForm>& forms) {
  const auto mnemonic = [](const HeaderForm& form) {
    return std::vector{fmt::format("`{}`", form.text.substr(0, form.text.find_first_of(" .;")))};
  };
  return fmt::format("\n## By header\n\n{}\n## By instruction\n\n{}\n## Unsupported forms\n\n{}\n",
                     table_of(forms, "headers", groups_of),
                     table_of(forms, "instruction", mnemonic), unsupported_list(forms));
}

/// With WARPCHECK_WRITE_PAGES in the environment the test writes the page.
TEST(HeaderForms, PageListsWhatIsExecutedAndWhatIsNot) {
  const std::vector<HeaderForm>& forms = header_forms();
  ASSERT_GT(forms.size(), 1000U);
  const std::string page = contents(kPage);
  const std::size_t begin = page.find(kBegin);
  const std::size_t end = page.find(kEnd);
  ASSERT_TRUE(begin != std::string::npos && end != std::string::npos) << kPage;
  const std::string expected = generated(forms);
  const std::size_t first = begin + kBegin.size();
  if (std::getenv("WARPCHECK_WRITE_PAGES") != nullptr) {
    std::ofstream(kPage) << page.substr(0, first) << expected << page.substr(end);
    return;
  }
  EXPECT_EQ(page.substr(first, end - first), expected)
      << "WARPCHECK_WRITE_PAGES=1 test_isa --gtest_filter=HeaderForms.* writes " << kPage;
}

TEST(HeaderForms, EveryFormIsParsed) {
  for (const HeaderForm& form : header_forms()) {
    EXPECT_FALSE(form.reason.starts_with("not parsed")) << form.text << ' ' << form.reason;
  }
}

}  // namespace
}  // namespace warpcheck::isa
