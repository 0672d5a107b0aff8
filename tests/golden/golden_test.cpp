// The forms, their operands and the files of their results.
#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

#include "tests/golden/forms/inputs.hpp"
#include "tests/golden/forms/kernel.hpp"
#include "tests/golden/results/results.hpp"

namespace warpcheck::golden {
namespace {

using testing::ElementsAre;

Form form_of(const std::string& mnemonic, std::vector<Type> outputs, std::vector<Type> inputs) {
  Form form;
  form.family = "test";
  form.name = mnemonic;
  form.body = mnemonic + ";";
  form.outputs = std::move(outputs);
  form.inputs = std::move(inputs);
  return form;
}

TEST(Expand, MakesEveryCombinationInOrder) {
  EXPECT_THAT(expand("add.s32"), ElementsAre("add.s32"));
  EXPECT_THAT(expand("add{|.sat}.s32"), ElementsAre("add.s32", "add.sat.s32"));
  EXPECT_THAT(expand("{a|b}-{c|d}"), ElementsAre("a-c", "a-d", "b-c", "b-d"));
}

TEST(Forms, HaveUniqueNames) {
  std::set<std::string> names;
  for (const Form& form : all_forms()) EXPECT_TRUE(names.insert(form.name).second) << form.name;
}

TEST(Forms, CoverEveryRoundingOfFloatArithmetic) {
  std::set<std::string> names;
  for (const Form& form : all_forms()) names.insert(form.name);
  for (const std::string rounding : {"rn", "rz", "rm", "rp"}) {
    for (const std::string type : {"f32", "f64"}) {
      for (const std::string operation : {"add", "sub", "mul", "div"}) {
        EXPECT_TRUE(names.contains(operation + "." + rounding + "." + type + " %d0, %a0, %a1"));
      }
      EXPECT_TRUE(names.contains("fma." + rounding + "." + type + " %d0, %a0, %a1, %a2"));
      EXPECT_TRUE(names.contains("sqrt." + rounding + "." + type + " %d0, %a0"));
    }
  }
}

TEST(Inputs, AreDeterministicAndDifferBetweenTuples) {
  const Form form = form_of("add.u32 %d0, %a0, %a1", {Type::u32}, {Type::u32, Type::u32});
  std::set<std::vector<std::uint64_t>> seen;
  for (std::size_t i = 0; i < kTuples; ++i) {
    EXPECT_EQ(inputs(form, i), inputs(form, i));
    seen.insert(inputs(form, i));
  }
  EXPECT_GT(seen.size(), kTuples * 3 / 4);
}

TEST(Inputs, FitTheirType) {
  for (const Form& form : all_forms()) {
    for (std::size_t i = 0; i < 64; ++i) {
      const auto values = inputs(form, i);
      for (std::size_t j = 0; j < values.size(); ++j) {
        const std::size_t bits = facts(form.inputs[j]).bits;
        if (bits < 64) {
          EXPECT_EQ(values[j] >> bits, 0U) << form.name;
        }
      }
      if (form.nonzero_divisor) {
        EXPECT_NE(values[1], 0U);
      }
    }
  }
}

TEST(Inputs, RecordedTuplesHaveTheSpecialFloats) {
  const Form form = form_of("add.f32 %d0, %a0, %a1", {Type::f32}, {Type::f32, Type::f32});
  std::multiset<int> classes;
  bool largest = false;
  bool tie = false;
  bool equal = false;
  for (std::size_t i = 0; i < kKeptTuples; ++i) {
    const auto values = inputs(form, i);
    const float a = std::bit_cast<float>(static_cast<std::uint32_t>(values[0]));
    classes.insert(std::fpclassify(a));
    largest = largest || std::fabs(a) == std::numeric_limits<float>::max();
    tie = tie || (std::fabs(a) < 100 && std::fabs(a) - std::floor(std::fabs(a)) == 0.5F);
    equal = equal || values[0] == values[1];
  }
  for (const int kind : {FP_NAN, FP_INFINITE, FP_ZERO, FP_SUBNORMAL, FP_NORMAL}) {
    EXPECT_GE(classes.count(kind), 2U);
  }
  EXPECT_TRUE(largest);
  EXPECT_TRUE(tie);
  EXPECT_TRUE(equal);
}

TEST(Inputs, DistinguishFusedFromUnfusedMultiplyAdd) {
  const Form form =
      form_of("fma.rn.f32 %d0, %a0, %a1, %a2", {Type::f32}, {Type::f32, Type::f32, Type::f32});
  int differing = 0;
  for (std::size_t i = 0; i < kKeptTuples; ++i) {
    const auto values = inputs(form, i);
    const auto at = [&](std::size_t j) {
      return std::bit_cast<float>(static_cast<std::uint32_t>(values[j]));
    };
    const float fused = std::fma(at(0), at(1), at(2));
    const float unfused = at(0) * at(1) + at(2);
    if (!std::isnan(fused) && fused != unfused) ++differing;
  }
  EXPECT_GT(differing, 10);
}

TEST(Results, ReadInvertsWrite) {
  const std::vector<Form> forms = {
      form_of("add.u32 %d0, %a0, %a1", {Type::u32}, {Type::u32, Type::u32}),
      form_of("setp %p0", {Type::pred, Type::pred}, {Type::u32}),
      form_of("cvt.u8.u64 %d0, %a0", {Type::u8, Type::f64, Type::f16}, {Type::u64}),
  };
  File file{"NVIDIA H200 (sm_90)", "2026-01-31", {}};
  for (const Form& form : forms) {
    Results results;
    for (std::size_t i = 0; i < kTuples * form.outputs.size(); ++i) {
      const Type type = form.outputs[i % form.outputs.size()];
      const std::uint64_t value = i * 0x9e3779b97f4a7c15ULL;
      results.push_back(type == Type::pred ? value >> 63 : value >> (64 - 8 * stored_bytes(type)));
    }
    file.records.push_back(record(form, results));
  }
  const File back = read(write(file, forms), forms);
  EXPECT_EQ(back.device, file.device);
  EXPECT_EQ(back.date, file.date);
  ASSERT_EQ(back.records.size(), forms.size());
  for (std::size_t i = 0; i < forms.size(); ++i) {
    EXPECT_EQ(back.records[i].name, forms[i].name);
    EXPECT_EQ(back.records[i].input_hash, file.records[i].input_hash);
    EXPECT_EQ(back.records[i].hashes, file.records[i].hashes);
    EXPECT_EQ(back.records[i].kept, file.records[i].kept);
  }
}

TEST(Results, DamagedFileIsRefusedWithTheLine) {
  const std::vector<Form> forms = {form_of("not.b32 %d0, %a0", {Type::b32}, {Type::b32})};
  const File file{"GPU", "2026-01-31", {record(forms[0], Results(kTuples, 0))}};
  const std::string text = write(file, forms);
  EXPECT_THROW((void)read(text.substr(0, text.size() - 3), forms), std::runtime_error);
  EXPECT_THROW((void)read("", forms), std::runtime_error);
  EXPECT_THROW((void)read(text, {}), std::runtime_error);
  EXPECT_THROW((void)read(text + "not.b32 %d0, %a0\n", forms), std::runtime_error);
}

TEST(Results, AllFilesHaveLessThanThreeMegabytes) {
  const std::vector<Form> forms = all_forms();
  File file;
  for (const Form& form : forms) {
    Record entry{form.name, 0, std::vector<std::uint64_t>(kTuples / kHashedTuples), {}};
    entry.kept.resize(kept_tuples(form) * form.outputs.size());
    file.records.push_back(entry);
  }
  EXPECT_LT(write(file, forms).size(), 3'000'000U);
}

}  // namespace
}  // namespace warpcheck::golden
