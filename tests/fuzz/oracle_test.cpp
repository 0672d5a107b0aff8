// The oracle of the fuzz target `semantics` against the silicon's recorded results.
#include "fuzz/oracle.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "tests/golden/forms/inputs.hpp"
#include "tests/golden/results/results.hpp"

namespace warpcheck::fuzz {
namespace {

namespace fs = std::filesystem;
using golden::Form;

golden::Record record_of(const golden::File& file, std::string_view name) {
  for (const golden::Record& entry : file.records) {
    if (entry.name == name) return entry;
  }
  return {};
}

golden::File read_file(const fs::path& path, const std::vector<Form>& forms) {
  std::ifstream stream(path);
  return golden::read(std::string{std::istreambuf_iterator<char>(stream), {}}, forms);
}

/// The first difference, and how many results were compared.
std::string difference(const Form& form, const Oracle& oracle, const golden::Results& kept,
                       std::size_t& compared) {
  for (std::size_t tuple = 0; tuple < kept.size(); ++tuple) {
    const std::vector<std::uint64_t> in = golden::inputs(form, tuple);
    const auto expected = oracle(in);
    if (!expected) continue;
    ++compared;
    if (*expected != kept[tuple]) {
      return fmt::format("{} of {:#x}: {:#x}, on the silicon {:#x}", form.name, fmt::join(in, " "),
                         *expected, kept[tuple]);
    }
  }
  return "";
}

TEST(Oracle, AgreesWithTheSiliconOnEveryRecordedResult) {
  const std::vector<Form> forms = golden::all_forms();
  std::map<std::string, golden::Results> kept;
  for (const auto& entry : fs::directory_iterator(WARPCHECK_SOURCE_DIR "/tests/golden/sm_90")) {
    if (entry.path().extension() != ".golden") continue;
    for (const golden::Record& record : read_file(entry.path(), forms).records) {
      kept[record.name] = record.kept;
    }
  }
  std::size_t known = 0;
  std::size_t compared = 0;
  for (const Form& form : forms) {
    const Oracle form_oracle = oracle(form);
    if (!form_oracle) continue;
    ++known;
    EXPECT_EQ(difference(form, form_oracle, kept.at(form.name), compared), "");
  }
  EXPECT_GT(known, 900U);
  EXPECT_GT(compared, 100'000U);
  fmt::print("  {} of {} forms, {} results\n", known, forms.size(), compared);
}

TEST(Oracle, OneWrongBitIsADifference) {
  const std::vector<Form> forms = golden::all_forms();
  const golden::File file = read_file(WARPCHECK_SOURCE_DIR "/tests/golden/sm_90/f32.golden", forms);
  const auto form = std::find_if(forms.begin(), forms.end(), [](const Form& entry) {
    return entry.name == "fma.rz.f32 %d0, %a0, %a1, %a2";
  });
  ASSERT_NE(form, forms.end());
  golden::Results kept = record_of(file, form->name).kept;
  ASSERT_FALSE(kept.empty());
  kept[40] ^= 1;
  std::size_t compared = 0;
  EXPECT_THAT(difference(*form, oracle(*form), kept, compared), testing::HasSubstr("fma.rz.f32"));
}

}  // namespace
}  // namespace warpcheck::fuzz
