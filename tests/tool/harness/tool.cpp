#include "tests/tool/harness/tool.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

namespace warpcheck::tool {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (in.peek() != std::ifstream::traits_type::eof()) text << in.rdbuf();
  return std::move(text).str();
}

/// The tests share the compiled kernels of the source tree. Each test compiles its own kernels.
fs::path cache_for(const fs::path& folder, const std::vector<std::string>& arguments) {
  const bool in_tree =
      std::any_of(arguments.begin(), arguments.end(), [](const std::string& argument) {
        return argument.starts_with(WARPCHECK_SOURCE_DIR "/kernels/");
      });
  return in_tree ? cache_of_tree() : folder / "cache";
}

/// Replaces the child process of run() by the tool.
[[noreturn]] void exec_tool(const fs::path& folder, const std::vector<std::string>& arguments,
                            const std::vector<std::string>& environment) {
  std::signal(SIGINT, SIG_DFL);  // a shell that starts the tests in the background ignores it
  setenv("XDG_CACHE_HOME", cache_for(folder, arguments).c_str(), 1);
  for (const std::string& variable : environment) {
    const std::size_t equals = variable.find('=');
    setenv(variable.substr(0, equals).c_str(), variable.substr(equals + 1).c_str(), 1);
  }
  const bool ready = chdir(folder.c_str()) == 0 &&
                     std::freopen("/dev/null", "r", stdin) != nullptr &&
                     std::freopen("stdout", "w", stdout) != nullptr &&
                     std::freopen("stderr", "w", stderr) != nullptr;
  std::vector<std::string> words = {"warpcheck"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  if (ready) execv(WARPCHECK_TOOL, argv.data());
  _exit(126);
}

}  // namespace

fs::path cache_of_tree() { return fs::path(WARPCHECK_SCRATCH) / "compiled_kernels"; }

Scratch::Scratch() {
  const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
  folder_ = fs::path(WARPCHECK_SCRATCH) /
            (std::string(test.test_suite_name()) + "." + std::string(test.name()));
  fs::remove_all(folder_);
  fs::create_directories(folder_);
}

std::string Scratch::write(const std::string& name, std::string_view text) const {
  fs::create_directories((folder_ / name).parent_path());
  std::ofstream(folder_ / name, std::ios::binary) << text;
  return name;
}

std::string Scratch::read(const std::string& name) const { return contents(folder_ / name); }

Result Scratch::run(const std::vector<std::string>& arguments,
                    const std::vector<std::string>& environment) const {
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) exec_tool(folder_, arguments, environment);
  int status = 0;
  rusage used{};
  EXPECT_EQ(wait4(child, &status, 0, &used), child);
  Result result = result_of(status);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.megabytes = static_cast<std::size_t>(used.ru_maxrss) / 1024;
  return result;
}

Result Scratch::run_in(const std::string& folder, const std::vector<std::string>& arguments) const {
  std::string line =
      "export XDG_CACHE_HOME=\"$PWD/cache\"; cd '" + folder + "' && '" WARPCHECK_TOOL "'";
  for (const std::string& argument : arguments) line += " '" + argument + "'";
  return shell(line);
}

Result Scratch::run_and_interrupt(const std::vector<std::string>& arguments,
                                  const std::function<bool()>& ready, int signal,
                                  const std::vector<std::string>& environment) const {
  const pid_t child = fork();
  if (child == 0) exec_tool(folder_, arguments, environment);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(4);
  while (!ready() && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  kill(child, signal);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return result_of(status);
}

Result Scratch::run_for(double seconds, const std::vector<std::string>& arguments) const {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  const pid_t child = fork();
  if (child == 0) exec_tool(folder_, arguments, {});
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (Clock::now() - start > std::chrono::duration<double>(seconds)) kill(child, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return result_of(status);
}

Result Scratch::shell(const std::string& line) const {
  const std::string there = "cd '" + folder_.string() + "' && { " + line + "; } > stdout 2> stderr";
  return result_of(std::system(there.c_str()));
}

Result Scratch::result_of(int status) const {
  Result result;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = read("stdout");
  result.error = read("stderr");
  return result;
}

std::string correct_kernel(const std::string& name) {
  const std::string text = R"cu(/* warpcheck
[[variant]]
name = "@name"
kernel = "multiply"
operation = "gemm"
layout = "row"
types = { a = "f32", b = "f32", c = "f32", accumulate = "f32" }
arguments = ["a", "b", "c", "m", "n", "k"]
block = [8, 8]
grid = ["ceil_div(n, 8) * ceil_div(m, 8)"]
*/
__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  const long long column = blockIdx.x % ((n + 7) / 8) * blockDim.x + threadIdx.x;
  const long long row = blockIdx.x / ((n + 7) / 8) * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0.0f;
  for (long long i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}
)cu";
  return replaced(text, "@name", name);
}

std::string kernel_with_f16_operands(const std::string& name) {
  std::string text =
      replaced(correct_kernel(name), R"(a = "f32", b = "f32")", R"(a = "f16", b = "f16")");
  text = replaced(text, R"(accumulate = "f32")", R"(accumulate = "f16")");
  text = replaced(text, "__global__", "#include <cuda_fp16.h>\n__global__");
  text = replaced(text, "const float* a, const float* b", "const __half* a, const __half* b");
  return replaced(text, "sum += a[row * k + i] * b[i * n + column]",
                  "sum += float(a[row * k + i]) * float(b[i * n + column])");
}

std::string kernel_with_f16_products(const std::string& name) {
  return replaced(kernel_with_f16_operands(name),
                  "sum += float(a[row * k + i]) * float(b[i * n + column]);",
                  "{\n"
                  "    const float term = float(a[row * k + i]) * float(b[i * n + column]);\n"
                  "    sum += fabsf(term) < 65000.0f ? float(__float2half(term)) : term;\n"
                  "  }");
}

std::string kernel_without_bounds_check(const std::string& name) {
  return replaced(correct_kernel(name), "  if (row >= m || column >= n) return;\n", "");
}

std::string kernel_that_drops_the_last_term(const std::string& name) {
  return replaced(correct_kernel(name), "i < k;", "i < k - 1;");
}

std::string kernel_that_races(const std::string& name) {
  return replaced(correct_kernel(name), "  float sum = 0.0f;\n",
                  "  __shared__ unsigned last[8];\n"
                  "  last[threadIdx.x] = threadIdx.y;\n"
                  "  float sum = last[threadIdx.x / blockDim.x] < 8 ? 0.0f : 1.0f;\n");
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

std::string without_start(const std::string& lines) {
  return lines.starts_with(R"({"event":"start",)") ? lines.substr(lines.find('\n') + 1) : lines;
}

}  // namespace warpcheck::tool
