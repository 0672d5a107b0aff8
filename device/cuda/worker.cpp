#include "device/cuda/worker.hpp"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/process/channel.hpp"
#include "base/process/crash.hpp"
#include "device/cuda/driver/driver_error.hpp"
#include "device/cuda/lane.hpp"
#include "device/cuda/message.hpp"
#include "device/cuda/session.hpp"
#include "device/cuda/worker_process.hpp"

namespace warpcheck::device::cuda {
namespace {

// The system may extend a lane's pause by this time; its default, 50 us, exceeds most launches.
constexpr unsigned long kSlackNanoseconds = 1000;

/// The shared memory of the buffers, which the device enlarges for larger jobs.
class SharedImage {
 public:
  explicit SharedImage(int file) : file_(file) {}

  /// Maps the whole memory, at least `bytes`. The lane releases the former mapping.
  std::span<std::byte> mapped(std::size_t bytes, Lane& lane) {
    if (bytes <= memory_.size()) return memory_;
    struct stat file {};
    if (fstat(file_, &file) != 0) throw std::bad_alloc();
    const auto size = static_cast<std::size_t>(file.st_size);
    lane.release();
    if (!memory_.empty()) munmap(memory_.data(), memory_.size());
    memory_ = {};
    void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
    if (memory == MAP_FAILED || size < bytes) throw std::bad_alloc();
    memory_ = {static_cast<std::byte*>(memory), size};
    return memory_;
  }

 private:
  int file_;
  std::span<std::byte> memory_;
};

bool send_reply(int socket, const Reply& reply) {
  const auto bytes = encode(reply);
  return send_message(socket, bytes);
}

/// Runs the jobs of one lane until the device ends the process, or a job makes the context
/// unusable.
void serve(Session& session, unsigned number, bool alone) {
  prctl(PR_SET_TIMERSLACK, kSlackNanoseconds);
  const int socket = worker_socket(number);
  Lane lane(session, alone, [socket] { return is_closed(socket); });
  SharedImage image(worker_image(number));
  std::vector<std::byte> message;
  while (receive_message(socket, message) == Receipt::message) {
    const Request request = decode_request(message);
    const Reply reply = request.kind == Request::Kind::load
                            ? lane.load(request.program, request.ptx)
                            : lane.run(request, image.mapped(request.image_bytes, lane));
    std::fflush(nullptr);  // the output of kernels must be complete before the reply is sent
    if (!send_reply(socket, reply) || is_sticky(reply.result)) return;
  }
}

/// Ends the process when the lane ends. Does not call exit(): after a sticky error the clean-up of
/// the driver may hang.
[[noreturn]] void serve_and_end(Session& session, unsigned number, bool alone) {
  try {
    serve(session, number, alone);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    std::fflush(nullptr);
    _exit(EXIT_FAILURE);
  }
  _exit(EXIT_SUCCESS);
}

void serve_lanes(int ordinal, unsigned lanes) {
  std::optional<Session> session;
  try {
    session.emplace(open_driver(), ordinal);
  } catch (const EnvironmentError& error) {
    (void)send_reply(worker_socket(0), {Reply::Status::unusable, 0, 0, error.what(), 0.0});
    return;
  }
  Reply ready;
  ready.text = session->description();
  ready.gpus = session->gpus_of_model();
  if (!send_reply(worker_socket(0), ready)) return;
  for (unsigned i = 1; i < lanes; ++i) {
    std::thread([&session, i] { serve_and_end(*session, i, false); }).detach();
  }
  serve_and_end(*session, 0, lanes == 1);
}

}  // namespace

void maybe_run_worker(int argc, char** argv) {
  if (argc != 4 || std::strcmp(argv[1], kWorkerFlag) != 0) return;
  end_by_signal_on_crash();  // a crash is reported as a finding; its core would have gigabytes
  try {
    serve_lanes(std::atoi(argv[2]), static_cast<unsigned>(std::atoi(argv[3])));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    _exit(EXIT_FAILURE);
  }
  _exit(EXIT_SUCCESS);
}

}  // namespace warpcheck::device::cuda
