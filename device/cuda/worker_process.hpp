// Starts a worker process, exchanges messages with it, and kills it if it does not reply in time.
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
/// Set in the environment of a worker, so that a program whose main() does not call
/// maybe_run_worker() cannot start workers recursively.
inline constexpr const char* kWorkerVariable = "WARPCHECK_CUDA_WORKER";
/// The file descriptors of the worker's end of the socket and of the shared memory.
inline constexpr int kWorkerSocket = 3;
inline constexpr int kWorkerImage = 4;

class WorkerProcess {
 public:
  /// Starts this program as a worker for GPU number `ordinal`. Throws EnvironmentError if the
  /// worker finds no driver or no GPU within `timeout`.
  WorkerProcess(int ordinal, std::chrono::milliseconds timeout);
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;
  ~WorkerProcess();

  [[nodiscard]] int ordinal() const { return ordinal_; }
  [[nodiscard]] const std::string& description() const { return description_; }
  /// The GPUs of the model of its GPU: bit i is GPU number i.
  [[nodiscard]] std::uint64_t gpus_of_model() const { return gpus_of_model_; }

  /// At least `bytes` bytes of memory that the worker shares. The contents are lost when it grows.
  /// Throws std::bad_alloc.
  [[nodiscard]] std::span<std::byte> image(std::size_t bytes);

  struct Response {
    Receipt receipt = Receipt::message;
    Reply reply;              // with Receipt::message
    std::string exit_reason;  // with Receipt::closed: "the process that ran the kernel ..."
  };

  /// Sends the request and waits for the reply, at most `timeout`. Unless the receipt is a message,
  /// the process has ended afterwards.
  [[nodiscard]] Response request(const Request& request, std::chrono::milliseconds timeout);

  /// The output of the worker and its kernels since the last call.
  [[nodiscard]] std::string take_output();

 private:
  Response receive(std::chrono::milliseconds timeout);
  /// Waits for the end of the process, at most `grace`, then kills it; returns how it ended.
  std::string end(std::chrono::milliseconds grace = std::chrono::milliseconds(0));

  pid_t process_ = -1;
  FileDescriptor socket_;
  FileDescriptor image_file_;
  FileDescriptor output_file_;
  std::byte* image_ = nullptr;
  std::size_t image_bytes_ = 0;
  int ordinal_;
  std::string description_;
  std::uint64_t gpus_of_model_ = 0;
};

}  // namespace warpcheck::device::cuda
