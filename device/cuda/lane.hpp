// A lane of a worker process runs one job at a time, in a stream and memory of its own.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>

#include "device/cuda/driver/arena.hpp"
#include "device/cuda/message.hpp"
#include "device/cuda/session.hpp"

namespace warpcheck::device::cuda {

class Lane {
 public:
  /// While a kernel runs, the lane calls `abandoned`. If it returns true, no process waits for the
  /// reply, and this process ends. A lane that is `alone` polls without a pause; other lanes leave
  /// the processor to the threads that wait for them.
  Lane(Session& session, bool alone, std::function<bool()> abandoned)
      : session_(session),
        driver_(session.driver()),
        alone_(alone),
        abandoned_(std::move(abandoned)),
        arena_(driver_, session.device()) {}

  [[nodiscard]] Reply load(std::uint64_t program, const std::string& text);

  /// Copies the job's part of `image` to the GPU, makes the calls in order, and copies it back, all
  /// in one stream. The first job that uses the memory of the image page-locks it; release()
  /// unlocks it and must precede its unmapping.
  [[nodiscard]] Reply run(const Request& request, std::span<std::byte> image);
  void release();

 private:
  int enter();
  void lock(std::span<std::byte> image);
  int make_call(const KernelCall& call, LoadedModule& module);
  int wait();
  int wait_for_call(double& seconds);
  int wait_for_all();
  void create_counter();
  void pause(std::chrono::steady_clock::time_point begin) const;
  Reply execute(const Request& request, std::span<std::byte> image, LoadedModule& module);
  Reply failure(int result, std::uint64_t call) const;

  Session& session_;
  DriverApi driver_;
  bool alone_;
  std::function<bool()> abandoned_;
  Arena arena_;
  bool entered_ = false;
  Stream stream_ = nullptr;
  Event start_ = nullptr;
  Event stop_ = nullptr;
  std::byte* locked_ = nullptr;  // the image if the driver locked it, otherwise null
  /// A number in memory of this process, to which the stream writes waits_ when it is complete.
  /// Null with old drivers.
  std::uint32_t* completed_ = nullptr;
  DeviceAddress completed_address_ = 0;
  std::uint32_t waits_ = 0;  // value of the latest write to *completed_
};

}  // namespace warpcheck::device::cuda
