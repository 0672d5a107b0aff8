// Jobs for the device with the fake driver.
#pragma once

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "device/cuda/cuda_device.hpp"

namespace warpcheck::device::cuda {

/// A test with a fake driver.
class FakeDriver : public testing::Test {
 protected:
  void SetUp() override { setenv("WARPCHECK_LIBCUDA", FAKE_LIBCUDA, 1); }
  void TearDown() override {
    unsetenv("WARPCHECK_LIBCUDA");
    unsetenv("FAKE_CUDA_NO_GPU");
    unsetenv("FAKE_CUDA_GPUS");
    unsetenv("FAKE_CUDA_OLD");
  }

  static std::shared_ptr<const Program> load(Device& device, const std::string& extra = "") {
    return device.load("copy copy_tensor fill fault die hang print count where process\n" + extra,
                       "fake.ptx");
  }
};

inline Buffer buffer(const std::string& name, std::size_t bytes, unsigned char value) {
  Buffer result;
  result.name = name;
  result.extent = {1, bytes, bytes};
  result.bytes.assign(bytes, static_cast<std::byte>(value));
  return result;
}

inline Scalar scalar(std::uint32_t value) {
  Scalar result;
  std::memcpy(result.bytes.data(), &value, sizeof value);
  return result;
}

inline Job job(const std::string& entry, std::vector<Argument> arguments = {}) {
  Job result;
  result.buffers = {buffer("A", 100, 1), buffer("C", 100, 2)};
  result.launches.push_back({entry, {1, 1, 1}, {32, 1, 1}, 0, std::move(arguments)});
  return result;
}

inline Job copying_job() {
  return job("copy", {BufferAddress{0, 0}, BufferAddress{1, 10}, scalar(20)});
}

inline void expect_copied(const Outcome& outcome) {
  ASSERT_TRUE(outcome.findings.empty()) << outcome.findings[0].message;
  std::vector<std::byte> expected(100, std::byte{2});
  std::fill_n(expected.begin() + 10, 20, std::byte{1});
  ASSERT_EQ(outcome.buffers.size(), 2U);
  EXPECT_EQ(outcome.buffers[0], std::vector<std::byte>(100, std::byte{1}));
  EXPECT_EQ(outcome.buffers[1], expected);
}

inline void expect_one(const Outcome& outcome, FindingClass kind, const std::string& part) {
  ASSERT_EQ(outcome.findings.size(), 1U);
  EXPECT_EQ(name(outcome.findings[0].kind), name(kind));
  EXPECT_THAT(outcome.findings[0].message, testing::HasSubstr(part));
}

}  // namespace warpcheck::device::cuda
