// The virtual device against the silicon: each form's recorded results, bit for bit.
#include "tests/golden/replay.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "device/virtual/virtual_device.hpp"

namespace warpcheck::golden {
namespace {

namespace fs = std::filesystem;

/// Families whose forms are recorded ahead of the virtual device.
const std::set<std::string> kNotYetRun = {"fp8"};

std::vector<fs::path> recorded_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(WARPCHECK_SOURCE_DIR "/tests/golden")) {
    if (entry.path().extension() == ".golden") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

class Replay : public testing::TestWithParam<fs::path> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Replay);

TEST_P(Replay, VirtualDeviceGivesTheBitsOfTheSilicon) {
  if (kNotYetRun.contains(GetParam().stem().string())) GTEST_SKIP() << "not run on it yet";
  const std::vector<Form> forms = all_forms();
  std::map<std::string, const Form*> by_name;
  for (const Form& form : forms) by_name[form.name] = &form;
  std::ifstream stream(GetParam());
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const File file = read(text, forms);
  const auto device = device::make_virtual_device();
  std::size_t values = 0;
  std::size_t equal_bits = 0;
  for (const Record& entry : file.records) {
    const Form& form = *by_name.at(entry.name);
    try {
      const Comparison comparison = compare(form, entry, run(*device, form));
      values += comparison.values;
      equal_bits += comparison.equal_bits;
      EXPECT_EQ(comparison.difference, "") << form.name << '\n' << comparison.difference;
    } catch (const std::exception& error) {
      ADD_FAILURE() << form.name << "\n  " << error.what();
    }
  }
  fmt::print("{}, {}: {} forms, {} of {} kept values bit-equal\n", GetParam().stem().string(),
             file.device, file.records.size(), equal_bits, values);
}

INSTANTIATE_TEST_SUITE_P(Golden, Replay, testing::ValuesIn(recorded_files()),
                         [](const auto& golden) {
                           std::string name = golden.param.parent_path().filename().string() + "_" +
                                              golden.param.stem().string();
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace warpcheck::golden
