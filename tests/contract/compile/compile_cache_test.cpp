#include "contract/compile/compile_cache.hpp"

#include <gmock/gmock.h>

#include <thread>

#include "contract/compile/instantiation.hpp"
#include "ptx/scan.hpp"
#include "tests/contract/nvcc_test.hpp"

namespace warpcheck::contract {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// A cache whose nvcc counts its compilations.
class Cache : public NvccTest {
 protected:
  void SetUp() override {
    NvccTest::SetUp();
    if (IsSkipped()) return;
    const fs::path nvcc = write("counting-nvcc", "#!/bin/sh\n[ \"$1\" = --version ] || echo >> '" +
                                                     (folder() / "count").string() + "'\nexec '" +
                                                     find_nvcc().string() + "' \"$@\"\n");
    fs::permissions(nvcc, fs::perms::owner_all);
    setenv("WARPCHECK_NVCC", nvcc.c_str(), 1);
  }

  void TearDown() override {
    unsetenv("WARPCHECK_NVCC");
    unsetenv("WARPCHECK_NVCC_FLAGS");
    NvccTest::TearDown();
  }

  /// Compilations since the last call.
  std::size_t compilations() {
    const std::size_t total = read_file(folder() / "count").value_or("").size();
    return total - std::exchange(counted_, total);
  }

  void replace_nvcc(const std::string& script) {
    fs::permissions(write("counting-nvcc", "#!/bin/sh\n" + script), fs::perms::owner_all);
  }

  /// Writes a file with a time before any compilation: nvcc runs again for a file that changes
  /// while it runs.
  static void make_old(const fs::path& file) {
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(1));
  }

  std::string write_old(const std::string& name, std::string_view text) {
    std::string file = write(name, text);
    make_old(file);
    return file;
  }

 private:
  std::size_t counted_ = 0;
};

TEST_F(Cache, SecondCompilationReadsTheCache) {
  const std::string file = write_old("x.cu", "__global__ void f(float* c) { *c = 1; }");
  const std::string text = "#include \"" + file + "\"\n";
  const Compilation first = CompileCache().compile(text, "");
  EXPECT_TRUE(first.succeeded);
  EXPECT_EQ(compilations(), 1U);
  const Compilation second = CompileCache().compile(text, "");
  EXPECT_EQ(compilations(), 0U);
  EXPECT_EQ(first.ptx, second.ptx);
  EXPECT_EQ(first.ptx_file, second.ptx_file);
  EXPECT_EQ(ptx::entry_points(second.ptx).at(0).name, "_Z1fPf");
}

/// Sets TMPDIR for the life of the object.
class TemporaryFilesAt {
 public:
  explicit TemporaryFilesAt(const fs::path& folder) {
    fs::create_directories(folder);
    setenv("TMPDIR", folder.c_str(), 1);
  }
  TemporaryFilesAt(const TemporaryFilesAt&) = delete;
  TemporaryFilesAt& operator=(const TemporaryFilesAt&) = delete;
  ~TemporaryFilesAt() { unsetenv("TMPDIR"); }
};

/// The compiler that nvcc runs lists the files that it reads. Where it does not, or cannot because
/// of a blank in the name of the list, nvcc does.
TEST_F(Cache, DependenciesAreTheUsersOwnFiles) {
  const std::string header = write_old("sub/t i$l#e.cuh", "#define TILE 3\n");
  const std::string file = write_old("x.cu",
                                     "#include <cuda_fp16.h>\n#include \"sub/t i$l#e.cuh\"\n"
                                     "__global__ void f(float* c) { *c = TILE; }");
  const auto expect_both = [&](const std::string& flag) {
    const Compilation found = CompileCache().compile("#include \"" + file + "\"\n", "", {flag});
    EXPECT_THAT(found.dependencies,
                testing::UnorderedElementsAre(fs::path(file), fs::path(header)));
  };
  expect_both("-DONE");
  EXPECT_EQ(compilations(), 1U);
  {
    const TemporaryFilesAt temporary(folder() / "t m p");
    expect_both("-DTWO");
    EXPECT_FALSE(fs::exists(folder() / "t"));
  }
  const std::string script = read_input(folder() / "counting-nvcc");
  replace_nvcc(
      "for a; do shift; case $a in -MMD,-MF,*) a=-DX;; esac; set -- \"$@\" \"$a\"; done\n" +
      script);
  expect_both("-DTHREE");
}

TEST_F(Cache, ChangedSourceOrHeaderIsCompiledAgain) {
  const std::string header = write_old("tile.cuh", "#define TILE 3\n");
  const std::string file =
      write_old("x.cu", "#include \"tile.cuh\"\n__global__ void f(float* c) { *c = TILE; }");
  const std::string text = "#include \"" + file + "\"\n";
  const std::string three = CompileCache().compile(text, "").ptx;
  write_old("tile.cuh", "#define TILE 4\n");
  const std::string four = CompileCache().compile(text, "").ptx;
  EXPECT_NE(three, four);
  EXPECT_EQ(compilations(), 2U);
  write_old("tile.cuh", "#define TILE 3\n");  // the cache keeps both
  EXPECT_EQ(CompileCache().compile(text, "").ptx, three);
  EXPECT_EQ(compilations(), 0U);
  write_old("x.cu", "__global__ void f(float* c) { *c = 5; }");
  EXPECT_NE(CompileCache().compile(text, "").ptx, three);
  EXPECT_EQ(compilations(), 1U);
  fs::remove(header);
  EXPECT_NE(CompileCache().compile(text, "").ptx, three);
  EXPECT_EQ(compilations(), 0U);
}

TEST_F(Cache, ArchitectureAndFlagsArePartOfTheKey) {
  const std::string file = write_old("x.cu", "__global__ void f(float* c) { *c = TILE; }");
  const std::string text = "#include \"" + file + "\"\n";
  setenv("WARPCHECK_NVCC_FLAGS", "-DTILE=3  -DUNUSED", 1);
  const std::string three = CompileCache().compile(text, "").ptx;
  const std::string hopper = CompileCache().compile(text, "sm_90").ptx;
  setenv("WARPCHECK_NVCC_FLAGS", "-DTILE=4", 1);
  const std::string four = CompileCache().compile(text, "").ptx;
  EXPECT_EQ(compilations(), 3U);
  EXPECT_THAT(hopper, HasSubstr(".target sm_90"));
  EXPECT_NE(three, hopper);
  EXPECT_NE(three, four);
}

TEST_F(Cache, CompilerVersionIsPartOfTheKey) {
  const std::string file = write_old("x.cu", "__global__ void f(float* c) { *c = 1; }");
  const std::string text = "#include \"" + file + "\"\n";
  (void)CompileCache().compile(text, "");
  const std::string script = read_input(folder() / "counting-nvcc");
  write("counting-nvcc", script.substr(0, 10) +
                             "[ \"$1\" = --version ] && { echo release 99; exit 0; }\n" +
                             script.substr(10));
  fs::permissions(folder() / "counting-nvcc", fs::perms::owner_all);
  (void)CompileCache().compile(text, "");
  EXPECT_EQ(compilations(), 2U);
}

TEST_F(Cache, FailureIsNotCached) {
  const std::string file = write_old("x.cu", "__global__ void f(float* c) { broken }");
  const std::string text = "#include \"" + file + "\"\n";
  const Compilation failed = CompileCache().compile(text, "");
  EXPECT_FALSE(failed.succeeded);
  EXPECT_THAT(failed.output, HasSubstr("broken"));
  write_old("x.cu", "__global__ void f(float* c) { *c = 1; }");
  EXPECT_TRUE(CompileCache().compile(text, "").succeeded);
}

TEST_F(Cache, DamagedEntryIsCompiledAgain) {
  const std::string file = write_old("x.cu", "__global__ void f(float* c) { *c = 1; }");
  const std::string other = write_old("y.cu", "__global__ void f(float* c) { *c = 2; }");
  const std::string text = "#include \"" + file + "\"\n";
  const Compilation first = CompileCache().compile(text, "");
  const Compilation second = CompileCache().compile("#include \"" + other + "\"\n", "");
  EXPECT_EQ(compilations(), 2U);
  const std::string whole = read_input(first.ptx_file);
  std::string flipped = whole;
  flipped[whole.find("st.global") + 3] ^= 4;
  const fs::path list = cache_folder() / (first.text_file.stem().string() + ".dependencies");
  const std::vector<std::pair<fs::path, std::string>> damages = {
      {first.ptx_file, ""},
      {first.ptx_file, whole.substr(0, whole.size() / 2)},
      {first.ptx_file, flipped},
      {first.ptx_file, first.ptx},  // an entry of a version without checksums
      {first.ptx_file, read_input(second.ptx_file)},
      {list, ""},
      {list, other + "\n"}};
  for (const auto& [damaged, content] : damages) {
    write_file(damaged, content);
    EXPECT_EQ(CompileCache().compile(text, "").ptx, first.ptx);
    EXPECT_EQ(compilations(), 1U) << damaged << content.size();
    EXPECT_EQ(CompileCache().compile(text, "").ptx, first.ptx);
    EXPECT_EQ(compilations(), 0U) << "the entry is whole again";
  }
}

TEST_F(Cache, UnwritableFolderIsReplacedByATemporaryOne) {
  const std::string file = write_old("x.cu", "__global__ void f(float* c) { *c = 1; }");
  const std::string text = "#include \"" + file + "\"\n";
  const TemporaryFilesAt temporary(folder() / "tmp");
  for (const char* const unwritable : {"/dev/null/cache", "/proc/cache"}) {
    const Compilation found = CompileCache(unwritable).compile(text, "");
    EXPECT_TRUE(found.succeeded);
    EXPECT_EQ(found.ptx_file.parent_path(), temporary_cache_folder());
  }
  EXPECT_EQ(compilations(), 1U) << "the temporary folder is a cache too";
  EXPECT_EQ(fs::status(temporary_cache_folder()).permissions(), fs::perms::owner_all);
}

TEST_F(Cache, FolderThatOthersCanWriteIsNotTrusted) {
  const TemporaryFilesAt temporary(folder() / "tmp");
  fs::create_directories(temporary_cache_folder());
  fs::permissions(temporary_cache_folder(), fs::perms::all);
  EXPECT_NE(refusal_of_private_folder(temporary_cache_folder()), "");
  try {
    const CompileCache cache("/dev/null/cache");
    FAIL();
  } catch (const EnvironmentError& error) {
    EXPECT_THAT(error.what(), HasSubstr("set XDG_CACHE_HOME"));
  }
  fs::remove(temporary_cache_folder());
  fs::create_directory_symlink(folder(), temporary_cache_folder());
  EXPECT_NE(refusal_of_private_folder(temporary_cache_folder()), "");
}

/// nvcc runs its programs by a shell.
TEST_F(Cache, NoPathIsExecutedByTheShellOfNvcc) {
  const TemporaryFilesAt temporary(folder() / "tmp");
  const std::string file = write_old("x.cu", "__global__ void f(float* c) { broken }");
  const fs::path trap = folder() / "trap";
  const fs::path hostile = folder() / ("$(touch " + trap.filename().string() + ")");
  fs::current_path(folder());
  fs::create_directories(hostile);
  const CompileCache cache(hostile);
  EXPECT_FALSE(cache.compile("#include \"" + file + "\"\n", "").succeeded);
  fs::copy_file(file, hostile / "`touch trap`.cu");
  EXPECT_THAT(cache.errors_in(hostile / "`touch trap`.cu", ""), HasSubstr("`touch trap`.cu(1)"));
  EXPECT_FALSE(fs::exists(trap));
  fs::current_path("/");
}

TEST_F(Cache, ChangedFileWithAQuoteInItsNameIsCompiledAgain) {
  const std::string file = write_old("a\"b.cu", "__global__ void f(float* c) { *c = 1; }");
  const std::string text = instantiating_text(file, {});
  const std::string one = CompileCache().compile(text, "").ptx;
  write_old("a\"b.cu", "__global__ void f(float* c) { *c = 2; }");
  EXPECT_NE(CompileCache().compile(text, "").ptx, one);
}

TEST_F(Cache, FullDiskIsNoErrorOfTheSource) {
  const std::string file = write_old("x.cu", "__global__ void f(float* c) { *c = 1; }");
  replace_nvcc(
      "[ \"$1\" = --version ] && exit 0\n"
      "echo 'cannot write x.ii: No space left on device'\nexit 1\n");
  EXPECT_THROW((void)CompileCache().compile("#include \"" + file + "\"\n", ""), EnvironmentError);
}

TEST_F(Cache, CompilerThatWritesNothingIsAnError) {
  const std::string file = write_old("x.cu", "__global__ void f(float* c) { *c = 1; }");
  replace_nvcc("exit 0\n");
  EXPECT_THROW((void)CompileCache().compile("#include \"" + file + "\"\n", ""), EnvironmentError);
}

/// nvcc reads the old text, and the file changes before nvcc ends.
TEST_F(Cache, SourceThatChangesDuringCompilationIsCompiledAgain) {
  const std::string file = write_old("x.cu", "__global__ void before(float* c) { *c = 1; }");
  const std::string text = "#include \"" + file + "\"\n";
  const std::string script = read_input(folder() / "counting-nvcc");
  const fs::path once = folder() / "once";
  write("once", "");
  std::string wrapper = script;
  wrapper.replace(wrapper.find("exec "), 5, "");
  wrapper += "status=$?\nif [ \"$1\" != --version ] && [ -e '" + once.string() + "' ]; then rm '" +
             once.string() + "'; echo '__global__ void after(float* c) { *c = 2; }' > '" + file +
             "'; fi\nexit $status\n";
  write("counting-nvcc", wrapper);
  fs::permissions(folder() / "counting-nvcc", fs::perms::owner_all);
  EXPECT_EQ(ptx::entry_points(CompileCache().compile(text, "").ptx).at(0).name, "_Z5afterPf");
  EXPECT_EQ(ptx::entry_points(CompileCache().compile(text, "").ptx).at(0).name, "_Z5afterPf");
}

TEST_F(Cache, ConcurrentCompilationsGiveTheSameResult) {
  const std::string file = write_old("x.cu", "__global__ void f(float* c) { *c = 1; }");
  const std::string text = "#include \"" + file + "\"\n";
  std::vector<std::string> found(4);
  std::vector<std::thread> threads;
  for (std::string& ptx : found) {
    threads.emplace_back([&] { ptx = CompileCache().compile(text, "").ptx; });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(ptx::entry_points(found[0]).at(0).name, "_Z1fPf");
  for (const std::string& ptx : found) EXPECT_EQ(ptx, found[0]);
  for (const auto& entry : fs::directory_iterator(cache_folder())) {
    EXPECT_NE(entry.path().extension(), ".tmp") << entry.path();
  }
}

TEST(CacheFolder, IsThatOfTheXdgSpecification) {
  const char* const known = std::getenv("HOME");
  const std::string home = known != nullptr ? known : "";
  setenv("XDG_CACHE_HOME", "/somewhere", 1);
  EXPECT_EQ(cache_folder(), "/somewhere/warpcheck");
  setenv("XDG_CACHE_HOME", "relative", 1);
  setenv("HOME", "/home/user", 1);
  EXPECT_EQ(cache_folder(), "/home/user/.cache/warpcheck");
  unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(cache_folder(), "/home/user/.cache/warpcheck");
  unsetenv("HOME");
  EXPECT_TRUE(cache_folder().is_absolute());
  if (!home.empty()) setenv("HOME", home.c_str(), 1);
}

}  // namespace
}  // namespace warpcheck::contract
