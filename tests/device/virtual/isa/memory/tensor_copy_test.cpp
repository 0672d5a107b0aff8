// Bulk copies through tensor maps: results, and findings of wrong use (PTX ISA 9.7.9.27).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "device/tensor_map.hpp"
#include "device/virtual/virtual_device.hpp"
#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::isa::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr std::size_t kRows = 6;
constexpr std::size_t kColumns = 12;

/// A tensor of 6 x 12 words, and boxes of 2 x 8 of them.
device::TensorMap map_of_words() {
  device::TensorMap map;
  map.type = 2;  // u32
  map.rank = 2;
  map.dims = {kColumns, kRows, 1, 1, 1};
  map.strides = {kColumns * 4, 0, 0, 0};
  map.box = {8, 2, 1, 1, 1};
  map.steps = {1, 1, 1, 1, 1};
  return map;
}

/// Runs `body` with %map, %tile (64 words of shared memory), %object and %out (a word for each of
/// 32 threads). Words of the tensor are 100 to 171.
Result run_tensor(const std::string& body, const device::TensorMap& map = map_of_words(),
                  Dim3 cluster = {1, 1, 1}) {
  const std::string text =
      ".version 8.6\n.target sm_90a\n.address_size 64\n"
      ".visible .entry f(.param .align 64 .b8 map[128], .param .u64 out, .param .u64 tensor) {"
      ".shared .align 128 .b8 own[128];"
      ".reg .b64 %map, %out, %d<8>; .reg .b32 %me, %tile, %object, %r<16>; .reg .b16 %h<4>;"
      ".reg .pred %p<8>; .shared .align 1024 .b8 tile[256]; .shared .align 8 .b64 object;"
      "mov.b64 %map, map; cvta.param.u64 %map, %map; ld.param.u64 %out, [out];"
      "mov.u32 %me, %tid.x; mov.u32 %r0, %ctaid.x; mad.lo.u32 %r0, %r0, 32, %me;"
      "mul.wide.u32 %d0, %r0, 4; add.u64 %out, %out, %d0;"
      "mov.u32 %tile, tile; mov.u32 %object, object; setp.eq.u32 %p0, %me, 0;" +
      body + "}";
  device::Job job;
  std::vector<std::uint32_t> words(kRows * kColumns);
  for (std::uint32_t i = 0; i < words.size(); ++i) words[i] = 100 + i;
  device::Buffer tensor;
  tensor.name = "tensor";
  tensor.extent = {1, words.size() * 4, words.size() * 4};
  tensor.element_bytes = 4;
  tensor.bytes = bytes_of(words);
  device::Buffer out;
  out.name = "out";
  out.extent = {1, 512, 512};
  out.element_bytes = 4;
  out.bytes.resize(512);
  job.buffers = {tensor, out};
  job.launches.push_back({"f",
                          cluster,
                          {32, 1, 1},
                          0,
                          {device::TensorMapArgument{map, {0, 0}}, device::BufferAddress{1, 0},
                           device::BufferAddress{0, 0}},
                          cluster});
  const auto virtual_device = device::make_virtual_device({});
  Result result;
  result.program = virtual_device->load(text, "test.ptx");
  result.outcome = virtual_device->run(*result.program, job);
  if (result.outcome.buffers.size() == 2) result.out = result.outcome.buffers[1];
  return result;
}

std::uint32_t word(const Result& result, std::size_t buffer, std::size_t index) {
  std::uint32_t value = 0;
  std::memcpy(&value, result.outcome.buffers.at(buffer).data() + 4 * index, 4);
  return value;
}

const std::string kInit =
    "@%p0 mbarrier.init.shared.b64 [%object], 1; bar.sync 0;"
    "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%object], 64;";
const std::string kWait =
    "wait: mbarrier.try_wait.parity.shared.b64 %p1, [%object], 0; @!%p1 bra wait;\n"
    "mad.lo.u32 %r1, %me, 4, %tile; setp.lt.u32 %p2, %me, 16; @%p2 ld.shared.u32 %r2, [%r1];"
    "@%p2 st.global.u32 [%out], %r2;";

std::string load(const std::string& at) {
  return "@%p0 cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
         "[%tile], [%map, {" +
         at + "}], [%object];";
}
std::string store(const std::string& at) {
  return "@%p0 cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%map, {" + at +
         "}], [%tile]; @%p0 cp.async.bulk.commit_group;";
}
/// Every thread writes a word of the tile.
const std::string kFill =
    "mad.lo.u32 %r1, %me, 4, %tile; st.shared.u32 [%r1], %me; fence.proxy.async; bar.sync 0;";

TEST(TensorCopy, LoadsTheBox) {
  const Result result = run_tensor(kInit + load("4, 1") + kWait);
  EXPECT_EQ(result.finding(), "");
  for (std::uint32_t i = 0; i < 16; ++i) {
    EXPECT_EQ(word(result, 1, i), 100 + (1 + i / 8) * kColumns + 4 + i % 8) << i;
  }
}

/// Makes the map in shared memory, where zeros are first, and copies it to byte 256 of `out`.
std::string own_map(const std::string& changes = "",
                    const std::string& sync = "bar.warp.sync -1;") {
  return "mov.u32 %r6, own; mad.lo.u32 %r7, %me, 4, %r6; st.shared.u32 [%r7], 0;" + sync +

         "ld.param.u64 %d1, [tensor]; ld.param.u64 %d2, [out]; add.u64 %map, %d2, 256;"
         "@%p0 tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%r6], %d1;"
         "@%p0 tensormap.replace.tile.rank.shared::cta.b1024.b32 [%r6], 1;"
         "@%p0 tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%r6], 0, 8;"
         "@%p0 tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%r6], 1, 2;"
         "@%p0 tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%r6], 0, 12;"
         "@%p0 tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%r6], 1, 6;"
         "@%p0 tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%r6], 0, 48;"
         "@%p0 tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [%r6], 0, 1;"
         "@%p0 tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [%r6], 1, 1;"
         "@%p0 tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [%r6], 2;" +
         changes +
         "bar.warp.sync -1;"
         "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned "
         "[%map], [%r6], 128; fence.proxy.tensormap::generic.acquire.gpu [%map], 128;";
}

TEST(TensorCopy, UsesAMapOfTheKernel) {
  const Result result = run_tensor(own_map() + kInit + load("4, 1") + kWait);
  EXPECT_EQ(result.finding(), "");
  for (std::uint32_t i = 0; i < 16; ++i) {
    EXPECT_EQ(word(result, 1, i), 100 + (1 + i / 8) * kColumns + 4 + i % 8) << i;
  }
}

TEST(TensorCopy, ReplacedFieldsOfAMapInGlobalMemoryCount) {
  const std::string shorter =
      "@%p0 tensormap.replace.tile.global_dim.global.b1024.b32 [%map], 0, 8; bar.sync 0;"
      "fence.proxy.tensormap::generic.acquire.gpu [%map], 128;";
  const Result result = run_tensor(own_map() + shorter + kInit + load("4, 1") + kWait);
  EXPECT_EQ(result.finding(), "");
  for (std::uint32_t i = 0; i < 16; ++i) {
    const bool inside = i % 8 < 4;
    EXPECT_EQ(word(result, 1, i), inside ? 100 + (1 + i / 8) * kColumns + 4 + i % 8 : 0U) << i;
  }
}

TEST(TensorCopy, RefusesIllegalMapsOfTheKernel) {
  const std::string box =
      "@%p0 tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%r6], 0, 300;";
  EXPECT_EQ(run_tensor(own_map(box) + kInit + load("4, 1") + kWait).finding(),
            "illegal-instruction: the tensor map at byte 256 of out, of which tensormap.replace "
            "changed a field, is illegal: boxDim[0] is 300: expected 1 to 256");
  const std::string empty =
      "@%p0 tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%r6], 1, 0;";
  EXPECT_THAT(run_tensor(own_map(empty) + kInit + load("4, 1") + kWait).finding(),
              HasSubstr("globalDim[1] is 0: expected 1"));
}

TEST(TensorCopy, ReplaceAccessesTheWholeMap) {
  EXPECT_THAT(run_tensor(own_map("", "")).finding(), StartsWith("race"));
  const std::string unaligned =
      "@%p0 tensormap.replace.tile.rank.shared::cta.b1024.b32 [%r6 + 8], 1;";
  EXPECT_THAT(run_tensor(own_map(unaligned)).finding(),
              StartsWith("misaligned: tensormap.replace of 128 bytes to byte "));
  const std::string beyond = "@%p0 tensormap.replace.tile.rank.global.b1024.b32 [%map + 192], 1;";
  EXPECT_THAT(run_tensor(own_map(beyond)).finding(),
              StartsWith("out-of-bounds: tensormap.replace of 128 bytes to byte 448 of out"));
}

TEST(TensorCopy, MapOfTheKernelMustBeWritten) {
  const std::string unwritten =
      "ld.param.u64 %d2, [out]; add.u64 %map, %d2, 256; mov.u32 %r6, own;"
      "@%p0 tensormap.replace.tile.rank.shared::cta.b1024.b32 [%r6], 1; bar.warp.sync -1;"
      "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned "
      "[%map], [%r6], 128;";
  EXPECT_THAT(run_tensor(unwritten).finding(), StartsWith("uninitialized-read"));
}

/// PTX ISA 9.7.9.28, table of the new values: they are not those of the driver API.
TEST(TensorMap, ElementTypesOfReplaceHaveTheirOwnNumbers) {
  const std::vector<std::string_view> names = {"u8",   "u16",  "u32",     "s32",     "u64",
                                               "s64",  "f16",  "f32",     "f32_ftz", "f64",
                                               "bf16", "tf32", "tf32_ftz"};
  for (std::size_t value = 0; value < names.size(); ++value) {
    auto bytes = device::encode(map_of_words());
    device::replace(bytes, device::TensorMapField::type, 0, value);
    const auto map = device::decode(bytes);
    ASSERT_TRUE(map.has_value());
    EXPECT_EQ(device::tensor_element_names()[map->type], names[value]);
    EXPECT_EQ(map->dims, map_of_words().dims);
  }
}

TEST(TensorCopy, FillsElementsOutsideTheTensor) {
  const Result result = run_tensor(kInit + load("8, -1") + kWait);
  EXPECT_EQ(result.finding(), "");
  for (std::uint32_t i = 0; i < 16; ++i) {
    const bool inside = i >= 8 && i < 12;
    EXPECT_EQ(word(result, 1, i), inside ? 100U + i : 0U) << i;
  }
}

TEST(TensorCopy, SwizzleExchangesChunks) {
  device::TensorMap map = map_of_words();
  map.swizzle = 1;
  map.box = {8, 6, 1, 1, 1};  // rows of 32 bytes: the rows from 4 on lie 128 bytes further
  const Result result = run_tensor(
      "@%p0 mbarrier.init.shared.b64 [%object], 1; bar.sync 0;"
      "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%object], 192;" +
          load("0, 0") + "add.u32 %tile, %tile, 128;" + "sub.u32 %r5, %tile, 128;" + kWait,
      map);
  EXPECT_EQ(result.finding(), "");
  for (std::uint32_t i = 0; i < 8; ++i) {
    EXPECT_EQ(word(result, 1, i), 100 + 4 * kColumns + (i ^ 4)) << i;
  }
}

TEST(TensorCopy, MustBeginAtSixteenBytes) {
  EXPECT_EQ(run_tensor(kInit + load("2, 1") + kWait).finding(),
            "illegal-instruction: coordinate 0 is 2, which is 8 bytes: expected a multiple of 16 "
            "bytes");
}

TEST(TensorCopy, MustFitTheMap) {
  const std::string one =
      "@%p0 cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%tile], "
      "[%map, {0}], [%object];";
  EXPECT_THAT(run_tensor(kInit + one).finding(),
              HasSubstr("the instruction has 1 coordinates, the tensor map 2 dimensions"));
  const std::string far = "@%p0 add.u32 %tile, %tile, 64;" + load("0, 0");
  EXPECT_THAT(run_tensor(kInit + far).finding(), StartsWith("misaligned"));
  const std::string beyond = "@%p0 add.u32 %tile, %tile, 256;" + load("0, 0");
  EXPECT_THAT(run_tensor(kInit + beyond).finding(), StartsWith("out-of-bounds"));
}

TEST(TensorCopy, RefusesIllegalMaps) {
  device::TensorMap map = map_of_words();
  map.box[0] = 300;
  EXPECT_EQ(run_tensor("", map).finding(),
            "launch-failure: cuTensorMapEncodeTiled returns CUDA_ERROR_INVALID_VALUE: boxDim[0] is "
            "300: expected 1 to 256");
}

TEST(TensorCopy, WrongByteCountIsADeadlock) {
  const std::string more =
      "@%p0 mbarrier.init.shared.b64 [%object], 1; bar.sync 0;"
      "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%object], 128;";
  EXPECT_THAT(run_tensor(more + load("0, 0") + kWait).finding(), StartsWith("deadlock"));
  EXPECT_THAT(run_tensor(more + load("0, 0") + kWait).finding(), HasSubstr("64 bytes"));
}

TEST(TensorCopy, ReadBeforeTheWaitIsARace) {
  EXPECT_THAT(run_tensor(kInit + load("0, 0") + "ld.shared.u32 %r2, [%tile];" + kWait).finding(),
              StartsWith("race"));
}

TEST(TensorCopy, StoresTheBoxWithinTheTensor) {
  const Result result = run_tensor(kFill + store("8, 5") + "cp.async.bulk.wait_group 0;");
  EXPECT_EQ(result.finding(), "");
  for (std::uint32_t i = 0; i < kRows * kColumns; ++i) {
    const bool inside = i >= 5 * kColumns + 8;
    EXPECT_EQ(word(result, 0, i), inside ? i - 5 * kColumns - 8 : 100 + i) << i;
  }
}

/// An H200 writes whole units of 16 bytes, here words 10 and 11 of a row of 10.
TEST(TensorCopy, StoreWritesWholeUnitsBeyondTheRow) {
  device::TensorMap map = map_of_words();
  map.dims[0] = kColumns - 2;
  const Result result = run_tensor(kFill + store("8, 0") + "cp.async.bulk.wait_group 0;", map);
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(word(result, 0, 9), 1U);
  EXPECT_EQ(word(result, 0, 11), 3U);
  EXPECT_EQ(word(result, 0, 12), 112U);
  EXPECT_THAT(run_tensor(kFill + store("0, -1") + "cp.async.bulk.wait_group 0;").finding(),
              HasSubstr("coordinate 1 is -1: expected 0 or more for a store"));
}

TEST(TensorCopy, StoreNeedsAFenceAfterTheWrites) {
  const std::string unfenced =
      "mad.lo.u32 %r1, %me, 4, %tile; st.shared.u32 [%r1], %me; bar.sync 0;";
  const std::string wait = "cp.async.bulk.wait_group 0;";
  EXPECT_THAT(run_tensor(unfenced + store("0, 0") + wait).finding(),
              HasSubstr("no fence.proxy.async follows the write"));
  // A fence of the thread that stores follows the writes of the others on the path to the store.
  EXPECT_EQ(
      run_tensor(unfenced + "@%p0 fence.proxy.async.shared::cta;" + store("0, 0") + wait).finding(),
      "");
}

TEST(TensorCopy, ReducesIntoTheTensor) {
  const std::string reduce =
      "@%p0 cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%map, {0, 2}], "
      "[%tile]; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;";
  const Result result = run_tensor(kFill + reduce);
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(word(result, 0, 2 * kColumns + 3), 100 + 2 * kColumns + 3 + 3);
  EXPECT_EQ(word(result, 0, 3 * kColumns), 100 + 3 * kColumns + 8);
}

TEST(TensorCopy, SourceMayChangeAfterItWasRead) {
  const std::string change = "bar.sync 0; st.shared.u32 [%r1], 7;";
  const std::string read = "cp.async.bulk.wait_group.read 0;";
  EXPECT_EQ(run_tensor(kFill + store("0, 0") + read + change).finding(), "");
  EXPECT_THAT(run_tensor(kFill + store("0, 0") + change + read).finding(),
              StartsWith("race: thread"));
  EXPECT_THAT(run_tensor(kFill + store("0, 0") + change + read).finding(),
              HasSubstr("may still read"));
}

TEST(TensorCopy, ExitBeforeTheSourceWasReadIsARace) {
  EXPECT_THAT(run_tensor(kFill + store("0, 0")).finding(),
              StartsWith("race: the thread exits before this bulk copy has read"));
}

std::string multicast(const std::string& mask) {
  return "@%p0 mbarrier.init.shared.b64 [%object], 1; fence.mbarrier_init.release.cluster;"
         "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%object], 64;"
         "barrier.cluster.arrive; barrier.cluster.wait;"
         "mov.u32 %r7, %cluster_ctarank; setp.eq.and.u32 %p3, %r7, 0, %p0; mov.b16 %h0, " +
         mask +
         ";@%p3 cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
         ".multicast::cluster [%tile], [%map, {0, 1}], [%object], %h0;" +
         kWait + "barrier.cluster.arrive; barrier.cluster.wait;";
}

TEST(TensorCopy, MulticastReachesEachBlock) {
  const Result result = run_tensor(multicast("3"), map_of_words(), {2, 1, 1});
  EXPECT_EQ(result.finding(), "");
  for (const std::size_t block : {0U, 1U}) {
    EXPECT_EQ(word(result, 1, 32 * block + 9), 100 + 2 * kColumns + 1);
  }
}

/// Each thread of block 0 stores its number and 7 to block 1, which waits for the bytes.
TEST(TensorCopy, AsynchronousStoresReachAnotherBlock) {
  const auto store_to = [](const std::string& bytes, const std::string& after = "") {
    return "@%p0 mbarrier.init.shared.b64 [%object], 1; fence.mbarrier_init.release.cluster;"
           "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%object], " +
           bytes +
           "; barrier.cluster.arrive; barrier.cluster.wait;"
           "mov.u32 %r7, %cluster_ctarank; setp.eq.u32 %p3, %r7, 0; mad.lo.u32 %r1, %me, 8, %tile;"
           "mapa.shared::cluster.u32 %r3, %r1, 1; mapa.shared::cluster.u32 %r4, %object, 1;"
           "mov.u32 %r5, 7;"
           "@%p3 st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%r3], "
           "{%me, %r5}, [%r4]; @%p3 bra end;\n"
           "wait: mbarrier.try_wait.parity.shared.b64 %p1, [%object], 0; @!%p1 bra wait;\n"
           "ld.shared.v2.u32 {%r2, %r6}, [%r1]; add.u32 %r2, %r2, %r6; st.global.u32 [%out], "
           "%r2;\n" +
           after + "end: barrier.cluster.arrive; barrier.cluster.wait;";
  };
  const Result result = run_tensor(store_to("256"), map_of_words(), {2, 1, 1});
  EXPECT_EQ(result.finding(), "");
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(word(result, 1, 32 + i), i + 7);
  EXPECT_THAT(run_tensor(store_to("264"), map_of_words(), {2, 1, 1}).finding(),
              StartsWith("deadlock"));
  // They use the generic proxy, and bulk copies the async proxy.
  const std::string copy = store("0, 0") + "cp.async.bulk.wait_group 0;\n";
  EXPECT_THAT(run_tensor(store_to("256", copy), map_of_words(), {2, 1, 1}).finding(),
              HasSubstr("no fence.proxy.async follows the write"));
  EXPECT_EQ(
      run_tensor(store_to("256", "fence.proxy.async;" + copy), map_of_words(), {2, 1, 1}).finding(),
      "");
}

TEST(TensorCopy, MulticastNeedsTheRightBlocks) {
  EXPECT_THAT(run_tensor(multicast("1"), map_of_words(), {2, 1, 1}).finding(),
              StartsWith("deadlock"));
  EXPECT_THAT(run_tensor(multicast("7"), map_of_words(), {2, 1, 1}).finding(),
              StartsWith("out-of-bounds: multicast to block 2 of a cluster that has 2"));
}

}  // namespace
}  // namespace warpcheck::isa::test
