#include "workflows/exec/run/run_program.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>
#include <thread>

#include "base/diagnostic.hpp"
#include "base/files.hpp"
#include "base/process/temporary_folder.hpp"
#include "workflows/exec/run/descendants.hpp"
#include "workflows/exec/run/program_file.hpp"

namespace warpcheck::workflows::exec {
namespace {

namespace fs = std::filesystem;

/// The files through which the program's runtime reports its events and reads the replies.
class EventFiles {
 public:
  EventFiles() {
    write_file(path(), "");
    stream_.open(path());
    replies_.open(replies_path());
  }

  [[nodiscard]] std::string path() const { return (folder_.path() / "events").string(); }
  [[nodiscard]] std::string replies_path() const { return (folder_.path() / "replies").string(); }

  void reply(const runtime::Reply& reply) { replies_ << to_json(reply) + '\n' << std::flush; }

  /// Calls `happened` for the events that are complete by now.
  void read(const std::function<void(runtime::Event)>& happened) {
    stream_.clear();
    for (std::string part; std::getline(stream_, part);) {
      rest_ += part;
      if (stream_.eof()) return;  // the rest of the line is still to come
      if (auto event = runtime::event_from_json(rest_)) happened(std::move(*event));
      rest_.clear();
    }
  }

 private:
  TemporaryFolder folder_;
  std::ifstream stream_;
  std::ofstream replies_;
  std::string rest_;
};

/// Variables of this process, with some replaced.
std::vector<std::string> environment_with(const std::map<std::string, std::string>& replaced) {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    if (!replaced.contains(text.substr(0, text.find('=')))) variables.push_back(text);
  }
  for (const auto& [name, value] : replaced) variables.push_back(name + "=" + value);
  return variables;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

pid_t start(const fs::path& program, std::vector<std::string> command,
            std::vector<std::string> environment) {
  pid_t child = 0;
  const int error = posix_spawn(&child, program.c_str(), nullptr, nullptr,
                                pointers_to(command).data(), pointers_to(environment).data());
  if (error != 0) {
    throw request_error(fmt::format("cannot run {}: {}", program.string(), std::strerror(error)));
  }
  return child;
}

using Clock = std::chrono::steady_clock;

/// Ends the program once it is interrupted or its time is over.
class Ending {
 public:
  Ending(const std::atomic<bool>& interrupted, double seconds) : interrupted_(interrupted) {
    if (seconds > 0.0) {
      deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(seconds));
    }
  }

  /// Called at intervals.
  void check() {
    constexpr auto kPatience = std::chrono::seconds(2);
    if (begun_) {
      if (Clock::now() > *begun_ + kPatience) signal_descendants(SIGKILL);
      return;
    }
    timed_out_ = !interrupted_ && deadline_ && Clock::now() > *deadline_;
    if (!interrupted_ && !timed_out_) return;
    begun_ = Clock::now();
    signal_descendants(SIGTERM);
  }

  /// Called after the program has ended: ends what it started.
  void complete() const {
    if (!begun_) return;
    signal_descendants(SIGKILL);
    while (wait(nullptr) > 0) {
    }
  }

  [[nodiscard]] bool timed_out() const { return timed_out_; }

 private:
  const std::atomic<bool>& interrupted_;
  std::optional<Clock::time_point> deadline_;
  std::optional<Clock::time_point> begun_;
  bool timed_out_ = false;
};

/// Waits for the end of the program, and calls `meanwhile` at intervals. Returns its wait status.
int wait_for(pid_t child, const std::function<void()>& meanwhile) {
  using namespace std::chrono_literals;
  bool ended = false;
  int status = 0;
  for (auto pause = 1ms; !ended; pause = std::min(pause * 2, 50ms)) {
    const pid_t waited = waitpid(child, &status, WNOHANG);
    ended = waited == child || (waited < 0 && errno != EINTR);
    if (!ended) std::this_thread::sleep_for(pause);
    meanwhile();
  }
  return status;
}

/// Python programs load the package warpcheck_exec, which lies beside the runtime.
std::string python_path_with(const fs::path& runtime) {
  const char* const before = std::getenv("PYTHONPATH");
  const bool has_folders = before != nullptr && *before != '\0';
  return (runtime.parent_path() / "python").string() +
         (has_folders ? std::string(":") + before : "");
}

/// All libraries are loaded: the one of the runtime has the functions of the others, which have
/// their names. That of the driver is the first, because it looks for functions in those after it.
std::string preload_with(const fs::path& runtime) {
  const char* const before = std::getenv("LD_PRELOAD");
  const auto named = [&](const char* name) {
    return runtime.parent_path() / fmt::format("libwarpcheck-{}.so", name);
  };
  std::string preload = named("cuda").string() + ":" + runtime.string();
  for (const char* const name : {"cublas", "cublasLt"}) {
    std::error_code error;
    if (fs::exists(named(name), error)) preload += ":" + named(name).string();
  }
  return preload + (before == nullptr ? "" : std::string(":") + before);
}

/// The CUDA runtime that replaces the program's. Throws EnvironmentError if this build or
/// installation has none.
fs::path runtime_library() {
  std::error_code error;
  const fs::path above = fs::read_symlink("/proc/self/exe", error).parent_path().parent_path();
  for (const char* const folder : {WARPCHECK_LIBRARY_FOLDER, "lib"}) {
    const fs::path file = above / folder / "warpcheck" / "libwarpcheck-cudart.so";
    if (fs::exists(file, error)) return file;
  }
  throw EnvironmentError(
      "this build of warpcheck has no CUDA runtime for `exec`: it needs the libcudart.so of the "
      "CUDA "
      "Toolkit, and no sanitizer");
}

}  // namespace

ProgramResult run_program(const std::vector<std::string>& command, runtime::ExecOptions options,
                          double seconds, const std::atomic<bool>& interrupted,
                          const EventReader& happened) {
  const fs::path library = runtime_library();
  const fs::path program = find_program(command.at(0));
  require_same_toolkit(read_input(program), command.at(0), WARPCHECK_CUDART);
  EventFiles events;
  options.events = events.path();
  options.replies = events.replies_path();
  ProgramResult result;
  std::map<std::int64_t, runtime::TotalsEvent> totals;
  const auto take = [&](runtime::Event event) {
    if (std::holds_alternative<runtime::StartEvent>(event)) {
      result.has_runtime = true;
    } else if (const auto* process_totals = std::get_if<runtime::TotalsEvent>(&event)) {
      totals[process_totals->process] = *process_totals;
    } else {
      if (const auto reply = happened(std::move(event))) events.reply(*reply);
    }
  };
  adopt_orphans();
  Ending ending(interrupted, seconds);
  const pid_t child = start(program, command,
                            environment_with({{runtime::kOptionsVariable, to_json(options)},
                                              {"LD_PRELOAD", preload_with(library)},
                                              {"PYTHONPATH", python_path_with(library)}}));
  const int status = wait_for(child, [&] {
    ending.check();
    events.read(take);
  });
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  result.status = result.signal == 0 ? WEXITSTATUS(status) : 128 + result.signal;
  ending.complete();
  result.timed_out = ending.timed_out();
  events.read(take);
  for (const auto& [process, added] : totals) {
    result.totals.launches += added.launches;
    result.totals.skipped += added.skipped;
    result.totals.warp_instructions += added.warp_instructions;
    result.totals.repeated += added.repeated;
    result.totals.calls += added.calls;
    for (const runtime::UnsupportedCalls& one : added.unsupported) {
      add_calls(result.totals.unsupported, one);
    }
    result.totals.kernels.insert(result.totals.kernels.end(), added.kernels.begin(),
                                 added.kernels.end());
  }
  return result;
}

}  // namespace warpcheck::workflows::exec
