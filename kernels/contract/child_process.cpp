#include "kernels/contract/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/diagnostic.hpp"

namespace warpcheck::kernels {
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

}  // namespace

ChildResult run_child(const std::vector<std::string>& command) {
  const std::string& program = command.at(0);
  Pipe output(program);
  FileActions actions;
  posix_spawn_file_actions_addopen(actions.get(), STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(actions.get(), output.write_end(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(actions.get(), output.write_end(), STDERR_FILENO);

  std::vector<std::string> copies = command;  // exec takes them writable
  std::vector<char*> arguments;
  for (std::string& copy : copies) arguments.push_back(copy.data());
  arguments.push_back(nullptr);

  pid_t child = 0;
  const int error =
      posix_spawnp(&child, program.c_str(), actions.get(), nullptr, arguments.data(), environ);
  if (error != 0) fail(program, error);
  output.close_write();

  ChildResult result;
  result.output = output.read_all();
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) fail(program, errno);
  }
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace warpcheck::kernels
