// The GPU in a worker process: one context, its loaded modules, and one allocation that all jobs
// share.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <set>
#include <span>
#include <string>

#include "device/cuda/driver/driver_api.hpp"
#include "device/cuda/message.hpp"

namespace warpcheck::device::cuda {

class Session {
 public:
  /// Initialises the driver and finds GPU number `ordinal`; the first program creates the context.
  /// Throws EnvironmentError if there is no such GPU. While a kernel runs, the session calls
  /// `abandoned`; if it returns true, no process waits for the reply, and this process ends.
  Session(const DriverApi& driver, int ordinal, std::function<bool()> abandoned);

  /// "NVIDIA H200 (sm_90), driver 580.159.03 for CUDA 13.0".
  [[nodiscard]] std::string description() const;

  /// The GPUs of the same name and architecture, including this one: bit i is GPU number i, for the
  /// first 64.
  [[nodiscard]] std::uint64_t gpus_of_model() const;

  [[nodiscard]] Reply load(std::uint64_t program, const std::string& text);

  /// Copies the job's part of `image` to the GPU, makes the calls in order, and copies it back. The
  /// first job that uses the memory of the image page-locks it; release() undoes this and must
  /// precede its unmapping.
  [[nodiscard]] Reply run(const Request& request, std::span<std::byte> image);
  void release();

 private:
  struct Loaded {
    std::uint64_t program = 0;
    Module module = nullptr;
    bool has_variables = false;  // their values outlive a launch, so the module serves one job only
    std::set<std::string, std::less<>> cooperative;  // entries that synchronise their grid
  };

  int enter_context();
  int reserve(std::size_t bytes);
  void lock(std::span<std::byte> image);
  int make_call(const KernelCall& call, const Loaded& loaded, double& seconds);
  int wait();
  Reply execute(const Request& request, std::span<std::byte> image, const Loaded& loaded);
  Reply failure(int result, std::uint64_t call) const;

  DriverApi driver_;
  int device_ = 0;
  int devices_ = 0;  // number of GPUs of the machine
  std::function<bool()> abandoned_;
  Context context_ = nullptr;
  Event start_ = nullptr;
  Event stop_ = nullptr;
  std::list<Loaded> loaded_;  // most recently used first
  DeviceAddress arena_ = 0;
  std::size_t arena_bytes_ = 0;
  std::byte* locked_ = nullptr;  // the image, if the driver locked it
};

}  // namespace warpcheck::device::cuda
