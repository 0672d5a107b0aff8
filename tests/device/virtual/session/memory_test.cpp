// Memory of a session: allocations, their lifetime, and copies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "tests/device/virtual/session/fixture.hpp"

namespace warpcheck::device::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::string kIncrement = entry(
    "increment", "ld.global.u32 %r1, [%own];\n add.u32 %r1, %r1, 1;\n st.global.u32 [%own], %r1;");
const std::string kStore = entry("store", "st.global.u32 [%own], 7;");

class SessionMemory : public SessionTest {
 protected:
  /// A launch of three threads that returns its accesses.
  [[nodiscard]] static SessionLaunch with_footprint(const std::string& entry, std::uint64_t a) {
    SessionLaunch what;
    what.entry = entry;
    what.block = {3, 1, 1};
    what.parameters = parameters(a);
    what.footprint = true;
    return what;
  }
};

TEST_F(SessionMemory, BytesOutliveALaunch) {
  const ModuleId module = load(kIncrement);
  const std::uint64_t a = allocate(Words{10, 20}, "a");
  EXPECT_THAT(launch(module, "increment", 2, a).findings, IsEmpty());
  EXPECT_TRUE(launch(module, "increment", 2, a).completed);
  EXPECT_THAT(read(a, 2), ElementsAre(12, 22));
}

TEST_F(SessionMemory, LaunchReturnsItsAccesses) {
  const ModuleId module =
      load(entry("sum",
                 "ld.global.u32 %r1, [%own];\n st.global.u32 [%own + 64], %r1;\n"
                 "atom.global.add.u32 %r1, [%p + 128], 1;"));
  const std::uint64_t a = allocate(Words(33, 0), "a");
  SessionLaunch what = with_footprint("sum", a);
  what.footprint = false;
  EXPECT_THAT(session->launch(module, what).accesses, IsEmpty());  // only on request
  what.footprint = true;
  const std::vector<AccessedRange> accesses = session->launch(module, what).accesses;
  ASSERT_EQ(accesses.size(), 3U);
  EXPECT_EQ(accesses[0].address, a);
  EXPECT_EQ(accesses[0].bytes, 12U);
  EXPECT_EQ(accesses[0].kinds, AccessKinds{.read = true});
  EXPECT_EQ(accesses[1].address, a + 64);
  EXPECT_EQ(accesses[1].kinds, AccessKinds{.write = true});
  EXPECT_EQ(accesses[2].bytes, 4U);
  EXPECT_EQ(accesses[2].kinds, AccessKinds{.strong_write = true});
}

TEST_F(SessionMemory, LaunchReturnsItsReadOnlyLoads) {
  const ModuleId module =
      load(entry("copy",
                 "ld.global.nc.u32 %r1, [%own];\n ld.global.u32 %r2, [%own + 4];\n"
                 "st.global.u32 [%own + 64], %r1;"));
  const std::uint64_t a = allocate(Words(33, 0), "a");
  const std::vector<AccessedRange> accesses =
      session->launch(module, with_footprint("copy", a)).accesses;
  ASSERT_EQ(accesses.size(), 2U);
  EXPECT_EQ(accesses[0].address, a);
  EXPECT_EQ(accesses[0].bytes, 16U);
  EXPECT_EQ(accesses[0].kinds, AccessKinds{.read = true});
  EXPECT_EQ(accesses[1].kinds, AccessKinds{.write = true});
}

TEST_F(SessionMemory, PartsOfAReservationHaveTheirOwnAccess) {
  using State = AddressPart::State;
  // A module reports a finding at an instruction once.
  const ModuleId module =
      load(kIncrement + kStore + entry("store_again", "st.global.u32 [%own], 8;"));
  const std::uint64_t a = session->reserve("a", 64).value();
  EXPECT_EQ(session->fill(a, std::byte{1}, 4)->refused, "where no memory is mapped");
  EXPECT_THAT(texts(launch(module, "store", 1, a).findings),
              ElementsAre("out-of-bounds: 4-byte store to byte 0 of a, where no memory is mapped"));
  const std::array parts = {AddressPart{32, State::accessible}, AddressPart{32, State::read_only}};
  session->set_parts(a, parts);
  EXPECT_THAT(launch(module, "store", 8, a).findings, IsEmpty());
  EXPECT_EQ(undefined(a, 32), 0U);
  EXPECT_THAT(texts(launch(module, "store_again", 9, a).findings),
              ElementsAre("out-of-bounds: store to byte 0 of a, which the device may only read"));
  const std::array later = {AddressPart{32, State::was_mapped}, AddressPart{32, State::accessible}};
  session->set_parts(a, later);
  EXPECT_THAT(
      texts(launch(module, "increment", 1, a).findings),
      ElementsAre("use-after-free: 4-byte load from byte 0 of a, whose memory was unmapped before",
                  "use-after-free: 4-byte store to byte 0 of a, whose memory was unmapped before"));
  session->end_reservation(a);
  EXPECT_EQ(session->fill(a, std::byte{1}, 4)->kind, RangeError::Kind::freed);
}

TEST_F(SessionMemory, TwoAddressesHaveTheSameBytes) {
  const ModuleId module = load(kStore);
  constexpr std::size_t kBytes = std::size_t{2} << 20;
  const std::uint64_t a = session->reserve("a", 3 * kBytes).value();
  const AddressPart all{3 * kBytes, AddressPart::State::accessible};
  session->set_parts(a, {&all, 1});
  EXPECT_THAT(launch(module, "store", 2, a).findings, IsEmpty());
  session->share_memory(std::array{a, a + kBytes}, kBytes);
  EXPECT_EQ(undefined(a + kBytes, 12), 4U);
  EXPECT_THAT(launch(module, "store", 3, a + kBytes).findings, IsEmpty());
  EXPECT_EQ(undefined(a, 12), 0U);
  session->share_memory(std::array{a + kBytes, a, a + 2 * kBytes}, kBytes);
  EXPECT_EQ(undefined(a + 2 * kBytes, 12), 0U);
  session->unshare_memory(a, kBytes);
  EXPECT_EQ(undefined(a, 12), 12U);
  EXPECT_EQ(undefined(a + 2 * kBytes, 12), 0U);
}

TEST_F(SessionMemory, DefinednessOutlivesALaunch) {
  const ModuleId module = load(kIncrement + kStore);
  const std::uint64_t a = allocate(16, "a");
  EXPECT_EQ(undefined(a, 16), 16U);
  EXPECT_THAT(launch(module, "store", 3, a).findings, IsEmpty());
  EXPECT_EQ(undefined(a, 16), 4U);
  EXPECT_THAT(launch(module, "increment", 3, a).findings, IsEmpty());
  EXPECT_THAT(texts(launch(module, "increment", 4, a).findings),
              ElementsAre("uninitialized-read: an undefined value is stored to byte 12 of a"));
}

TEST_F(SessionMemory, UndefinedBytesAreFoundAndSet) {
  const std::uint64_t a = allocate(8, "a");
  const std::vector<std::byte> word(4, std::byte{5});
  EXPECT_FALSE(session->write(a + 2, word));
  std::vector<std::byte> flags(6);
  EXPECT_FALSE(session->find_undefined(a, flags));
  const std::byte no{0};
  const std::byte yes{1};
  EXPECT_THAT(flags, ElementsAre(yes, yes, no, no, no, no));
  EXPECT_FALSE(session->set_undefined(a + 3, std::vector<std::byte>{yes, no}));
  EXPECT_FALSE(session->find_undefined(a, flags));
  EXPECT_THAT(flags, ElementsAre(yes, yes, no, yes, no, no));
  EXPECT_TRUE(session->find_undefined(a + 3, flags));  // exceeds the allocation
  EXPECT_TRUE(session->set_undefined(a + 3, flags));
}

TEST_F(SessionMemory, CopiesBringDefinednessAlong) {
  const std::uint64_t a = allocate(Words{1, 2}, "a");
  const std::uint64_t b = allocate(16, "b");
  EXPECT_FALSE(session->copy(b + 4, a, 8));
  EXPECT_EQ(undefined(b, 16), 8U);
  EXPECT_FALSE(session->copy(b, b + 4, 12));  // overlaps
  EXPECT_EQ(undefined(b, 8), 0U);
  EXPECT_EQ(undefined(b, 16), 8U);
  EXPECT_THAT(read(b, 2), ElementsAre(1, 2));
  EXPECT_FALSE(session->fill(b, std::byte{0xab}, 16));
  EXPECT_EQ(undefined(b, 16), 0U);
  EXPECT_THAT(read(b + 12, 1), ElementsAre(0xabababab));
}

TEST_F(SessionMemory, BytesOfTheHostAreRegisteredInPlace) {
  const ModuleId module = load(kIncrement);
  std::array<std::uint32_t, 2> words = {4, 5};
  const auto at =
      session->allocate({sizeof words, MemoryKind::host_visible, "words", words.data()});
  ASSERT_EQ(at, reinterpret_cast<std::uint64_t>(words.data()));
  EXPECT_THAT(launch(module, "increment", 2, *at).findings, IsEmpty());
  EXPECT_THAT(words, ElementsAre(5, 6));
  EXPECT_THAT(texts(launch(module, "increment", 3, *at).findings),
              testing::SizeIs(testing::Ge(1U)));
  EXPECT_EQ(session->free(*at), FreeResult::freed);
  EXPECT_THAT(words, ElementsAre(6, 7));
  EXPECT_EQ(session->read(*at, {}, nullptr)->kind, RangeError::Kind::unknown);
}

TEST_F(SessionMemory, AccessBeyondAnAllocationNamesIt) {
  const ModuleId module = load(kStore);
  const std::uint64_t a = allocate(4096, "a");
  static_cast<void>(allocate(4096, "b"));
  EXPECT_THAT(texts(launch(module, "store", 4, a + 4096 + 12).findings),
              ElementsAre("out-of-bounds: 4-byte store to byte 4108 of a, which has 4096 bytes"));
}

TEST_F(SessionMemory, AccessBeforeAnAllocationNamesIt) {
  const ModuleId module = load(kStore);
  static_cast<void>(allocate(4096, "a"));
  const std::uint64_t b = allocate(4096, "b");
  EXPECT_THAT(texts(launch(module, "store", 1, b - 4).findings),
              ElementsAre("out-of-bounds: 4-byte store to byte -4 of b, which has 4096 bytes"));
}

TEST_F(SessionMemory, AccessAfterFreeNamesTheAllocation) {
  const ModuleId module = load(kStore);
  const std::uint64_t a = allocate(64, "a");
  EXPECT_EQ(session->free(a), FreeResult::freed);
  static_cast<void>(allocate(64, "b"));
  EXPECT_THAT(texts(launch(module, "store", 1, a).findings),
              ElementsAre("use-after-free: 4-byte store to byte 0 of a, which was freed before"));
}

TEST_F(SessionMemory, FreeChecksTheAddress) {
  const std::uint64_t a = allocate(64, "a");
  EXPECT_EQ(session->free(a + 4), FreeResult::not_the_start);
  EXPECT_EQ(session->free(a), FreeResult::freed);
  EXPECT_EQ(session->free(a), FreeResult::freed_before);
  EXPECT_EQ(session->free(64), FreeResult::unknown);
  EXPECT_EQ(session->free(a + (std::uint64_t{1} << 50)), FreeResult::unknown);
}

TEST_F(SessionMemory, CopiesCheckTheRange) {
  const std::uint64_t a = allocate(Words{1, 2}, "a");
  std::array<std::byte, 12> bytes{};
  const auto beyond = session->read(a, bytes, nullptr);
  ASSERT_TRUE(beyond);
  EXPECT_EQ(beyond->kind, RangeError::Kind::out_of_bounds);
  EXPECT_EQ(beyond->allocation, "a");
  EXPECT_EQ(beyond->allocated, 8U);
  const auto before = session->write(a - 4, bytes);
  ASSERT_TRUE(before);
  EXPECT_EQ(before->offset, -4);
  EXPECT_THAT(read(a, 2), ElementsAre(1, 2));
  EXPECT_EQ(session->free(a), FreeResult::freed);
  EXPECT_EQ(session->fill(a, std::byte{0}, 1)->kind, RangeError::Kind::freed);
  EXPECT_EQ(session->fill(16, std::byte{0}, 1)->kind, RangeError::Kind::unknown);
}

TEST_F(SessionMemory, LiveAllocationsAreListedInTheirOrder) {
  const std::uint64_t a = allocate(8, "a");
  const std::uint64_t b = allocate(8, "b");
  const std::uint64_t c = allocate(0, "c");
  EXPECT_NE(b, c);
  EXPECT_EQ(session->free(b), FreeResult::freed);
  std::vector<std::string> names;
  for (const AllocationInfo& one : session->live()) names.push_back(one.name);
  EXPECT_THAT(names, ElementsAre("a", "c"));
  EXPECT_EQ(session->containing(a + 7)->name, "a");
  EXPECT_FALSE(session->containing(a + 8));
  EXPECT_FALSE(session->containing(b));
}

TEST_F(SessionMemory, AllocationsBeyondTheTotalAreRefused) {
  session = make_virtual_session({}, 1000);
  const std::uint64_t a = allocate(600, "a");
  EXPECT_FALSE(session->allocate({401, MemoryKind::device, "b"}));
  EXPECT_EQ(session->free_bytes(), 400U);
  EXPECT_EQ(session->free(a), FreeResult::freed);
  EXPECT_TRUE(session->allocate({1000, MemoryKind::device, "c"}));
  EXPECT_EQ(session->free_bytes(), 0U);
}

TEST_F(SessionMemory, ThousandsOfAllocationsHaveTheirOwnAddresses) {
  const ModuleId module = load(kStore);
  std::vector<std::uint64_t> all;
  for (std::size_t i = 0; i < 100'000; ++i) {
    all.push_back(allocate(i % 97 * 16, "block " + std::to_string(i)));
  }
  EXPECT_THAT(texts(launch(module, "store", 5, all[97'001]).findings),
              ElementsAre("out-of-bounds: 4-byte store to byte 16 of block 97001, which has 16 "
                          "bytes"));
  for (std::size_t i = all.size(); i-- > 0;) EXPECT_EQ(session->free(all[i]), FreeResult::freed);
  EXPECT_THAT(session->live(), IsEmpty());
  EXPECT_EQ(session->free_bytes(), session->total_bytes());
}

TEST_F(SessionMemory, LargeAllocationTakesMemoryOnlyWhereWritten) {
  session = make_virtual_session({}, std::uint64_t{64} << 30);
  const ModuleId module = load(kStore);
  constexpr std::uint64_t kBytes = std::uint64_t{24} << 30;
  const std::uint64_t a = allocate(kBytes, "a");
  EXPECT_EQ(launch(module, "store", 1, a + kBytes - 4).findings.size(), 0U);
  EXPECT_THAT(read(a + kBytes - 4, 1), ElementsAre(7));
  EXPECT_EQ(texts(launch(module, "store", 1, a + kBytes).findings).size(), 1U);
}

TEST_F(SessionMemory, HostAndDeviceShareHostVisibleMemory) {
  const ModuleId module = load(kIncrement);
  const std::uint64_t a = allocate(8, "a", MemoryKind::host_visible);
  auto* words = reinterpret_cast<std::uint32_t*>(a);
  words[0] = 4;
  words[1] = 5;
  EXPECT_THAT(launch(module, "increment", 2, a).findings, IsEmpty());
  EXPECT_EQ(words[0], 5U);
  EXPECT_EQ(words[1], 6U);
  EXPECT_THAT(texts(launch(module, "increment", 1, a + 8).findings),
              ElementsAre("out-of-bounds: 4-byte load from byte 8 of a, which has 8 bytes",
                          "out-of-bounds: 4-byte store to byte 8 of a, which has 8 bytes"));
  EXPECT_EQ(session->free(a), FreeResult::freed);
}

TEST_F(SessionMemory, ThousandsOfHostVisibleAllocations) {
  const ModuleId module = load(kStore);
  std::vector<std::uint64_t> all;
  for (std::uint32_t i = 0; i < 5'000; ++i) {
    all.push_back(allocate(16, "block " + std::to_string(i), MemoryKind::host_visible));
    *reinterpret_cast<std::uint32_t*>(all.back()) = i;
  }
  EXPECT_THAT(read(all[4'321], 1), ElementsAre(4'321));
  EXPECT_THAT(
      texts(launch(module, "store", 1, all[17] - 4).findings),
      ElementsAre("out-of-bounds: 4-byte store to byte -4 of block 17, which has 16 bytes"));
  EXPECT_EQ(session->free(all[18]), FreeResult::freed);
  EXPECT_EQ(session->fill(all[18] + 4, std::byte{1}, 4)->allocation, "block 18");
  EXPECT_EQ(session->free(all[18]), FreeResult::freed_before);
  EXPECT_THAT(read(all[19], 1), ElementsAre(19));
}

}  // namespace
}  // namespace warpcheck::device::test
