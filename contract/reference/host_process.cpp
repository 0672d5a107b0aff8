#include "contract/reference/host_process.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <mutex>
#include <utility>

#include "base/process/channel.hpp"
#include "base/process/file_actions.hpp"
#include "operation/host_message.hpp"

namespace warpcheck::contract {
namespace {

namespace fs = std::filesystem;

constexpr int kMostSeconds = 10;             // most processor time of one call
constexpr std::chrono::seconds kBrake{300};  // most elapsed time of one call, which may wait
constexpr int kPollMilliseconds = 100;
constexpr const char* kProgram = "warpcheck-reference";

[[noreturn]] void fail(const char* what, int error) {
  throw EnvironmentError(
      fmt::format("cannot start {}: {}: {}", kProgram, what, std::strerror(error)));
}

/// The program is beside this one, or beside the folder of this library.
fs::path program() {
  std::error_code error;
  std::vector<fs::path> folders = {fs::read_symlink("/proc/self/exe", error).parent_path()};
  Dl_info own{};
  if (dladdr(reinterpret_cast<const void*>(&program), &own) != 0 && own.dli_fname != nullptr) {
    folders.push_back(fs::absolute(own.dli_fname, error).parent_path());
  }
  for (const fs::path& folder : folders) {
    for (const char* const place :
         {".", "../bin", "warpcheck", "../" WARPCHECK_LIBRARY_FOLDER "/warpcheck",
          "../lib/warpcheck"}) {
      fs::path file = (folder / place / kProgram).lexically_normal();
      if (fs::exists(file, error)) return file;
    }
  }
  throw EnvironmentError(fmt::format(
      "found no program {}, which runs references in C++: install all files of warpcheck",
      kProgram));
}

/// The same file under a number that does not collide with the socket of a process.
FileDescriptor moved_up(int number) {
  const FileDescriptor low(number);
  const int moved = fcntl(number, F_DUPFD_CLOEXEC, operation::kHostSocket + 1);
  if (moved < 0) fail("fcntl", errno);
  return FileDescriptor(moved);
}

class HostProcess {
 public:
  explicit HostProcess(const fs::path& library) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
      fail("socketpair", errno);
    }
    socket_ = FileDescriptor(ends[0]);
    const FileDescriptor far = moved_up(ends[1]);
    FileActions actions;
    actions.open(STDIN_FILENO, "/dev/null");
    actions.duplicate(STDERR_FILENO, STDOUT_FILENO);
    actions.duplicate(far.get(), operation::kHostSocket);
    std::string file = program().string();
    std::string library_path = library.string();
    std::array<char*, 3> arguments = {file.data(), library_path.data(), nullptr};
    posix_spawnattr_t own_group;  // Ctrl-C in a terminal is for warpcheck, which ends the process
    posix_spawnattr_init(&own_group);
    posix_spawnattr_setflags(&own_group, POSIX_SPAWN_SETPGROUP);
    const int error =
        posix_spawn(&process_, file.c_str(), actions.get(), &own_group, arguments.data(), environ);
    posix_spawnattr_destroy(&own_group);
    if (error != 0) fail(file.c_str(), error);
  }
  HostProcess(const HostProcess&) = delete;
  HostProcess& operator=(const HostProcess&) = delete;
  ~HostProcess() { (void)end(true); }

  /// Sets `error` of the reply if the process ends or has to be ended.
  operation::HostReply run(const operation::HostCall& call) {
    (void)send_message(socket_.get(), encode(call));  // receive_message() detects a closed socket
    if (std::string limit = exceeded_limit(); !limit.empty()) {
      (void)end(true);
      return {"does not return within " + std::move(limit), {}};
    }
    std::vector<std::byte> message;
    const Receipt receipt = receive_message(socket_.get(), message);
    if (receipt == Receipt::message) return operation::decode_reply(message);
    return {end(false), {}};
  }

 private:
  [[nodiscard]] double processor_seconds() const {
    clockid_t clock{};
    timespec time{};
    if (clock_getcpuclockid(process_, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0.0;
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

  /// Waits for the reply, or until a limit, which it returns. A function that computes has the same
  /// time of a processor whatever the load of the machine.
  [[nodiscard]] std::string exceeded_limit() const {
    const auto brake = std::chrono::steady_clock::now() + kBrake;
    const double most = processor_seconds() + kMostSeconds;
    while (true) {
      pollfd reply{socket_.get(), POLLIN, 0};
      if (poll(&reply, 1, kPollMilliseconds) > 0) return {};
      if (processor_seconds() > most) return fmt::format("{} s of processor time", kMostSeconds);
      if (std::chrono::steady_clock::now() > brake) return fmt::format("{} s", kBrake.count());
    }
  }

  /// Returns how the process ended.
  std::string end(bool kills) {
    if (process_ < 0) return {};
    if (kills) kill(process_, SIGKILL);
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    if (!WIFSIGNALED(status)) return fmt::format("calls exit({})", WEXITSTATUS(status));
    return fmt::format("ends with signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  }

  FileDescriptor socket_;
  pid_t process_ = -1;
};

class FunctionOfLibrary : public operation::HostFunction {
 public:
  FunctionOfLibrary(fs::path library, HostFunctionName name)
      : library_(std::move(library)), name_(std::move(name)) {}

  std::vector<operation::HostOutput> compute(const operation::HostCall& call) override {
    std::unique_ptr<HostProcess> process = idle();
    operation::HostReply reply = process->run(call);
    if (!reply.error.empty()) throw_error(call, reply.error);
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(process));
    return std::move(reply.outputs);
  }

 private:
  std::unique_ptr<HostProcess> idle() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        std::unique_ptr<HostProcess> process = std::move(idle_.back());
        idle_.pop_back();
        return process;
      }
    }
    return std::make_unique<HostProcess>(library_);
  }

  [[noreturn]] void throw_error(const operation::HostCall& call, const std::string& error) const {
    std::string sizes;
    for (std::size_t i = 0; i < call.extents.size(); ++i) {
      sizes += fmt::format(" {}={}", name_.extents[i], call.extents[i]);
    }
    Diagnostic diagnostic = name_.place;
    diagnostic.message = fmt::format("reference '{}' {}, for{}", name_.name, error, sizes);
    throw InputError(std::move(diagnostic));
  }

  fs::path library_;
  HostFunctionName name_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<HostProcess>> idle_;
};

}  // namespace

std::shared_ptr<operation::HostFunction> function_in(fs::path library, HostFunctionName name) {
  return std::make_shared<FunctionOfLibrary>(std::move(library), std::move(name));
}

}  // namespace warpcheck::contract
