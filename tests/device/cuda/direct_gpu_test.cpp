// A GPU in this process, with the fake driver.
#include "device/cuda/driver/direct_gpu.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <cstring>

namespace warpcheck::device::cuda {
namespace {

class Direct : public testing::Test {
 protected:
  void SetUp() override { setenv("WARPCHECK_LIBCUDA", FAKE_LIBCUDA, 1); }
  void TearDown() override { unsetenv("WARPCHECK_LIBCUDA"); }
};

Buffer bytes_of(const std::string& name, std::vector<unsigned char> values) {
  Buffer buffer;
  buffer.name = name;
  buffer.extent = {1, values.size(), values.size()};
  for (const unsigned char value : values) buffer.bytes.push_back(std::byte{value});
  return buffer;
}

TEST_F(Direct, LaunchesAPreparedCallManyTimes) {
  DirectGpu gpu;
  EXPECT_THAT(gpu.description(), testing::StartsWith("Fake GPU"));
  const std::vector<Buffer> buffers = {bytes_of("A", {1, 2, 3, 4}), bytes_of("C", {0, 0, 0, 0})};
  const auto addresses = gpu.place(buffers);
  Scalar size;
  const std::uint32_t four = 4;
  std::memcpy(size.bytes.data(), &four, sizeof four);
  auto call = gpu.prepare(
      gpu.load("copy"),
      {"copy", {1, 1, 1}, {1, 1, 1}, 0, {BufferAddress{0, 0}, BufferAddress{1, 0}, size}},
      addresses);
  gpu.begin_timing();
  gpu.launch(call);
  EXPECT_GE(gpu.end_timing(), 0.0);
  EXPECT_EQ(gpu.read(addresses[1], 4), buffers[0].bytes);
  gpu.copy_rows(buffers[1], addresses[1]);
  EXPECT_EQ(gpu.read(addresses[1], 4), buffers[1].bytes);
  gpu.launch(call);
  EXPECT_EQ(gpu.read(addresses[1], 4), buffers[0].bytes);
  gpu.release();
}

TEST_F(Direct, ThrowsTheTextOfTheDriver) {
  DirectGpu gpu;
  EXPECT_THROW((void)gpu.prepare(gpu.load("copy"), {"missing", {1, 1, 1}, {1, 1, 1}, 0, {}}, {}),
               std::runtime_error);
}

TEST_F(Direct, RefusesTheSameTextAgain) {
  DirectGpu gpu;
  for (int i = 0; i < 2; ++i) {
    EXPECT_THROW((void)gpu.load("copy bad opcode"), std::runtime_error) << i;
  }
}

}  // namespace
}  // namespace warpcheck::device::cuda
