// Programs and libraries that contain the CUDA runtime, as nvcc links it by default.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "base/files.hpp"
#include "contract/compile/nvcc.hpp"
#include "tests/exec/fixture.hpp"

namespace warpcheck::tool {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A program of one of the files of several programs.
struct Part {
  const char* name;
  const char* defect;  // the class
};

struct File {
  const char* name;
  std::vector<Part> parts;
};

void PrintTo(const File& file, std::ostream* out) { *out << file.name; }

std::string path_of(const std::string& file) { return "own_runtime/" + file; }

/// The line with the comment "finding: PART". Empty: the place is a call of the host.
std::string place_of(const File& file, const Part& part) {
  const std::string text = read_input(source_of(path_of(file.name)));
  const std::size_t at = text.find(fmt::format("// finding: {}\n", part.name));
  if (at == std::string::npos) return "";
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(at);
  return fmt::format("{}.cu:{}:", file.name, std::count(text.begin(), end, '\n') + 1);
}

class StrippedPrograms : public Exec, public testing::WithParamInterface<File> {
 protected:
  void run_parts() const {
    ASSERT_EQ(scratch.shell("strip program").status, 0);
    for (const Part& part : GetParam().parts) {
      SCOPED_TRACE(part.name);
      const Result right = scratch.run({"exec", "--leak-check", "./program", part.name});
      EXPECT_EQ(right.status, 0) << right.error;
      EXPECT_THAT(right.out, HasSubstr("correct\n"));
      EXPECT_THAT(right.error, HasSubstr(": 0 findings\n"));
      const Result wrong = scratch.run({"exec", "./program", part.name, "defect"});
      EXPECT_EQ(wrong.status, 1) << wrong.error;
      EXPECT_THAT(wrong.error, AllOf(HasSubstr(fmt::format("error[{}]: ", part.defect)),
                                     HasSubstr(place_of(GetParam(), part))));
    }
  }
};

TEST_P(StrippedPrograms, DefectIsFoundAtItsLine) {
  compile(path_of(GetParam().name), "-std=c++17");
  run_parts();
}

INSTANTIATE_TEST_SUITE_P(Style, StrippedPrograms,
                         testing::Values(File{"algorithms",
                                              {{"vector_add", "out-of-bounds"},
                                               {"transpose", "race"},
                                               {"reduction", "uninitialized-read"},
                                               {"scan", "race"},
                                               {"histogram", "race"}}},
                                         File{"memories",
                                              {{"managed", "out-of-bounds"},
                                               {"pinned", "out-of-bounds"},
                                               {"constant", "out-of-bounds"},
                                               {"symbols", "out-of-bounds"},
                                               {"pool", "use-after-free"},
                                               {"volume", "uninitialized-read"}}},
                                         File{"launches",
                                              {{"streams", "race"},
                                               {"graph", "out-of-bounds"},
                                               {"devices", "out-of-bounds"},
                                               {"occupancy", "out-of-bounds"},
                                               {"cooperative", "race"}}},
                                         File{"features",
                                              {{"textures", "uninitialized-read"},
                                               {"templates", "misaligned"},
                                               {"prints", "uninitialized-read"},
                                               {"atomics", "out-of-bounds"},
                                               {"dynamic_shared", "out-of-bounds"}}}),
                         [](const auto& test) { return std::string(test.param.name); });

class StaticRuntime : public Exec {
 protected:
  /// The report of ./program and its exit status, without times.
  [[nodiscard]] std::string report_of(const std::string& argument) const {
    const Result result = scratch.run({"exec", "--leak-check", "./program", argument});
    const std::string status = fmt::format("status {}\n", result.status);
    return std::regex_replace(status + result.error, std::regex(" in [0-9.]+ s"), "");
  }

  /// Compiles programs/own_runtime/library.cu to a stripped library.
  void compile_library(const std::string& name, const std::string& options = "") const {
    const std::string command = fmt::format(
        "'{}' -arch=sm_80 -lineinfo -shared -Xcompiler -fPIC -o {} {} '{}' && strip {}",
        contract::find_nvcc().string(), name, options, source_of(path_of("library")), name);
    ASSERT_EQ(scratch.shell(command).status, 0);
  }
};

TEST_F(StaticRuntime, FindingsAreThoseOfTheSharedRuntime) {
  for (const auto& [program, options, argument] :
       {std::array{"vector_add", "-DDEFECT", ""},
        std::array{"races/host_accesses", "", "race-copy"}, std::array{"misuse", "", "swapped"}}) {
    compile(program, fmt::format("-cudart shared {}", options));
    const std::string shared = report_of(argument);
    compile(program, fmt::format("-cudart static {}", options));
    EXPECT_EQ(report_of(argument), shared) << program;
    EXPECT_THAT(shared, HasSubstr(".cu:"));
  }
}

TEST_F(StaticRuntime, ProgramAtAFixedAddressIsChecked) {
  compile("vector_add", "-DDEFECT -Xcompiler -no-pie");
  const Result result = scratch.run({"exec", "./program"});
  EXPECT_EQ(result.status, 1) << result.error;
  EXPECT_THAT(result.error, testing::ContainsRegex("launched by main at .*vector_add.cu:25"));
}

TEST_F(StaticRuntime, StrippedLibraryIsChecked) {
  compile_library("liblibrary.so");
  for (const char* const runtime : {"shared", "static"}) {
    for (const char* const loaded : {"-DLINKED -L. -Xlinker -rpath=. -llibrary", "-ldl"}) {
      SCOPED_TRACE(std::string(runtime) + loaded);
      compile(path_of("main"), fmt::format("-cudart {} {}", runtime, loaded));
      const Result result = scratch.run({"exec", "./program"});
      EXPECT_EQ(result.status, 1) << result.error;
      EXPECT_EQ(result.out, "run: 0 no error\n");
      EXPECT_THAT(result.error, AllOf(HasSubstr("error[out-of-bounds]"), HasSubstr("library.cu:9:"),
                                      HasSubstr("main.cu:")));
    }
  }
}

TEST_F(StaticRuntime, LibraryAtTheAddressOfAnotherOneIsUsed) {
  compile_library("libone.so", "-DADDED=1");
  compile_library("libten.so", "-DADDED=10");
  compile(path_of("plugins"), "-ldl");
  const Result result = scratch.run(
      {"exec", "--leak-check", "./program", "./libone.so", "./libten.so", "./libone.so"});
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_EQ(result.out, "0 1\n0 11\n0 12\n");
}

TEST_F(StaticRuntime, UnknownRuntimeIsUnsupported) {
  compile("vector_add", "-Xlinker --no-eh-frame-hdr");
  const Result result = scratch.run({"exec", "./program"});
  EXPECT_EQ(result.status, 3) << result.error;
  EXPECT_THAT(in_one_line(result.error),
              HasSubstr("unsupported: program: it contains a CUDA runtime that warpcheck cannot "
                        "replace: link it with `nvcc -cudart shared`"));
}

}  // namespace
}  // namespace warpcheck::tool
