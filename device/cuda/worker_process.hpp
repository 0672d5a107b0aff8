// Starts a worker process, exchanges messages with it, and kills it if it does not reply in time.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/process/channel.hpp"
#include "device/cuda/message.hpp"

namespace warpcheck::device::cuda {

inline constexpr const char* kWorkerFlag = "--cuda-worker";
/// A variable in the environment of a worker. It prevents a program whose main() does not call
/// maybe_run_worker() from starting workers recursively.
inline constexpr const char* kWorkerVariable = "WARPCHECK_CUDA_WORKER";
/// The file descriptors of the worker's end of a lane: its socket and its shared memory.
constexpr int worker_socket(unsigned lane) { return 3 + 2 * static_cast<int>(lane); }
constexpr int worker_image(unsigned lane) { return worker_socket(lane) + 1; }
inline constexpr unsigned kMostLanes = 32;

/// A process with one context of a GPU. Each of its lanes runs one job at a time. Only one thread
/// at a time may use a lane; several threads can use different lanes.
class WorkerProcess {
 public:
  /// Starts this program as a worker for GPU number `ordinal`. Throws EnvironmentError if the
  /// worker finds no driver or no GPU within `timeout`.
  WorkerProcess(int ordinal, unsigned lanes, std::chrono::milliseconds timeout);
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;
  ~WorkerProcess();

  [[nodiscard]] int ordinal() const { return ordinal_; }
  [[nodiscard]] const std::string& description() const { return description_; }
  /// The GPUs of the same model as its GPU: bit i is GPU number i.
  [[nodiscard]] std::uint64_t gpus_of_model() const { return gpus_of_model_; }

  /// Memory that the lane shares with the worker, at least `bytes` bytes. The contents are lost
  /// when it grows. Throws std::bad_alloc.
  [[nodiscard]] std::span<std::byte> image(unsigned lane, std::size_t bytes);

  struct Response {
    Receipt receipt = Receipt::message;
    Reply reply;              // valid with Receipt::message
    std::string exit_reason;  // valid with Receipt::closed: "the process that ran the kernel ..."
  };

  /// Sends the request and waits for the reply, at most `timeout`. Unless the receipt is a message,
  /// the process and all its lanes have then ended.
  [[nodiscard]] Response request(unsigned lane, const Request& request,
                                 std::chrono::milliseconds timeout);

  /// The output of the worker and its kernels since the last call.
  [[nodiscard]] std::string take_output();

  /// Kills the process without waiting for its end.
  void kill();

 private:
  struct Lane {
    FileDescriptor socket;
    FileDescriptor image_file;
    std::span<std::byte> image;
  };

  Response receive(unsigned lane, std::chrono::milliseconds timeout);
  void spawn(std::vector<FileDescriptor> far_ends);
  /// Waits for the end of the process, at most `grace`, then kills it. Returns how it ended.
  std::string end(std::chrono::milliseconds grace = std::chrono::milliseconds(0));

  std::mutex ending_;
  pid_t process_ = -1;  // -1: the process has ended
  std::string exit_reason_;
  std::vector<Lane> lanes_;
  FileDescriptor output_file_;
  int ordinal_;
  std::string description_;
  std::uint64_t gpus_of_model_ = 0;
};

}  // namespace warpcheck::device::cuda
