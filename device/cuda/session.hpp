// The GPU in a worker process: one context and its loaded modules, which all lanes share.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "device/cuda/driver/driver_api.hpp"
#include "device/cuda/driver/kernel_launch.hpp"
#include "device/cuda/message.hpp"

namespace warpcheck::device::cuda {

/// A kernel of a module.
struct Entry {
  Function function = nullptr;
  bool has_parameters = false;  // false with old drivers, which do not report parameters
  std::vector<std::size_t> parameter_bytes;  // size of each parameter
  bool is_cooperative = false;               // the kernel synchronises its grid
  std::size_t shared_bytes = 0;              // largest dynamic shared memory of a launch
};

class LoadedModule {
 public:
  LoadedModule(const DriverApi& driver, std::uint64_t program, Module module,
               const std::string& ptx);
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;
  ~LoadedModule() { driver_.module_unload(module_); }

  [[nodiscard]] std::uint64_t program() const { return program_; }
  /// The values of variables outlive a launch, so that a module with variables serves only one job.
  [[nodiscard]] bool has_variables() const { return has_variables_; }

  /// Finds a kernel. Returns a CUresult.
  [[nodiscard]] int find(const std::string& name, Entry*& entry);

  /// Raises the limits of the kernel that the launch would exceed. Never lowers them, because other
  /// lanes launch the same kernel. Returns a CUresult.
  [[nodiscard]] int raise_limits(Entry& entry, LaunchShape shape);

 private:
  DriverApi driver_;
  std::uint64_t program_;
  Module module_;
  bool has_variables_;
  std::set<std::string, std::less<>> cooperative_;
  std::mutex mutex_;
  std::map<std::string, Entry> entries_;
};

/// The driver and its context. Several threads can call the functions at once.
class Session {
 public:
  /// Initialises the driver and finds GPU number `ordinal`; the first program creates the context.
  /// Throws EnvironmentError if there is no such GPU.
  Session(const DriverApi& driver, int ordinal);

  [[nodiscard]] const DriverApi& driver() const { return driver_; }
  [[nodiscard]] int device() const { return device_; }

  /// "NVIDIA H200 (sm_90), driver 580.159.03 for CUDA 13.0".
  [[nodiscard]] std::string description() const;

  /// The GPUs of the same name and architecture, including this one: bit i is GPU number i, for the
  /// first 64.
  [[nodiscard]] std::uint64_t gpus_of_model() const;

  /// Makes the context current for the calling thread. Returns a CUresult.
  [[nodiscard]] int enter_context();

  /// Loads the program, unless it is loaded. Other threads can use the session meanwhile. Requires
  /// that the calling thread has entered the context.
  [[nodiscard]] Reply load(std::uint64_t program, const std::string& text);

  /// Null if the program is not loaded.
  [[nodiscard]] std::shared_ptr<LoadedModule> find(std::uint64_t program);
  void forget(std::uint64_t program);

 private:
  Reply load_module(std::uint64_t program, const std::string& text);

  DriverApi driver_;
  int device_ = 0;
  int devices_ = 0;  // number of GPUs of the machine
  std::mutex mutex_;
  std::condition_variable loaded_one_;
  Context context_ = nullptr;
  std::set<std::uint64_t> loading_;                  // programs that threads are loading
  std::list<std::shared_ptr<LoadedModule>> loaded_;  // most recently used first
};

}  // namespace warpcheck::device::cuda
