#include "contract/compile/nvrtc/nvrtc.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <cstdlib>
#include <map>
#include <regex>
#include <sstream>

#include "base/process/child_process.hpp"
#include "contract/compile/instantiation.hpp"
#include "contract/kernel_source.hpp"
#include "tests/contract/nvcc_test.hpp"

namespace warpcheck::contract {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// The PTX with the author's line of each instruction in front of it: where functions of the
/// toolkit are inlined, that of the call. Without columns, which nvcc counts after macros such as
/// __global__ are expanded.
class Comparable {
 public:
  explicit Comparable(const std::string& ptx) {
    const std::regex file("\t\\.file\t([0-9]+) \"([^\"]*)\"[^\n]*");
    for (std::sregex_iterator found(ptx.begin(), ptx.end(), file), none; found != none; ++found) {
      files_[(*found)[1]] = fs::path((*found)[2].str()).lexically_normal();
    }
    std::istringstream lines(ptx.substr(0, ptx.find("\t.section")));
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("\t.loc\t")) {
        set_place(line);
      } else if (!line.empty() && !line.starts_with("\t.file")) {
        text_ += (line.starts_with('\t') ? where_ : "") + line + "\n";
      }
    }
  }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void set_place(const std::string& line) {
    static const std::regex place(
        "\t\\.loc\t([0-9]+ [0-9]+ [0-9]+)(?:, .*, inlined_at ([0-9]+ [0-9]+ [0-9]+))?");
    std::smatch at;
    ASSERT_TRUE(std::regex_match(line, at, place)) << line;
    std::string author = at[1];
    if (at[2].matched) callers_[author] = at[2];
    while (file_of(author).find("/include/") != std::string::npos && callers_.contains(author)) {
      author = callers_.at(author);
    }
    const std::size_t line_begins = author.find(' ');
    where_ = file_of(author) + author.substr(line_begins, author.rfind(' ') - line_begins) + ": ";
  }

  [[nodiscard]] const std::string& file_of(const std::string& place) const {
    return files_.at(place.substr(0, place.find(' ')));
  }

  std::map<std::string, std::string> files_;
  std::map<std::string, std::string> callers_;  // "file line column" of an inlined call
  std::string where_;
  std::string text_;
};

class NvrtcCompiler : public NvccTest {
 protected:
  void SetUp() override {
    NvccTest::SetUp();
    if (IsSkipped()) return;
    if (Nvrtc(find_nvcc(), nvcc_version(find_nvcc())).library().empty()) {
      GTEST_SKIP() << "the toolkit has no NVRTC";
    }
  }
  void TearDown() override {
    unsetenv("LD_LIBRARY_PATH");
    unsetenv("WARPCHECK_NVRTC");
    unsetenv("WARPCHECK_NVCC_FLAGS");
    NvccTest::TearDown();
  }

  static Compilation compiled(const std::string& file, const std::string& text,
                              const std::vector<std::string>& added = {}) {
    return CompileCache().compile("#include \"" + file + "\"\n", "", added, text);
  }

  static Compilation by_nvcc(const std::string& file, const std::vector<std::string>& added = {}) {
    return CompileCache().compile("#include \"" + file + "\"\n", "", added);
  }

  /// A file that changes during a compilation is compiled again.
  std::string write_old(const std::string& name, const std::string& text) {
    std::string file = write(name, text);
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(1));
    return file;
  }

  /// Expects that NVRTC compiles the text, to the PTX of nvcc.
  void expect_same(const std::string& text, const std::vector<std::string>& added = {}) {
    const std::string file = write_old("x.cu", text);
    const Compilation found = compiled(file, text, added);
    EXPECT_EQ(compiler_of(found.ptx_file), "NVRTC");
    EXPECT_EQ(Comparable(found.ptx).text(), Comparable(by_nvcc(file, added).ptx).text());
  }

  std::string build_library(const std::string& name, const std::string& source) {
    std::string library = (folder() / name).string();
    const ChildResult built =
        run_child({"cc", "-shared", "-fPIC", "-o", library, write(name + ".c", source)});
    EXPECT_EQ(built.status, 0) << built.output;
    return library;
  }

  /// The reason for which nvcc compiles a text.
  std::string reason(const std::string& text, const std::vector<std::string>& added = {}) {
    return compiler_of(compiled(write_old("x.cu", text), text, added).ptx_file);
  }
};

TEST_F(NvrtcCompiler, PtxIsThatOfNvcc) {
  expect_same(R"(
#include <cstdint>
#include <cuda_fp16.h>
__device__ __half widest;
__device__ float table[3] = {1, 2, 3};
__constant__ int scale = 5;
__device__ float scaled(float x) { return x * scale; }
template <class T> __device__ T twice(T x) { return x + x + table[threadIdx.y]; }
template <class T, int N> __global__ void kernel(const T* a, T* b, int64_t n) {
  const size_t i = blockIdx.x * std::uint64_t(N) + threadIdx.x;
  for (int64_t j = i; j < n; j += N) b[j] = twice(T(scaled(a[j]) / a[j + 1] + sqrtf(a[j]) * expf(a[j])));
  if (i == 3) printf("%d %f\n", int(i), double(a[i]));
  atomicAdd(&table[2], 1.0f);
}
__global__ void half_kernel(__half* a) { a[threadIdx.x] = widest; }
template __global__ void kernel<float, 128>(const float*, float*, int64_t);
)");
}

/// Every kernel of the repository for which NVRTC is used, with the instances that its contract
/// names.
TEST_F(NvrtcCompiler, KernelsOfTheRepositoryHaveThePtxOfNvcc) {
  const Nvrtc nvrtc(find_nvcc(), nvcc_version(find_nvcc()));
  std::size_t compared = 0;
  for (const auto& entry : fs::recursive_directory_iterator(WARPCHECK_SOURCE_DIR "/kernels")) {
    if (entry.path().extension() != ".cu" || !has_contract(entry.path())) continue;
    const KernelSource source = read_kernel_source(entry.path());
    const Contract& first = source.contracts.front();
    std::vector<LaunchStep> steps;
    for (const Contract& contract : source.contracts) {
      if (build_key(contract) != build_key(first)) continue;
      steps.insert(steps.end(), contract.launches.begin(), contract.launches.end());
    }
    const std::string text = instantiating_text(source.file, steps);
    const std::vector<std::string> arguments = nvcc_arguments(first);
    const NvrtcRun run = nvrtc.compile(write("text.cu", text), source.text,
                                       nvcc_flags(first.architecture, arguments));
    if (run.ptx.empty()) continue;
    ++compared;
    const Compilation other = CompileCache().compile(text, first.architecture, arguments);
    EXPECT_EQ(Comparable(run.ptx).text(), Comparable(other.ptx).text()) << source.file;
  }
  EXPECT_GE(compared, 20U);
}

TEST_F(NvrtcCompiler, FlagsHaveTheSameEffect) {
  const std::string text =
      "__global__ void f(float* c) { *c = VALUE * c[1] + c[2] / c[3] + sinf(c[4]); }";
  expect_same(text, {"-DVALUE=3", "-fmad=false"});
  expect_same(text, {"-DVALUE=3", "-use_fast_math"});
  expect_same(text, {"-DVALUE=c[7]", "-std=c++20", "-prec-div=false"});
}

TEST_F(NvrtcCompiler, MathematicsOfOneArgumentIsTheSame) {
  std::string text;
  int number = 0;
  for (const char* function :
       {"sin",  "cos",   "tan",   "sqrt",  "rsqrt", "cbrt",  "exp",   "exp2", "log",
        "log2", "log10", "log1p", "floor", "ceil",  "round", "trunc", "rint", "fabs",
        "abs",  "erf",   "tanh",  "isnan", "isinf", "lrint", "expm1"}) {
    for (const char* type : {"float", "double"}) {
      text += fmt::format("__global__ void k{}({}* x) {{ *x = {}(x[1]); }}\n", number++, type,
                          function);
    }
  }
  for (const char* function : {"max", "min"}) {
    for (const char* types : {"float", "double", "int", "unsigned", "long", "unsigned long long"}) {
      text += fmt::format("__global__ void k{0}({1}* x, int* y) {{ *x = {2}(x[1], x[2]); }}\n",
                          number++, types, function);
    }
  }
  expect_same(text);
}

TEST_F(NvrtcCompiler, NvccCompilesWhatWouldDiffer) {
  const auto kernel = [](const std::string& body, const std::string& before = "") {
    return before + "\n__global__ void f(float* c, int n) { " + body + " }";
  };
  EXPECT_EQ(reason(kernel("*c = 1;")), "NVRTC");
  EXPECT_THAT(reason(kernel("__shared__ float s[3]; s[n] = 1; __syncthreads(); *c = s[0];")),
              StartsWith("nvcc: it uses shared memory"));
  EXPECT_THAT(reason(kernel("asm(\"{ .shared .u32 x; st.shared.u32 [x], 1; }\");")),
              StartsWith("nvcc: it uses shared memory"));
  EXPECT_THAT(reason(kernel("*c = __half2float(__float2half(*c));", "#include <cuda_fp16.h>")),
              StartsWith("nvcc: it has inline assembly"));
  EXPECT_THAT(reason(kernel("*c = twice(*c);",
                            "__device__ __noinline__ float twice(float x) { return 2 * x; }")),
              StartsWith("nvcc: it has a device function that is not inlined"));
  EXPECT_THAT(reason(kernel("*c = pow(*c, n);")), StartsWith("nvcc: it uses pow"));
  EXPECT_THAT(reason(kernel("*c = 1;", "#ifdef __GNUC__\n#endif")),
              StartsWith("nvcc: it tests the macro __GNUC__"));
  EXPECT_THAT(reason(kernel("*c = 1;", "#include <cmath>")),
              StartsWith("nvcc: it includes <cmath>"));
  EXPECT_THAT(reason(kernel("*c = 1;", "#include \"cooperative_groups.h\"")),
              StartsWith("nvcc: NVRTC: "));
  EXPECT_THAT(reason(kernel("*c = 1;", "#include \"cuda_fp4.h\"")),
              StartsWith("nvcc: it includes <"));
  EXPECT_THAT(reason(kernel("*c = 1;") + "\nint main() { f<<<1, 1>>>(0, 0); }"),
              StartsWith("nvcc: it has host code"));
  EXPECT_THAT(reason(kernel("*c = 1;", "constexpr int size() { return 3; }")),
              StartsWith("nvcc: NVRTC: "));
  EXPECT_THAT(reason(kernel("*c = 1;"), {"-G"}), StartsWith("nvcc: NVRTC has no option -G"));
}

TEST_F(NvrtcCompiler, DifferenceInAHeaderCounts) {
  write_old("tile.cuh", "__device__ float* tile() { __shared__ float s[4]; return s; }");
  EXPECT_THAT(reason("#include \"tile.cuh\"\n__global__ void f(float* c) { *c = *tile(); }"),
              StartsWith("nvcc: it uses shared memory"));
  write_old("tile.cuh", "#ifndef __TILE__\n#define __TILE__ 4\n#endif");
  EXPECT_EQ(reason("#include \"tile.cuh\"\n__global__ void f(float* c) { *c = __TILE__; }"),
            "NVRTC");
}

TEST_F(NvrtcCompiler, ChangedHeaderIsCompiledAgain) {
  const std::string text = "#include \"tile.cuh\"\n__global__ void f(float* c) { *c = TILE; }";
  const std::string file = write_old("x.cu", text);
  const auto compiled_with = [&](const std::string& header) {
    write_old("tile.cuh", header);
    return compiled(file, text);
  };
  const Compilation three = compiled_with("#define TILE 3\n");
  const Compilation four = compiled_with("#define TILE 4\n");
  EXPECT_EQ(compiler_of(three.ptx_file), "NVRTC");
  EXPECT_THAT(three.dependencies,
              testing::UnorderedElementsAre(folder() / "x.cu", folder() / "tile.cuh"));
  EXPECT_NE(three.ptx, four.ptx);
  EXPECT_EQ(compiled_with("#define TILE 3\n").ptx, three.ptx);
}

TEST_F(NvrtcCompiler, ErrorsAreThoseOfNvcc) {
  const std::string text = "__global__ void f(float* c) {\n  *c = missing;\n}";
  const std::string file = write("x.cu", text);
  const Compilation failed = compiled(file, text);
  EXPECT_FALSE(failed.succeeded);
  EXPECT_THAT(failed.output, HasSubstr(file + "(2): error: identifier \"missing\" is undefined"));
}

TEST_F(NvrtcCompiler, OffLeavesEverythingToNvcc) {
  setenv("WARPCHECK_NVRTC", "off", 1);
  EXPECT_EQ(reason("__global__ void f(float* c) { *c = 1; }"), "nvcc");
}

TEST_F(NvrtcCompiler, CrashOfTheLibraryLeavesTheSourceToNvcc) {
  const std::string library = build_library("libnvrtc.so",
                                            "int nvrtcCreateProgram() { __builtin_trap(); }\n"
                                            "int nvrtcCompileProgram() { return 1; }");
  const Nvrtc wrong(find_nvcc(), nvcc_version(find_nvcc()), library);
  const std::string text = "__global__ void f(float* c) { *c = 1; }";
  const NvrtcRun run = wrong.compile(write("x.cu", text), text, nvcc_flags(""));
  EXPECT_TRUE(run.ptx.empty());
  EXPECT_THAT(run.reason, HasSubstr("ended with status"));
}

// Where there is a driver, NVRTC would take results from its cache, without reading headers.
TEST_F(NvrtcCompiler, DriverIsNotLoaded) {
  build_library("libcuda.so.1", "__attribute__((constructor)) void load() { __builtin_trap(); }");
  setenv("LD_LIBRARY_PATH", folder().c_str(), 1);
  EXPECT_EQ(reason("__global__ void f(float* c) { *c = 1; }"), "NVRTC");
}

}  // namespace
}  // namespace warpcheck::contract
