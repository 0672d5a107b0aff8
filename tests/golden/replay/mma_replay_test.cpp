// The model of tensor cores reproduces the recorded bits of every form.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "device/virtual/virtual_device.hpp"
#include "tests/golden/mma/results.hpp"

namespace warpcheck::golden {
namespace {

namespace fs = std::filesystem;
using semantics::TensorModel;

std::vector<fs::path> recorded_mma_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(WARPCHECK_SOURCE_DIR "/tests/golden")) {
    if (entry.path().extension() == ".fragments") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

/// The architecture in ".../sm_90/mma.fragments".
std::string architecture_of(const fs::path& path) { return path.parent_path().filename().string(); }

class MmaReplay : public testing::TestWithParam<fs::path> {
 protected:
  const std::vector<MmaForm> forms_ = all_mma_forms();
  const MmaFile file_ = [this] {
    std::ifstream stream(GetParam());
    return read(std::string{std::istreambuf_iterator<char>(stream), {}}, forms_);
  }();

  const TensorModel model_ = semantics::tensor_model(
      static_cast<unsigned>(std::stoul(architecture_of(GetParam()).substr(3))));

  static std::vector<Elements> results(const MmaForm& form, const TensorModel& model) {
    std::vector<Elements> all;
    for (std::size_t i = 0; i < kMmaRecordedFragments; ++i) {
      all.push_back(expected(form, model, mma_inputs(form, i)));
    }
    return all;
  }

  const MmaRecord* record_of(const MmaForm& form) const {
    for (const MmaRecord& entry : file_.records) {
      if (entry.name == form.name) return &entry;
    }
    return nullptr;
  }
};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(MmaReplay);

TEST_P(MmaReplay, ModelReproducesTheGpu) {
  for (const MmaForm& form : forms_) {
    const MmaRecord* recorded = record_of(form);
    ASSERT_NE(recorded, nullptr) << form.name << " is not recorded";
    const std::string differs = difference(form, *recorded, results(form, model_));
    EXPECT_TRUE(differs.empty()) << form.name << '\n' << differs;
  }
}

/// Each model differs from the correct one in one rule.
std::vector<std::pair<std::string, TensorModel>> models_with_one_rule_changed(
    const TensorModel& right) {
  std::vector<std::pair<std::string, TensorModel>> changed;
  const auto change = [&](const std::string& rule, auto&& by) {
    changed.emplace_back(rule, right);
    by(changed.back().second);
  };
  const auto change_sum = [&](const std::string& of, semantics::BlockSum TensorModel::*sum) {
    change(of + ": one bit fewer", [&](auto& model) { --(model.*sum).fraction_bits; });
    change(of + ": one bit more", [&](auto& model) { ++(model.*sum).fraction_bits; });
    change(of + ": shorter blocks", [&](auto& model) { (model.*sum).block_length /= 2; });
    change(of + ": narrower results", [&](auto& model) { --(model.*sum).result_fraction_bits; });
  };
  change_sum("half", &TensorModel::half);
  change_sum("tf32", &TensorModel::tf32);
  change_sum("wmma_tf32", &TensorModel::wmma_tf32);
  // For the other sums a block has the length of the longest instruction.
  change("wmma_tf32: longer blocks", [](auto& model) { model.wmma_tf32.block_length *= 2; });
  change("8 bits on their own path",
         [](auto& model) { model.fp8_path = semantics::Fp8Path::tensor_core; });
  change("higher least exponent", [](auto& model) { ++model.least_exponent; });
  change("lower least exponent", [](auto& model) { --model.least_exponent; });
  change("zero factors count", [](auto& model) { model.zero_factor_has_exponent = true; });
  change("negative zeros", [](auto& model) { model.negative_zero = true; });
  change("underflow to -0", [](auto& model) { model.negative_underflow = true; });
  change("finite overflow", [](auto& model) { model.overflow_to_infinity = false; });
  return changed;
}

TEST_P(MmaReplay, RecordDetectsAChangeOfEveryRule) {
  for (const auto& changed : models_with_one_rule_changed(model_)) {
    const bool detected = std::ranges::any_of(forms_, [&](const MmaForm& form) {
      return !difference(form, *record_of(form), results(form, changed.second)).empty();
    });
    EXPECT_TRUE(detected) << changed.first;
  }
}

/// The kind of a value of f16 (16 bits) or f32.
std::string kind_of(std::uint64_t bits, unsigned width) {
  const std::uint64_t sign = bits >> (width - 1);
  const std::uint64_t infinity = width == 16 ? 0x7c00 : 0x7f80'0000;
  const std::uint64_t magnitude = bits & ((std::uint64_t{1} << (width - 1)) - 1);
  if (magnitude > infinity) return "NaN";
  if (magnitude == 0) return sign != 0 ? "-0" : "+0";
  const std::uint64_t least_normal = width == 16 ? 0x0400 : 0x0080'0000;
  const char* const kind = magnitude == infinity      ? "infinity"
                           : magnitude < least_normal ? "subnormal"
                                                      : "normal";
  return (sign != 0 ? "-" : "+") + std::string(kind);
}

TEST_P(MmaReplay, FloatingFormsHaveEveryKindOfResult) {
  for (const MmaForm& form : forms_) {
    if (form.d != MmaType::f16 && form.d != MmaType::f32) continue;
    std::set<std::string> kinds;
    // The recorded hashes cover all of these fragments.
    for (const Elements& fragment : results(form, model_)) {
      for (const std::uint64_t bits : fragment) {
        kinds.insert(kind_of(bits, form.d == MmaType::f16 ? 16 : 32));
      }
    }
    EXPECT_THAT(
        kinds, testing::IsSupersetOf({"NaN", "+infinity", "-infinity", "+normal", "-normal", "+0"}))
        << form.name;
    if (form.d == MmaType::f32 && form.c == MmaType::f16) continue;  // no small sums
    EXPECT_THAT(kinds, testing::IsSupersetOf({"+subnormal", "-subnormal"})) << form.name;
  }
}

/// Also covers PTX, the layouts of fragments and their access by the machine.
TEST_P(MmaReplay, VirtualDeviceReproducesTheGpu) {
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

INSTANTIATE_TEST_SUITE_P(Golden, MmaReplay, testing::ValuesIn(recorded_mma_files()),
                         [](const auto& file) { return architecture_of(file.param); });

}  // namespace
}  // namespace warpcheck::golden
