// The virtual device reproduces the recorded results of a GPU bit for bit.
#include "tests/golden/replay/replay.hpp"

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

std::vector<fs::path> recorded_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(WARPCHECK_SOURCE_DIR "/tests/golden")) {
    if (entry.path().extension() == ".golden") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

File read_file(const fs::path& path, const std::vector<Form>& forms) {
  std::ifstream stream(path);
  return read(std::string{std::istreambuf_iterator<char>(stream), {}}, forms);
}

TEST(Recording, ContainsEveryForm) {
  const std::vector<Form> forms = all_forms();
  std::set<std::string> recorded;
  for (const fs::path& path : recorded_files()) {
    for (const Record& entry : read_file(path, forms).records) recorded.insert(entry.name);
  }
  for (const Form& form : forms) EXPECT_TRUE(recorded.contains(form.name)) << form.name;
}

class Replay : public testing::TestWithParam<fs::path> {};

TEST_P(Replay, VirtualDeviceReproducesTheGpu) {
  const std::vector<Form> forms = all_forms();
  std::map<std::string, const Form*> by_name;
  for (const Form& form : forms) by_name[form.name] = &form;
  const File file = read_file(GetParam(), forms);
  const auto device = device::make_virtual_device();
  std::size_t values = 0;
  std::size_t equal_bits = 0;
  for (const Record& entry : file.records) {
    const Form& form = *by_name.at(entry.name);
    try {
      const Comparison comparison = compare(form, entry, run(*device, form));
      values += comparison.values;
      equal_bits += comparison.equal_bits;
      if (form.approximate) {
        fmt::print("  {}: {} of {}\n", form.name, comparison.equal_bits, comparison.values);
        // Fewer equal values point to an error outside the tables of the hardware.
        EXPECT_GT(comparison.equal_bits, comparison.values * 6 / 10) << form.name;
      }
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
