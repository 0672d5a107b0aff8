#include "device/cuda/worker.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <span>

#include "base/diagnostic.hpp"
#include "device/cuda/channel.hpp"
#include "device/cuda/driver/driver_error.hpp"
#include "device/cuda/message.hpp"
#include "device/cuda/session.hpp"
#include "device/cuda/worker_process.hpp"

namespace warpcheck::device::cuda {
namespace {

/// The shared memory of the buffers, which the device enlarges for larger jobs.
class SharedImage {
 public:
  /// Maps all of the memory, at least `bytes`. The session releases the former mapping.
  std::span<std::byte> mapped(std::size_t bytes, Session& session) {
    if (bytes <= memory_.size()) return memory_;
    struct stat file {};
    if (fstat(kWorkerImage, &file) != 0) throw std::bad_alloc();
    const auto size = static_cast<std::size_t>(file.st_size);
    session.release();
    if (!memory_.empty()) munmap(memory_.data(), memory_.size());
    memory_ = {};
    void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, kWorkerImage, 0);
    if (memory == MAP_FAILED || size < bytes) throw std::bad_alloc();
    memory_ = {static_cast<std::byte*>(memory), size};
    return memory_;
  }

 private:
  std::span<std::byte> memory_;
};

bool send_reply(const Reply& reply) {
  const auto bytes = encode(reply);
  return send_message(kWorkerSocket, bytes);
}

void serve(int ordinal) {
  std::optional<Session> session;
  try {
    session.emplace(open_driver(), ordinal, [] { return is_closed(kWorkerSocket); });
  } catch (const EnvironmentError& error) {
    (void)send_reply({Reply::Status::unusable, 0, 0, error.what(), 0.0});
    return;
  }
  Reply ready;
  ready.text = session->description();
  ready.gpus = session->gpus_of_model();
  if (!send_reply(ready)) return;

  SharedImage image;
  std::vector<std::byte> message;
  while (receive_message(kWorkerSocket, message) == Receipt::message) {
    const Request request = decode_request(message);
    const Reply reply = request.kind == Request::Kind::load
                            ? session->load(request.program, request.ptx)
                            : session->run(request, image.mapped(request.image_bytes, *session));
    std::fflush(nullptr);  // the output of kernels must be complete before the reply is sent
    if (!send_reply(reply) || is_sticky(reply.result)) return;
  }
}

}  // namespace

void maybe_run_worker(int argc, char** argv) {
  if (argc != 3 || std::strcmp(argv[1], kWorkerFlag) != 0) return;
  const rlimit no_core{0, 0};  // a crash is reported as a finding; its core has gigabytes
  setrlimit(RLIMIT_CORE, &no_core);
  try {
    serve(std::atoi(argv[2]));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    _exit(EXIT_FAILURE);
  }
  // Not exit(): after a sticky error the clean-up of the driver may hang.
  _exit(EXIT_SUCCESS);
}

}  // namespace warpcheck::device::cuda
