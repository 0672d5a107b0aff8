#include "base/process/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>

#include "base/diagnostic.hpp"
#include "base/process/file_actions.hpp"
#include "base/process/interruption.hpp"

namespace warpcheck {
namespace {

// The longest time from an interruption to the signal that ends a child.
constexpr int kPollMilliseconds = 50;

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

  /// Reads to the end. Calls `tick` several times a second.
  template <typename Tick>
  [[nodiscard]] std::string read_all(Tick tick) const {
    std::string text;
    std::array<char, 4096> chunk;
    for (;;) {
      pollfd readable{ends_[0], POLLIN, 0};
      const bool is_ready = poll(&readable, 1, kPollMilliseconds) > 0;
      tick();
      if (!is_ready) continue;
      const ssize_t count = read(ends_[0], chunk.data(), chunk.size());
      if (count > 0) text.append(chunk.data(), static_cast<std::size_t>(count));
      if (count == 0 || (count < 0 && errno != EINTR)) return text;
    }
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

/// The environment of this process, with these variables changed or added.
std::vector<char*> environment_with(std::vector<std::string>& changed) {
  std::vector<char*> variables;
  for (std::string& variable : changed) variables.push_back(variable.data());
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const bool is_changed = std::any_of(changed.begin(), changed.end(), [&](const auto& other) {
      return other.substr(0, other.find('=')) == text.substr(0, text.find('='));
    });
    if (!is_changed) variables.push_back(*variable);
  }
  variables.push_back(nullptr);
  return variables;
}

/// Places a child in a process group of its own, so that it ends with all of its children, and not
/// before this process ends it.
class OwnGroup {
 public:
  explicit OwnGroup(bool is_own) {
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_, static_cast<short>(is_own ? POSIX_SPAWN_SETPGROUP : 0));
  }
  OwnGroup(const OwnGroup&) = delete;
  OwnGroup& operator=(const OwnGroup&) = delete;
  ~OwnGroup() { posix_spawnattr_destroy(&attributes_); }
  [[nodiscard]] const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_;
};

}  // namespace

ChildResult run_child(const std::vector<std::string>& command, ChildOptions options) {
  const bool may_end_early = options.is_interruptible && is_interruptible();
  if (may_end_early) throw_if_interrupted();
  const std::string& program = command.at(0);
  Pipe output(program);
  FileActions actions;
  actions.open(STDIN_FILENO, "/dev/null");
  actions.duplicate(output.write_end(), STDOUT_FILENO);
  if (!options.inherits_standard_error) actions.duplicate(output.write_end(), STDERR_FILENO);
  const OwnGroup group(is_interruptible());

  std::vector<std::string> copies = command;  // execvp requires writable arguments
  std::vector<char*> arguments;
  for (std::string& copy : copies) arguments.push_back(copy.data());
  arguments.push_back(nullptr);
  std::vector<char*> variables = environment_with(options.environment);

  pid_t child = 0;
  const int error = posix_spawnp(&child, program.c_str(), actions.get(), group.get(),
                                 arguments.data(), variables.data());
  if (error != 0) fail(program, error);
  output.close_write();

  bool ended_early = false;
  ChildResult result;
  result.output = output.read_all([&] {
    if (!may_end_early || ended_early || !is_interrupted()) return;
    ended_early = true;
    kill(-child, SIGTERM);
  });
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) fail(program, errno);
  }
  if (ended_early) throw Interrupted();
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace warpcheck
