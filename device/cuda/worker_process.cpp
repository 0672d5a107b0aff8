#include "device/cuda/worker_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/process/file_actions.hpp"

namespace warpcheck::device::cuda {
namespace {

constexpr std::size_t kLeastImage = std::size_t{4} << 20;  // enough for most jobs

int checked(int result, const char* what) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), what);
  return result;
}

/// The same file under a number that does not collide with the descriptors of a worker.
FileDescriptor moved_up(int number) {
  const FileDescriptor low(number);
  return FileDescriptor(checked(fcntl(number, F_DUPFD_CLOEXEC, 16), "fcntl"));
}

std::string exit_reason(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    return fmt::format("the process that ran the kernel died of signal {} ({})", signal,
                       strsignal(signal));
  }
  return fmt::format("the process that ran the kernel ended with status {}", WEXITSTATUS(status));
}

}  // namespace

WorkerProcess::WorkerProcess(int ordinal, std::chrono::milliseconds timeout) : ordinal_(ordinal) {
  if (std::getenv(kWorkerVariable) != nullptr) {
    throw EnvironmentError(
        "this program cannot be a CUDA worker: its main() does not begin with "
        "maybe_run_worker()");
  }
  std::array<int, 2> ends{};
  checked(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), "socketpair");
  socket_ = moved_up(ends[0]);
  FileDescriptor far_end = moved_up(ends[1]);
  image_file_ = moved_up(checked(memfd_create("warpcheck-image", MFD_CLOEXEC), "memfd_create"));
  output_file_ = moved_up(checked(memfd_create("warpcheck-output", MFD_CLOEXEC), "memfd_create"));
  // Each process appends, also after the other one truncates the file.
  checked(fcntl(output_file_.get(), F_SETFL, O_APPEND), "fcntl");

  FileActions actions;
  actions.open(STDIN_FILENO, "/dev/null");
  actions.duplicate(output_file_.get(), STDOUT_FILENO);
  actions.duplicate(output_file_.get(), STDERR_FILENO);
  actions.duplicate(far_end.get(), kWorkerSocket);
  actions.duplicate(image_file_.get(), kWorkerImage);

  std::string program = "warpcheck";
  std::string flag = kWorkerFlag;
  std::string number = std::to_string(ordinal);
  std::array<char*, 4> arguments = {program.data(), flag.data(), number.data(), nullptr};
  std::string marker = std::string(kWorkerVariable) + "=1";
  std::vector<char*> environment;
  for (char** variable = environ; *variable != nullptr; ++variable)
    environment.push_back(*variable);
  environment.push_back(marker.data());
  environment.push_back(nullptr);
  // Ctrl-C in a terminal is for this process, which ends its workers itself.
  posix_spawnattr_t own_group;
  posix_spawnattr_init(&own_group);
  posix_spawnattr_setflags(&own_group, POSIX_SPAWN_SETPGROUP);
  const int error = posix_spawn(&process_, "/proc/self/exe", actions.get(), &own_group,
                                arguments.data(), environment.data());
  posix_spawnattr_destroy(&own_group);
  if (error != 0) throw std::system_error(error, std::generic_category(), "posix_spawn");
  far_end = FileDescriptor();

  const Response ready = receive(timeout);
  if (ready.receipt == Receipt::message && ready.reply.status == Reply::Status::done) {
    description_ = ready.reply.text;
    gpus_of_model_ = ready.reply.gpus;
    return;
  }
  // The destructor does not run for an object whose constructor throws.
  if (process_ > 0) (void)end();
  if (ready.receipt == Receipt::message) throw EnvironmentError(ready.reply.text);
  throw EnvironmentError(
      ready.receipt == Receipt::late
          ? fmt::format("the NVIDIA driver did not start within {} ms", timeout.count())
          : fmt::format("the NVIDIA driver did not start: {}", ready.exit_reason));
}

WorkerProcess::~WorkerProcess() {
  if (process_ > 0) (void)end();
  if (image_ != nullptr) munmap(image_, image_bytes_);
}

std::string WorkerProcess::end(std::chrono::milliseconds grace) {
  const Deadline deadline = std::chrono::steady_clock::now() + grace;
  int status = 0;
  pid_t ended = waitpid(process_, &status, WNOHANG);
  while (ended != process_ && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ended = waitpid(process_, &status, WNOHANG);
  }
  if (ended != process_) {
    kill(process_, SIGKILL);
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
  }
  process_ = -1;
  return exit_reason(status);
}

std::span<std::byte> WorkerProcess::image(std::size_t bytes) {
  if (bytes > image_bytes_) {
    if (image_ != nullptr) munmap(image_, image_bytes_);
    image_ = nullptr;
    image_bytes_ = 0;
    const std::size_t wanted = std::max(kLeastImage, bytes + bytes / 4);
    if (ftruncate(image_file_.get(), static_cast<off_t>(wanted)) != 0) throw std::bad_alloc();
    void* memory = mmap(nullptr, wanted, PROT_READ | PROT_WRITE, MAP_SHARED, image_file_.get(), 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    image_ = static_cast<std::byte*>(memory);
    image_bytes_ = wanted;
  }
  return {image_, bytes};
}

WorkerProcess::Response WorkerProcess::receive(std::chrono::milliseconds timeout) {
  std::vector<std::byte> message;
  Response response;
  response.receipt =
      receive_message(socket_.get(), message, std::chrono::steady_clock::now() + timeout);
  if (response.receipt == Receipt::message) {
    response.reply = decode_reply(message);
  } else if (response.receipt == Receipt::late) {
    (void)end();
  } else {
    // The process is ending. Its own exit status is more useful than that of a kill. A core dump of
    // a process with a GPU context takes seconds.
    response.exit_reason = end(std::chrono::seconds(5));
  }
  return response;
}

WorkerProcess::Response WorkerProcess::request(const Request& request,
                                               std::chrono::milliseconds timeout) {
  (void)send_message(socket_.get(), encode(request));  // receive() detects a worker that ended
  return receive(timeout);
}

std::string WorkerProcess::take_output() {
  std::string text;
  std::array<char, 4096> part{};
  ssize_t count = 0;
  while ((count = pread(output_file_.get(), part.data(), part.size(),
                        static_cast<off_t>(text.size()))) > 0) {
    text.append(part.data(), static_cast<std::size_t>(count));
  }
  checked(ftruncate(output_file_.get(), 0), "ftruncate");
  return text;
}

}  // namespace warpcheck::device::cuda
