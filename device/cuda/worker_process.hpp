// A worker process seen from outside: started, spoken to, killed when it keeps silent.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "device/cuda/channel.hpp"
#include "device/cuda/message.hpp"

namespace warpcheck::device::cuda {

inline constexpr const char* kWorkerFlag = "--cuda-worker";
/// Set in the worker's environment, so that a program whose main() is not prepared to be a worker
/// cannot start workers of its own without end.
inline constexpr const char* kWorkerVariable = "WARPCHECK_CUDA_WORKER";
/// Where a worker finds its end of the socket and the shared memory.
inline constexpr int kWorkerSocket = 3;
inline constexpr int kWorkerImage = 4;

class WorkerProcess {
 public:
  /// Starts this program again as a worker for GPU number `ordinal`. Throws EnvironmentError when
  /// the worker finds no driver or no GPU.
  WorkerProcess(int ordinal, std::chrono::milliseconds patience);
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;
  ~WorkerProcess();

  [[nodiscard]] int ordinal() const { return ordinal_; }
  [[nodiscard]] const std::string& description() const { return description_; }
  /// The GPUs that are like its own: bit i is GPU number i.
  [[nodiscard]] std::uint64_t alike() const { return alike_; }

  /// At least `bytes` bytes that the worker sees as well. Keeps nothing of former contents when it
  /// grows. Throws std::bad_alloc.
  [[nodiscard]] std::span<std::byte> image(std::size_t bytes);

  struct Answer {
    Receipt receipt = Receipt::message;
    Reply reply;           // with Receipt::message
    std::string obituary;  // with Receipt::closed: "the worker process died of signal 11 (...)"
  };

  /// Sends the request and waits for the answer for as long as `patience`. Afterwards, unless the
  /// receipt is a message, the process is gone.
  [[nodiscard]] Answer ask(const Request& request, std::chrono::milliseconds patience);

  /// What the worker and its kernels printed since the last call.
  [[nodiscard]] std::string take_output();

 private:
  Answer receive(std::chrono::milliseconds patience);
  /// Waits for its end, at most `grace`, then kills it; how it ended.
  std::string bury(std::chrono::milliseconds grace = std::chrono::milliseconds(0));

  pid_t process_ = -1;
  FileDescriptor socket_;
  FileDescriptor image_file_;
  FileDescriptor output_file_;
  std::byte* image_ = nullptr;
  std::size_t image_bytes_ = 0;
  int ordinal_;
  std::string description_;
  std::uint64_t alike_ = 0;
};

}  // namespace warpcheck::device::cuda
