#include "base/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/diagnostic.hpp"

namespace warpcheck {
namespace {

[[noreturn]] void fail(const std::string& program, int error) {
  throw EnvironmentError(fmt::format("cannot run {}: {}", program, std::strerror(error)));
}

class Pipe {
 public:
  explicit Pipe(const std::string& program) {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) fail(program, errno);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close(ends_[0]);
    close_write();
  }

  [[nodiscard]] int write_end() const { return ends_[1]; }

  void close_write() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }

  [[nodiscard]] std::string read_all() const {
    std::string text;
    std::array<char, 4096> chunk;
    for (;;) {
      const ssize_t count = read(ends_[0], chunk.data(), chunk.size());
      if (count > 0) text.append(chunk.data(), static_cast<std::size_t>(count));
      if (count == 0 || (count < 0 && errno != EINTR)) return text;
    }
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

class FileActions {
 public:
  FileActions() { posix_spawn_file_actions_init(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  [[nodiscard]] posix_spawn_file_actions_t* get() { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

/// Unblocks all signals: a signal ends a child at once, while this process blocks it to clean up
/// first.
class Attributes {
 public:
  explicit Attributes(bool own_group) {
    posix_spawnattr_init(&attributes_);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(
        &attributes_,
        static_cast<short>(POSIX_SPAWN_SETSIGMASK | (own_group ? POSIX_SPAWN_SETPGROUP : 0)));
  }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  ~Attributes() { posix_spawnattr_destroy(&attributes_); }
  [[nodiscard]] const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_;
};

ChildResult run(const std::vector<std::string>& command, std::atomic<int>* group) {
  const std::string& program = command.at(0);
  Pipe output(program);
  FileActions actions;
  posix_spawn_file_actions_addopen(actions.get(), STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(actions.get(), output.write_end(), STDOUT_FILENO);
  if (group == nullptr) {
    posix_spawn_file_actions_adddup2(actions.get(), output.write_end(), STDERR_FILENO);
  }
  const Attributes attributes(group != nullptr);

  std::vector<std::string> copies = command;  // execvp requires writable arguments
  std::vector<char*> arguments;
  for (std::string& copy : copies) arguments.push_back(copy.data());
  arguments.push_back(nullptr);

  pid_t child = 0;
  const int error = posix_spawnp(&child, program.c_str(), actions.get(), attributes.get(),
                                 arguments.data(), environ);
  if (error != 0) fail(program, error);
  if (group != nullptr) *group = child;
  output.close_write();

  ChildResult result;
  result.output = output.read_all();
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) fail(program, errno);
  }
  if (group != nullptr) *group = 0;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace

ChildResult run_child(const std::vector<std::string>& command) { return run(command, nullptr); }

ChildResult run_child_group(const std::vector<std::string>& command, std::atomic<int>& group) {
  return run(command, &group);
}

}  // namespace warpcheck
