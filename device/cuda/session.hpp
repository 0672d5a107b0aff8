// The GPU as a worker process sees it: one context, the modules loaded in it, one allocation that
// every job uses anew.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <set>
#include <span>
#include <string>

#include "device/cuda/driver_api.hpp"
#include "device/cuda/message.hpp"

namespace warpcheck::device::cuda {

class Session {
 public:
  /// Initialises the driver and finds GPU number `ordinal`; the context comes with the first
  /// program. Throws EnvironmentError when there is no such GPU. `abandoned` is asked while a
  /// kernel runs: when it says true, nobody waits for the answer any more, and the process ends.
  Session(const DriverApi& driver, int ordinal, std::function<bool()> abandoned);

  /// "NVIDIA H200 (sm_90), driver 580.159.03 for CUDA 13.0".
  [[nodiscard]] std::string description() const;

  /// The GPUs of the same name and architecture, this one included: bit i is GPU number i, of the
  /// first 64.
  [[nodiscard]] std::uint64_t alike() const;

  [[nodiscard]] Reply load(std::uint64_t program, const std::string& text);

  /// Copies the job's part of `image` to the GPU, makes the calls in order, copies it back. The
  /// image's memory is page-locked from the first job on that uses it, until release(), which must
  /// come before it is unmapped.
  [[nodiscard]] Reply run(const Request& request, std::span<std::byte> image);
  void release();

 private:
  struct Loaded {
    std::uint64_t program = 0;
    Module module = nullptr;
    bool has_variables = false;  // then it serves one job only: their values outlive a launch
    std::set<std::string, std::less<>> cooperative;  // entries that synchronise their grid
  };

  [[nodiscard]] std::string model(int device) const;
  int enter_context();
  int reserve(std::size_t bytes);
  void lock(std::span<std::byte> image);
  int make_call(const KernelCall& call, const Loaded& loaded, double& seconds);
  int wait();
  Reply execute(const Request& request, std::span<std::byte> image, const Loaded& loaded);
  Reply failure(int result, std::uint64_t call) const;

  DriverApi driver_;
  int device_ = 0;
  int devices_ = 0;  // of the machine
  std::function<bool()> abandoned_;
  Context context_ = nullptr;
  Event start_ = nullptr;
  Event stop_ = nullptr;
  std::list<Loaded> loaded_;  // most recently used first
  DeviceAddress arena_ = 0;
  std::size_t arena_bytes_ = 0;
  std::byte* locked_ = nullptr;  // the image, where the driver could lock it
};

}  // namespace warpcheck::device::cuda
