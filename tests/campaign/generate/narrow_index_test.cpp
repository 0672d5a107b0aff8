#include "campaign/generate/sampling/narrow_index.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "campaign/generate/index_limits.hpp"
#include "ptx/parser.hpp"
#include "tests/campaign/gemm_device.hpp"
#include "tests/campaign/operation_contract.hpp"

namespace warpcheck::campaign::generate {
namespace {

using contract::ArgumentWord;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Returns a variant whose kernel has the addresses of A, B and C in %rd1 to %rd3 and m, n and k in
/// %r1 to %r3.
contract::Variant variant_with(const std::string& body, const std::string& more = "") {
  contract::Variant variant = testing::variant_of(R"t([[variant]]
name = "indices"
kernel = "indices"
operation = "gemm"
arguments = ["a", "b", "c", "m", "n", "k"]
block = [16, 16]
grid = ["ceil_div(n, 16)", "ceil_div(m, 16)"]
)t" + more);
  auto compiled = std::make_shared<contract::Compiled>();
  compiled->ptx_file = "indices.ptx";
  compiled->ptx = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry indices(.param .u64 p_0, .param .u64 p_1, .param .u64 p_2, .param .u32 p_3,
                        .param .u32 p_4, .param .u32 p_5)
{
.reg .b32 %r<40>;
.reg .b64 %rd<40>;
ld.param.u64 %rd1, [p_0];
ld.param.u64 %rd2, [p_1];
ld.param.u64 %rd3, [p_2];
ld.param.u32 %r1, [p_3];
ld.param.u32 %r2, [p_4];
ld.param.u32 %r3, [p_5];
mov.u32 %r4, %ctaid.x;
mov.u32 %r5, %ntid.x;
mov.u32 %r6, %tid.x;
.loc 1 4 1
mad.lo.s32 %r7, %r4, %r5, %r6;
)" + body + R"(ret;
}
.file 1 "/kernels/indices.cu"
)";
  variant.compiled = std::move(compiled);
  variant.entries.resize(1);
  variant.entries[0].name = "indices";
  return variant;
}

std::vector<NarrowIndex> indices_of(const std::string& body) {
  const contract::Variant variant = variant_with(body);
  const ptx::Module module = ptx::parse(variant.compiled->ptx, "indices.ptx");
  return narrow_indices(module, *module.find_function("indices"), variant.contract.launches.at(0));
}

// c[row * n + column] with an int index
constexpr const char* kNarrowStore = R"(.loc 1 7 1
mad.lo.s32 %r8, %r7, %r2, %r6;
.loc 1 8 1
mul.wide.s32 %rd4, %r8, 4;
add.s64 %rd5, %rd3, %rd4;
st.global.u32 [%rd5], %r1;
)";
// the same with a size_t index
constexpr const char* kWideStore = R"(.loc 1 7 1
cvt.u64.u32 %rd4, %r7;
cvt.u64.u32 %rd6, %r2;
mad.lo.s64 %rd7, %rd4, %rd6, %rd6;
shl.b64 %rd8, %rd7, 2;
add.s64 %rd5, %rd3, %rd8;
st.global.u32 [%rd5], %r1;
)";

TEST(NarrowIndex, ProductOf32BitsInAnAddress) {
  EXPECT_THAT(indices_of(kNarrowStore),
              ElementsAre(NarrowIndex{ArgumentWord::c, "/kernels/indices.cu", 7}));
  EXPECT_THAT(indices_of(kWideStore), IsEmpty());
}

TEST(NarrowIndex, CopiesHaveTwoAddresses) {
  EXPECT_THAT(indices_of(R"(.loc 1 9 1
mul.lo.s32 %r8, %r3, %r7;
shl.b32 %r9, %r8, 2;
cvt.s64.s32 %rd4, %r9;
add.s64 %rd5, %rd1, %rd4;
cp.async.ca.shared.global [%r6], [%rd5], 4;
)"),
              ElementsAre(NarrowIndex{ArgumentWord::a, "/kernels/indices.cu", 9}));
}

TEST(NarrowIndex, IndexOfAThreadIsBoundedByTheGrid) {
  EXPECT_THAT(indices_of(R"(mul.wide.s32 %rd4, %r7, 4;
add.s64 %rd5, %rd3, %rd4;
st.global.u32 [%rd5], %r1;
)"),
              IsEmpty());
}

TEST(NarrowIndex, RemainderIsExact) {
  EXPECT_THAT(indices_of(R"(div.s32 %r8, %r7, %r2;
mul.lo.s32 %r9, %r8, %r2;
sub.s32 %r10, %r7, %r9;
mul.wide.s32 %rd4, %r10, 4;
add.s64 %rd5, %rd3, %rd4;
st.global.u32 [%rd5], %r1;
)"),
              IsEmpty());
}

TEST(NarrowIndex, ValueInMemoryIsNoAddress) {
  EXPECT_THAT(indices_of(R"(mul.lo.s32 %r8, %r7, %r2;
st.global.u32 [%rd3], %r8;
)"),
              IsEmpty());
}

std::vector<std::string> conditions(const std::string& more) {
  std::vector<std::string> all;
  for (const IndexLimit& limit : index_limits(variant_with(kNarrowStore, more), true)) {
    EXPECT_EQ(limit.operand, "C");
    EXPECT_THAT(limit.lines, ElementsAre(7U));
    EXPECT_GE(limit.problem.whole("m") * limit.problem.whole("n"), std::int64_t{1} << 31);
    all.push_back(limit.requires_);
  }
  return all;
}

TEST(IndexLimits, OnlyIfTheContractAdmitsSuchSizes) {
  EXPECT_THAT(conditions(""), ElementsAre("m * n < 2147483648"));
  EXPECT_THAT(conditions("requires = [\"m * n < 2147483648\"]\n"), IsEmpty());
  EXPECT_THAT(conditions("requires = [\"m <= 4096\", \"n <= 65536\"]\n"), IsEmpty());
  EXPECT_THAT(conditions("requires = [\"m == n\", \"n == k\", \"m % 128 == 0\"]\n"),
              ElementsAre("m * n < 2147483648"));
  EXPECT_THAT(index_limits(variant_with(kWideStore), true), IsEmpty());
}

/// The same for a batch whose matrices have less than 2^31 elements each.
std::vector<std::string> conditions_of_batch(const std::string& body, const std::string& more) {
  contract::Variant variant = variant_with(body);
  contract::Contract& contract = variant.contract;
  contract = testing::variant_of(R"t([[variant]]
name = "indices"
kernel = "indices"
operation = "gemm"
arguments = ["a", "b", "c", "m", "n", "k", "batch"]
block = [16, 16]
grid = ["ceil_div(n, 16)", "ceil_div(m, 16)", "batch"]
)t" + more)
                 .contract;
  std::vector<std::string> all;
  for (const IndexLimit& limit : index_limits(variant, true)) all.push_back(limit.requires_);
  return all;
}

// c[blockIdx.z * m * n + row * n + column], where all but the first product are of 64 bits
constexpr const char* kNarrowMatrix = R"(.loc 1 7 1
mul.lo.s32 %r8, %r1, %r2;
mov.u32 %r10, %ctaid.z;
.loc 1 8 1
mul.lo.s32 %r9, %r10, %r8;
mul.wide.s32 %rd4, %r9, 4;
add.s64 %rd5, %rd3, %rd4;
st.global.u32 [%rd5], %r1;
)";
// c[(z * m + row) * n + column], where z counts the products in a loop
constexpr const char* kNarrowRows = R"(.loc 1 7 1
mad.lo.s32 %r8, %r20, %r1, %r7;
.loc 1 8 1
mad.lo.s32 %r9, %r8, %r2, %r6;
mul.wide.s32 %rd4, %r9, 4;
add.s64 %rd5, %rd3, %rd4;
st.global.u32 [%rd5], %r1;
)";

TEST(IndexLimits, BatchCountsOnlyIfAnIndexSpansItsMatrices) {
  const std::string bounded = "requires = [\"m * n < 2147483648\"]\n";
  EXPECT_THAT(conditions_of_batch(kNarrowStore, bounded), IsEmpty());
  EXPECT_THAT(conditions_of_batch(kNarrowStore, ""), ElementsAre("m * n < 2147483648"));
  for (const char* body : {kNarrowMatrix, kNarrowRows}) {
    EXPECT_THAT(conditions_of_batch(body, bounded), ElementsAre("batch * m * n < 2147483648"));
    EXPECT_THAT(conditions_of_batch(body, "requires = [\"batch * m * n < 2147483648\"]\n"),
                IsEmpty());
  }
}

/// The kernel of variant_with() for c[rows, columns]. The last arguments are `arguments`.
contract::Variant tensor_variant(const std::string& arguments, const std::string& more = "") {
  contract::Variant variant = variant_with(kNarrowStore);
  variant.contract = testing::operation_contract(R"toml(
[[operation]]
name    = "triple"
extents = ["rows", "columns"]
inputs  = { a = { shape = ["rows"] }, b = { shape = ["columns"] } }
outputs = { c = { shape = ["rows", "columns"] } }
define  = "c[i,j] = a[i] * b[j]"

[[variant]]
name      = "indices"
operation = "triple"
kernel    = "indices"
block     = [16, 16]
grid      = ["ceil_div(columns, 16)", "ceil_div(rows, 16)"]
arguments = ["a", "b", "c", )toml" + arguments + "]\n" +
                                                 more);
  return variant;
}

TEST(IndexLimits, NameTheSizesOfATensor) {
  const std::string sizes = R"("rows", "columns", "rows")";
  const auto limits = index_limits(tensor_variant(sizes), true);
  ASSERT_EQ(limits.size(), 1U);
  EXPECT_EQ(limits.front().operand, "c");
  EXPECT_THAT(limits.front().lines, ElementsAre(7U));
  EXPECT_EQ(limits.front().requires_, "rows * columns < 2147483648");
  EXPECT_GE(*limits.front().problem.value("rows") * *limits.front().problem.value("columns"),
            0x1p31);
  EXPECT_THAT(
      index_limits(tensor_variant(sizes, "requires = [\"rows * columns < 2147483648\"]"), true),
      IsEmpty());
  EXPECT_EQ(index_limits(tensor_variant(sizes, "requires = [\"rows == columns\"]"), true).size(),
            1U);
}

TEST(IndexLimits, NoneIfOnlyManyMatricesAreSoLarge) {
  contract::Variant variant = variant_with(kNarrowStore);
  variant.contract = testing::operation_contract(R"toml(
[[operation]]
name    = "copy"
extents = ["depth", "rows", "columns"]
inputs  = { a = { shape = ["depth", "rows", "columns"] } }
outputs = { c = { shape = ["depth", "rows", "columns"] } }
define  = "c[d,i,j] = a[d,i,j]"

[[variant]]
name      = "indices"
operation = "copy"
kernel    = "indices"
block     = [16, 16]
grid      = ["ceil_div(columns, 16)", "ceil_div(rows, 16)", "depth"]
arguments = ["a", "depth", "c", "rows", "columns", "rows"]
)toml");
  const auto limits = index_limits(variant, true);
  ASSERT_EQ(limits.size(), 1U);
  EXPECT_EQ(limits.front().requires_, "rows * columns < 2147483648");
  variant.contract.requires_.push_back(
      contract::Expression::parse("rows * columns < 2147483648", {"test.toml", 1, 1}));
  EXPECT_THAT(index_limits(variant, true), IsEmpty());
}

TEST(IndexLimits, NoneIfCasesHaveSuchStridesOfATensor) {
  const contract::Variant variant = tensor_variant(R"("rows", "stride_c", "columns")");
  EXPECT_THAT(index_limits(variant, true), IsEmpty());
  EXPECT_EQ(index_limits(variant, false).size(), 1U);
}

TEST(IndexLimits, NoneIfCasesHaveSuchStrides) {
  contract::Variant variant = variant_with(kNarrowStore);
  variant.contract = testing::blas_variant().contract;
  variant.contract.launches[0].arguments = variant_with("").contract.launches[0].arguments;
  variant.contract.launches[0].arguments[5].word = ArgumentWord::ldc;
  EXPECT_THAT(index_limits(variant, true), IsEmpty());
  EXPECT_FALSE(index_limits(variant, false).empty());
}

}  // namespace
}  // namespace warpcheck::campaign::generate
