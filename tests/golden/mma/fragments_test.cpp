// The forms, fragments, files and search of recordings of matrix products.
#include <gmock/gmock.h>

#include <bit>
#include <set>

#include "tests/golden/mma/results.hpp"
#include "tests/golden/mma/search.hpp"

namespace warpcheck::golden {
namespace {

MmaForm mma_form_named(const std::string& name) {
  for (const MmaForm& form : all_mma_forms()) {
    if (form.name == name) return form;
  }
  throw std::runtime_error("no form " + name);
}

Elements counted(const MmaForm& form, MmaOperand operand) {
  Elements elements;
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - facts(form.type(operand)).bits);
  for (int i = 0; i < form.rows(operand) * form.columns(operand); ++i) elements.push_back(i & mask);
  return elements;
}

std::vector<std::byte> packed(const MmaForm& form, MmaOperand operand, const Elements& elements) {
  std::vector<std::byte> bytes(fragment_bytes(form, operand));
  pack(form, operand, elements, bytes.data());
  return bytes;
}

TEST(MmaForms, HaveUniqueNames) {
  std::set<std::string> names;
  for (const MmaForm& form : all_mma_forms()) EXPECT_TRUE(names.insert(form.name).second);
  EXPECT_GT(names.size(), 90U);
}

TEST(MmaFragments, HalvesFollowTheFiguresOfTheManual) {
  // PTX ISA 9.7.14.5.8, m16n8k16 of f16: lane 5 (group 1, the second in it) has of A
  // (1, 2) (1, 3) | (9, 2) (9, 3) | (1, 10) (1, 11) | (9, 10) (9, 11), of B (2, 1) (3, 1) | (10, 1)
  // (11, 1).
  const MmaForm form = mma_form_named("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
  const auto half = [](const std::vector<std::byte>& bytes, std::size_t index) {
    return static_cast<int>(bytes[2 * index]) + 256 * static_cast<int>(bytes[2 * index + 1]);
  };
  const auto a = packed(form, MmaOperand::a, counted(form, MmaOperand::a));
  std::vector<int> held;
  for (std::size_t i = 0; i < 8; ++i) held.push_back(half(a, 5 * 8 + i));
  EXPECT_THAT(held, testing::ElementsAre(16 + 2, 16 + 3, 144 + 2, 144 + 3, 16 + 10, 16 + 11,
                                         144 + 10, 144 + 11));
  const auto b = packed(form, MmaOperand::b, counted(form, MmaOperand::b));
  held.clear();
  for (std::size_t i = 0; i < 4; ++i) held.push_back(half(b, 5 * 4 + i));
  EXPECT_THAT(held, testing::ElementsAre(17, 25, 81, 89));
}

TEST(MmaFragments, BytesAndNibblesFollowTheFiguresOfTheManual) {
  // m16n8k32 of s8: lane 5 holds A (1, 4) to (1, 7) | (9, 4) ... | (1, 20) ... | (9, 20) ...
  const MmaForm bytes_form = mma_form_named("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32");
  Elements rows;
  for (int i = 0; i < 16 * 32; ++i) rows.push_back(i % 32 + i / 32 * 10);
  const auto a = packed(bytes_form, MmaOperand::a, rows);
  std::vector<int> held;
  for (std::size_t i = 0; i < 16; i += 4) held.push_back(static_cast<int>(a[5 * 16 + i]));
  EXPECT_THAT(held, testing::ElementsAre(14, 94, 30, 110));
  // m8n8k32 of s4: lane 5 holds B (8, 1) to (15, 1), the first in the lowest bits.
  const MmaForm nibbles_form = mma_form_named("mma.sync.aligned.m8n8k32.row.col.s32.s4.s4.s32");
  Elements columns;
  for (int i = 0; i < 32 * 8; ++i) columns.push_back(i % 8 == 1 ? i / 8 % 16 : 0);
  const auto b = packed(nibbles_form, MmaOperand::b, columns);
  EXPECT_EQ(b[5 * 4], std::byte{0x98});
  EXPECT_EQ(b[5 * 4 + 3], std::byte{0xfe});
}

TEST(MmaFragments, DoublesAndSumsFollowTheFiguresOfTheManual) {
  // m16n8k8 of f64: lane 5 holds A (1, 1) (9, 1) (1, 5) (9, 5) and C (1, 2) (1, 3) (9, 2) (9, 3).
  const MmaForm form = mma_form_named("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64");
  const auto a = packed(form, MmaOperand::a, counted(form, MmaOperand::a));
  EXPECT_EQ(a[(5 * 4 + 0) * 8], std::byte{9});
  EXPECT_EQ(a[(5 * 4 + 1) * 8], std::byte{73});
  EXPECT_EQ(a[(5 * 4 + 2) * 8], std::byte{13});
  EXPECT_EQ(a[(5 * 4 + 3) * 8], std::byte{77});
  const auto c = packed(form, MmaOperand::c, counted(form, MmaOperand::c));
  EXPECT_EQ(c[(5 * 4 + 1) * 8], std::byte{11});
  EXPECT_EQ(c[(5 * 4 + 2) * 8], std::byte{74});
}

TEST(MmaFragments, FourProductsFollowTheFiguresOfTheManual) {
  // m8n8k4: lanes 5 and 21 belong to the second product, whose rows follow eight of the first.
  const auto halves = [](const std::vector<std::byte>& bytes, std::size_t first) {
    std::vector<int> values;
    for (std::size_t i = 0; i < 4; ++i) {
      values.push_back(static_cast<int>(bytes[first + 2 * i]) +
                       256 * static_cast<int>(bytes[first + 2 * i + 1]));
    }
    return values;
  };
  const MmaForm form = mma_form_named("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32");
  const MmaForm turned = mma_form_named("mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f32");
  // By rows lane 21 holds A (5, 0) to (5, 3); by columns (4, 1) to (7, 1).
  const auto a = packed(form, MmaOperand::a, counted(form, MmaOperand::a));
  EXPECT_THAT(halves(a, std::size_t{21 * 8}), testing::ElementsAre(52, 53, 54, 55));
  const auto turned_a = packed(turned, MmaOperand::a, counted(turned, MmaOperand::a));
  EXPECT_THAT(halves(turned_a, std::size_t{21 * 8}), testing::ElementsAre(49, 53, 57, 61));
  // By columns B (0, 5) to (3, 5); by rows (1, 4) to (1, 7).
  const auto b = packed(form, MmaOperand::b, counted(form, MmaOperand::b));
  EXPECT_THAT(halves(b, std::size_t{21 * 8}), testing::ElementsAre(37, 45, 53, 61));
  const auto turned_b = packed(turned, MmaOperand::b, counted(turned, MmaOperand::b));
  EXPECT_THAT(halves(turned_b, std::size_t{21 * 8}), testing::ElementsAre(44, 45, 46, 47));
  // Lane 5 holds C (1, 0) (1, 1) (3, 0) (3, 1) (1, 4) (1, 5) (3, 4) (3, 5).
  const auto c = packed(form, MmaOperand::c, counted(form, MmaOperand::c));
  std::vector<int> held;
  for (std::size_t i = 0; i < 8; ++i) held.push_back(static_cast<int>(c[(5 * 8 + i) * 4]));
  EXPECT_THAT(held, testing::ElementsAre(72, 73, 88, 89, 76, 77, 92, 93));
}

TEST(MmaFragments, UnpackInvertsPack) {
  for (const MmaForm& form : all_mma_forms()) {
    const Elements elements = counted(form, MmaOperand::d);
    EXPECT_EQ(unpack_result(form, packed(form, MmaOperand::d, elements).data()), elements)
        << form.name;
  }
}

std::vector<Elements> results_of(const MmaForm& form, const semantics::TensorModel& model) {
  std::vector<Elements> results;
  for (std::size_t i = 0; i < kMmaRecordedFragments; ++i) {
    results.push_back(expected(form, model, mma_inputs(form, i)));
  }
  return results;
}

TEST(MmaRecord, ReadInvertsWrite) {
  const std::vector<MmaForm> forms = all_mma_forms();
  MmaFile file{"GPU", "2026-01-31", {}};
  for (std::size_t i = 0; i < forms.size(); i += 7) {
    file.records.push_back(record(forms[i], results_of(forms[i], semantics::tensor_model(90))));
  }
  const std::string text = write(file, forms);
  const MmaFile back = read(text, forms);
  ASSERT_EQ(back.records.size(), file.records.size());
  EXPECT_EQ(back.device, file.device);
  for (std::size_t i = 0; i < back.records.size(); ++i) {
    EXPECT_EQ(back.records[i].name, file.records[i].name);
    EXPECT_EQ(back.records[i].input_hash, file.records[i].input_hash);
    EXPECT_EQ(back.records[i].hashes, file.records[i].hashes);
    EXPECT_EQ(back.records[i].kept, file.records[i].kept);
  }
  EXPECT_THROW((void)read(text.substr(0, text.size() - 2), forms), std::runtime_error);
  EXPECT_THROW((void)read(text, std::vector<MmaForm>{}), std::runtime_error);
}

TEST(MmaSearch, FindsTheModelOfTheResults) {
  const MmaForm form = mma_form_named("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32");
  semantics::TensorModel hidden = semantics::tensor_model(80);
  hidden.negative_zero = true;
  hidden.least_exponent = -133;
  std::vector<Fragment> fragments;
  for (std::size_t i = 0; i < 96; ++i) {
    const MmaInputs inputs = mma_inputs(form, i);
    fragments.push_back({inputs, expected(form, hidden, inputs)});
  }
  const std::vector<Candidate> found = search(form, fragments);
  EXPECT_EQ(found[0].differing, 0U);
  EXPECT_NE(found[1].differing, 0U);
  EXPECT_THAT(found[0].text, testing::StartsWith("F 24, L 8, result 23 bits, least exponent -133"));
  EXPECT_THAT(found[0].text, testing::HasSubstr("sum of negative zeros -0"));
}

}  // namespace
}  // namespace warpcheck::golden
