// Runs Oclgrind with its checkers on the work of the virtual device's tiled16: the same product in
// OpenCL. Oclgrind is Price and McIntosh-Smith's simulator of OpenCL devices (IWOCL 2015).
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>

namespace warpcheck {
namespace {

/// Result of a child process: whether it succeeded without output, and its CPU time.
struct Ran {
  bool well = false;
  double cpu_seconds = 0.0;
};

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

/// Runs Oclgrind on one core; its output, which is its findings, goes to `log`.
Ran run_oclgrind(const std::filesystem::path& simulation, const std::filesystem::path& log) {
  std::string file = simulation.string();
  std::array<std::string, 5> words = {WARPCHECK_OCLGRIND, "--num-threads", "1", "--data-races",
                                      "--uninitialized"};
  std::array<char*, 7> arguments{};
  for (std::size_t i = 0; i < words.size(); ++i) arguments[i] = words[i].data();
  arguments[words.size()] = file.data();

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                   0600);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int refused = posix_spawn(&child, arguments[0], &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  int status = 0;
  rusage usage{};
  if (refused != 0 || wait4(child, &status, 0, &usage) != child) return {};
  return {status == 0 && std::filesystem::is_empty(log),
          seconds(usage.ru_utime) + seconds(usage.ru_stime)};
}

/// Writes a product of n x n matrices for oclgrind-kernel: program, kernel, sizes, arguments.
void write_simulation(const std::filesystem::path& file, std::int64_t n) {
  std::ofstream out(file);
  out << WARPCHECK_SOURCE_DIR "/bench/sgemm_tiled.cl sgemm_tiled\n"
      << n << ' ' << n << " 1\n16 16 1\n";
  for (const char* contents : {"fill=2", "fill=2", "noinit"}) {
    out << "<size=" << n * n * 4 << " float " << contents << ">\n";
  }
  for (int i = 0; i < 3; ++i) out << "<size=4 int> " << n << '\n';
}

void oclgrind(benchmark::State& state) {
  const auto folder = std::filesystem::temp_directory_path();
  const auto simulation = folder / ("warpcheck_bench_" + std::to_string(getpid()) + ".sim");
  const auto log = folder / ("warpcheck_bench_" + std::to_string(getpid()) + ".log");
  write_simulation(simulation, state.range(0));
  for ([[maybe_unused]] const auto _ : state) {
    const Ran ran = run_oclgrind(simulation, log);
    if (!ran.well) {
      state.SkipWithError("oclgrind-kernel failed or has findings");
      break;
    }
    state.SetIterationTime(ran.cpu_seconds);
  }
  std::filesystem::remove(simulation);
  std::filesystem::remove(log);
  const double size = static_cast<double>(state.range(0));
  state.counters["multiply_adds"] =
      benchmark::Counter(size * size * size, benchmark::Counter::kIsIterationInvariantRate);
}

// 96 takes some seconds; reading the kernel takes a hundredth of them.
BENCHMARK(oclgrind)
    ->Name("oclgrind/tiled16")
    ->Arg(96)
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace warpcheck
