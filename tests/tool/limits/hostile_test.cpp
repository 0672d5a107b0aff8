// Kernels and contracts that would take for ever, or all of the host's memory. Each ends with a
// located finding or error, in bounded time and memory.
#include <gmock/gmock.h>
#include <sys/resource.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/base/time_factor.hpp"
#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

/// A kernel that executes `body` before it multiplies. `w` points to 4096 bytes of zeros.
struct Hostile {
  std::string name;
  std::string body;
  std::string result;  // the class of the finding, or "error"
  std::string message;
  std::string declarations = {};
  std::string grid = "ceil_div(m * n, 256)";
  std::string more = {};  // lines of the contract
};

const std::string kForEver = "for (unsigned long long i = 0; i < (1ull << 60); ++i) ";

std::string contract_of(const Hostile& kernel) {
  return "[[variant]]\nname = \"" + kernel.name + "\"\nkernel = \"" + kernel.name +
         "\"\ngrid = [\"" + kernel.grid + "\"]\n" + kernel.more;
}

/// One line of declarations, the line of the kernel's name, and the line of its body.
std::string code_of(const Hostile& kernel) {
  return kernel.declarations + "\n__global__ void " + kernel.name +
         "(const float* a, const float* b, float* c, int m, int n, int k, unsigned* w) {\n" +
         kernel.body + R"cu(
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= m * n) return;
  float sum = 0.0f;
  for (int i = 0; i < k; ++i) sum += a[at / n * k + i] * b[i * n + at % n];
  c[at] = sum;
}
)cu";
}

std::string source_of(const std::vector<Hostile>& kernels) {
  std::string contract = R"cu(/* warpcheck
[defaults]
operation = "gemm"
layout = "row"
types = { a = "f32", b = "f32", c = "f32", accumulate = "f32" }
arguments = ["a", "b", "c", "m", "n", "k", "workspace"]
workspace = { bytes = 4096, zeroed = true }
block = [256]
)cu";
  std::string code = "*/\n#include <cstdio>\n";
  for (const Hostile& kernel : kernels) {
    contract += contract_of(kernel);
    code += code_of(kernel);
  }
  return contract + code;
}

struct Event {
  std::string result;
  std::string message;
  unsigned line = 0;
};

/// The results of the variants, by name.
std::map<std::string, Event> events_of(const std::string& lines) {
  std::map<std::string, Event> events;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) {
    const json event = json::parse(line);
    const std::string kind = event["event"];
    const std::string name = event.value("variant", event.value("target", ""));
    if (kind != "finding" && kind != "error") continue;
    Event& found = events[name];
    found.result = kind == "finding" ? event["class"] : event["event"];
    found.message = event["message"];
    found.line = event["line"];
  }
  return events;
}

double cpu_seconds(const rusage& usage) {
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Checks the files in bounded time and memory.
std::map<std::string, Event> checked(const Scratch& scratch, std::vector<std::string> arguments) {
  constexpr double kMostSeconds = 20.0 * kTimeFactor;  // limit of all kernels together
  constexpr long kMostKibibytes = 2L << 20;
  rusage before{};
  getrusage(RUSAGE_CHILDREN, &before);
  arguments.insert(arguments.begin(), "check");
  for (const char* option : {"--cases", "2", "--device", "virtual", "--jobs", "2", "--json", "-"}) {
    arguments.emplace_back(option);
  }
  const Result result = scratch.run(arguments);
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  EXPECT_LT(cpu_seconds(usage) - cpu_seconds(before), kMostSeconds);
  EXPECT_LT(usage.ru_maxrss, kMostKibibytes);  // the largest child so far
  return events_of(result.out);
}

/// The numbers of the lines that code_of() has for a kernel, from the declarations to the body.
std::pair<unsigned, unsigned> lines_of(const std::string& source, const Hostile& kernel) {
  const std::size_t body = source.find("void " + kernel.name + "(");
  const auto name =
      1 + std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(body), '\n');
  return {static_cast<unsigned>(name - 1), static_cast<unsigned>(name + 1)};
}

void expect_located(const Event& found, const Hostile& kernel, const std::string& source) {
  SCOPED_TRACE(kernel.name);
  EXPECT_EQ(found.result, kernel.result) << found.message;
  EXPECT_THAT(found.message, HasSubstr(kernel.message));
  const auto [first, last] = lines_of(source, kernel);
  if (kernel.result != "error") {
    EXPECT_THAT(found.line, AllOf(testing::Ge(first), testing::Le(last)));
  } else {
    EXPECT_THAT(found.line, AllOf(testing::Gt(0U), testing::Lt(first)));
  }
}

/// 256 threads that never end, or take too much memory.
std::vector<Hostile> endless_kernels() {
  return {
      {"counts", "for (volatile unsigned long long i = 0; i < (1ull << 60); ++i) w[m] = 1;",
       "timeout", "its budget"},
      {"atomics", kForEver + "if (atomicAdd(w, 1u) == 77) w[3] = 1;", "timeout", "its budget"},
      {"barriers", kForEver + "__syncthreads();", "timeout", "its budget"},
      {"shuffles", kForEver + "if (__shfl_xor_sync(~0u, threadIdx.x + i, 1) == 77) w[3] = 1;",
       "timeout", "its budget"},
      {"stores", kForEver + "*(volatile unsigned*)w = 7;", "timeout", "its budget"},
      {"rewrites",
       kForEver + R"(asm volatile("st.global.u32 [%0], %1;" :: "l"(w), "r"(7u) : "memory");)",
       "timeout", "its budget"},
      {"prints", kForEver + R"(printf("%d\n", (int)i);)", "timeout", "its budget"},
      {"recurses", "w[1] = down(m);", "launch-failure", "the calls nest so deep",
       "__device__ __noinline__ int down(int n) { return n < 0 ? 0 : down(n + 1) * 3 + n; }"},
      {"leaks", kForEver + "{ int* p = (int*)malloc(1024); if (p) *(volatile int*)p = 1; }",
       "timeout", "its budget"},
      {"allocates",
       kForEver + "{ int* p = (int*)malloc(1 << 16); if (p) *(volatile int*)p = 1; free(p); }",
       "timeout", "its budget"},
      {"array",
       "char big[100000000]; for (int i = threadIdx.x; i < m + 100000; i += 256) "
       "big[i * 3 + k] = i; w[1] = big[m * 1000 + n];",
       "launch-failure", "the local memory of a thread takes 100000000 bytes"},
      {"extends",
       "char big[300000]; char* more = (char*)alloca(m + 300000); big[m] = m; "
       "more[n] = n; w[1] = big[k] + more[k];",
       "launch-failure", "earlier alloca take 300000 of at most 524288 bytes of stack", "", "1",
       "requires = [\"m * n <= 256\"]\n"},
      {"shares", "extern __shared__ float s[]; s[threadIdx.x] = 1; __syncthreads(); w[1] = s[255];",
       "launch-failure", "the shared memory of a block", "", "ceil_div(m * n, 256)",
       "shared = 1000000000\n"},
      {"grows", "", "error", "the grid of a generated case has at most 1048576 blocks", "",
       "n * 1000000000"},
      {"huge", "", "error", "no case satisfies m >= 100000000", "", "ceil_div(m * n, 256)",
       "requires = [\"m >= 100000000\"]\n"},
  };
}

TEST(Hostile, KernelsEndAsLocatedFindingsInBoundedTime) {
  const Scratch scratch;
  const std::vector<Hostile> kernels = endless_kernels();
  const std::string source = source_of(kernels);
  scratch.write("hostile.cu", source);
  // Only the number of instructions has another limit than the default, so that the test is fast.
  auto events = checked(scratch, {"hostile.cu", "--limit", "instructions=300K"});
  for (const Hostile& kernel : kernels) expect_located(events[kernel.name], kernel, source);
}

TEST(Hostile, ModulesThatNoGpuCanLoadAreLaunchFailures) {
  const Scratch scratch;
  const std::vector<Hostile> kernels = {
      {"variable",
       "__shared__ float s[1 << 20]; s[threadIdx.x] = 1; __syncthreads(); w[1] = s[255];",
       "launch-failure", "too much shared data"},
      {"table", "w[1] = constants[m];", "launch-failure", "too much global constant data",
       "__constant__ int constants[20000] = {1};"},
  };
  std::vector<std::string> files;
  for (const Hostile& kernel : kernels) {
    files.push_back(scratch.write(kernel.name + ".cu", source_of({kernel})));
  }
  auto events = checked(scratch, files);
  for (const Hostile& kernel : kernels) {
    expect_located(events[kernel.name], kernel, source_of({kernel}));
  }
}

}  // namespace
}  // namespace warpcheck::tool
