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
  return FileDescriptor(
      checked(fcntl(number, F_DUPFD_CLOEXEC, worker_socket(kMostLanes)), "fcntl"));
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

WorkerProcess::WorkerProcess(int ordinal, unsigned lanes, std::chrono::milliseconds timeout)
    : lanes_(lanes), ordinal_(ordinal) {
  if (std::getenv(kWorkerVariable) != nullptr) {
    throw EnvironmentError(
        "this program cannot be a CUDA worker: its main() does not begin with "
        "maybe_run_worker()");
  }
  std::vector<FileDescriptor> far_ends;
  for (Lane& lane : lanes_) {
    std::array<int, 2> ends{};
    checked(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), "socketpair");
    lane.socket = moved_up(ends[0]);
    far_ends.push_back(moved_up(ends[1]));
    lane.image_file = moved_up(checked(memfd_create("warpcheck-image", MFD_CLOEXEC), "memfd"));
  }
  output_file_ = moved_up(checked(memfd_create("warpcheck-output", MFD_CLOEXEC), "memfd_create"));
  // Each process appends, even after the other one truncates the file.
  checked(fcntl(output_file_.get(), F_SETFL, O_APPEND), "fcntl");
  spawn(std::move(far_ends));

  const Response ready = receive(0, timeout);
  if (ready.receipt == Receipt::message && ready.reply.status == Reply::Status::done) {
    description_ = ready.reply.text;
    gpus_of_model_ = ready.reply.gpus;
    return;
  }
  // The destructor does not run for an object whose constructor throws.
  (void)end();
  if (ready.receipt == Receipt::message) throw EnvironmentError(ready.reply.text);
  throw EnvironmentError(
      ready.receipt == Receipt::late
          ? fmt::format("the NVIDIA driver did not start within {} ms", timeout.count())
          : fmt::format("the NVIDIA driver did not start: {}", ready.exit_reason));
}

/// Starts the process; this one closes the far ends of the sockets.
void WorkerProcess::spawn(std::vector<FileDescriptor> far_ends) {
  FileActions actions;
  actions.open(STDIN_FILENO, "/dev/null");
  actions.duplicate(output_file_.get(), STDOUT_FILENO);
  actions.duplicate(output_file_.get(), STDERR_FILENO);
  for (unsigned i = 0; i < far_ends.size(); ++i) {
    actions.duplicate(far_ends[i].get(), worker_socket(i));
    actions.duplicate(lanes_[i].image_file.get(), worker_image(i));
  }
  std::string program = "warpcheck";
  std::string flag = kWorkerFlag;
  std::string number = std::to_string(ordinal_);
  std::string lanes = std::to_string(lanes_.size());
  std::array<char*, 5> arguments = {program.data(), flag.data(), number.data(), lanes.data(),
                                    nullptr};
  std::string marker = std::string(kWorkerVariable) + "=1";
  std::vector<char*> environment;
  for (char** variable = environ; *variable != nullptr; ++variable)
    environment.push_back(*variable);
  environment.push_back(marker.data());
  environment.push_back(nullptr);
  // Ctrl-C in a terminal interrupts this process only, which ends its workers itself.
  posix_spawnattr_t own_group;
  posix_spawnattr_init(&own_group);
  posix_spawnattr_setflags(&own_group, POSIX_SPAWN_SETPGROUP);
  const int error = posix_spawn(&process_, "/proc/self/exe", actions.get(), &own_group,
                                arguments.data(), environment.data());
  posix_spawnattr_destroy(&own_group);
  if (error == 0) return;
  process_ = -1;
  throw std::system_error(error, std::generic_category(), "posix_spawn");
}

WorkerProcess::~WorkerProcess() {
  (void)end();
  for (const Lane& lane : lanes_) {
    if (!lane.image.empty()) munmap(lane.image.data(), lane.image.size());
  }
}

void WorkerProcess::kill() {
  const std::lock_guard lock(ending_);
  if (process_ > 0) ::kill(process_, SIGKILL);
}

std::string WorkerProcess::end(std::chrono::milliseconds grace) {
  const std::lock_guard lock(ending_);
  if (process_ < 0) return exit_reason_;
  const Deadline deadline = std::chrono::steady_clock::now() + grace;
  int status = 0;
  pid_t ended = waitpid(process_, &status, WNOHANG);
  while (ended != process_ && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ended = waitpid(process_, &status, WNOHANG);
  }
  if (ended != process_) {
    ::kill(process_, SIGKILL);
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
  }
  process_ = -1;
  exit_reason_ = exit_reason(status);
  return exit_reason_;
}

std::span<std::byte> WorkerProcess::image(unsigned lane, std::size_t bytes) {
  std::span<std::byte>& image = lanes_[lane].image;
  if (bytes > image.size()) {
    if (!image.empty()) munmap(image.data(), image.size());
    image = {};
    const std::size_t wanted = std::max(kLeastImage, bytes + bytes / 4);
    const int file = lanes_[lane].image_file.get();
    if (ftruncate(file, static_cast<off_t>(wanted)) != 0) throw std::bad_alloc();
    void* memory = mmap(nullptr, wanted, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    image = {static_cast<std::byte*>(memory), wanted};
  }
  return image.first(bytes);
}

WorkerProcess::Response WorkerProcess::receive(unsigned lane, std::chrono::milliseconds timeout) {
  std::vector<std::byte> message;
  Response response;
  response.receipt = receive_message(lanes_[lane].socket.get(), message,
                                     std::chrono::steady_clock::now() + timeout);
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

WorkerProcess::Response WorkerProcess::request(unsigned lane, const Request& request,
                                               std::chrono::milliseconds timeout) {
  // receive() detects a worker that ended
  (void)send_message(lanes_[lane].socket.get(), encode(request));
  return receive(lane, timeout);
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
