// The model of tensor cores against the silicon: the recorded bits of every form.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "device/virtual/virtual_device.hpp"
#include "tests/golden/mma_results.hpp"

namespace warpcheck::golden {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> recorded_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(WARPCHECK_SOURCE_DIR "/tests/golden")) {
    if (entry.path().extension() == ".fragments") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

/// Of ".../sm_90/mma.fragments".
std::string architecture_of(const fs::path& path) { return path.parent_path().filename().string(); }

class MmaReplay : public testing::TestWithParam<fs::path> {
 protected:
  const std::vector<MmaForm> forms_ = all_mma_forms();
  const MmaFile file_ = [this] {
    std::ifstream stream(GetParam());
    return read(std::string{std::istreambuf_iterator<char>(stream), {}}, forms_);
  }();

  const MmaRecord* record_of(const MmaForm& form) const {
    for (const MmaRecord& entry : file_.records) {
      if (entry.name == form.name) return &entry;
    }
    return nullptr;
  }
};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(MmaReplay);

TEST_P(MmaReplay, ModelGivesTheBitsOfTheSilicon) {
  const auto model = semantics::tensor_model(
      static_cast<unsigned>(std::stoul(architecture_of(GetParam()).substr(3))));
  for (const MmaForm& form : forms_) {
    const MmaRecord* recorded = record_of(form);
    ASSERT_NE(recorded, nullptr) << form.name << " is not recorded";
    std::vector<Elements> results;
    for (std::size_t i = 0; i < kMmaRecordedFragments; ++i) {
      results.push_back(expected(form, model, mma_inputs(form, i)));
    }
    const std::string differs = difference(form, *recorded, results);
    EXPECT_TRUE(differs.empty()) << form.name << '\n' << differs;
  }
}

/// The same through PTX: fragments' layouts, the machine's gathering and scattering.
TEST_P(MmaReplay, VirtualDeviceGivesTheBitsOfTheSilicon) {
  const auto device = device::make_virtual_device();
  for (const MmaForm& form : forms_) {
    const MmaRecord* recorded = record_of(form);
    ASSERT_NE(recorded, nullptr) << form.name << " is not recorded";
    const auto program = device->load(mma_module(form), form.name);
    const std::string differs =
        difference(form, *recorded, run(*device, *program, form, 0, kMmaRecordedFragments));
    EXPECT_TRUE(differs.empty()) << form.name << '\n' << differs;
  }
}

INSTANTIATE_TEST_SUITE_P(Golden, MmaReplay, testing::ValuesIn(recorded_files()),
                         [](const auto& file) { return architecture_of(file.param); });

}  // namespace
}  // namespace warpcheck::golden
