// A test that runs nvcc, with its own folder and cache. It is skipped only if there is no nvcc.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "base/files.hpp"
#include "base/process/temporary_folder.hpp"
#include "contract/compile/compile_cache.hpp"
#include "contract/compile/nvcc.hpp"

namespace warpcheck::contract {

class NvccTest : public testing::Test {
 protected:
  void SetUp() override {
    try {
      (void)find_nvcc();
    } catch (const EnvironmentError& error) {
      GTEST_SKIP() << error.what();
    }
    setenv("XDG_CACHE_HOME", (folder_.path() / "cache").c_str(), 1);
  }

  void TearDown() override { unsetenv("XDG_CACHE_HOME"); }

  /// Writes a file into the folder of the test, and returns its path.
  std::string write(const std::string& name, std::string_view text) {
    write_file(folder_.path() / name, text);
    return (folder_.path() / name).string();
  }

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
};

/// A [[variant]] table.
inline std::string variant_table(const std::string& name, const std::string& kernel,
                                 const std::string& arguments, const std::string& further = "") {
  return "[[variant]]\nname = \"" + name + "\"\nkernel = \"" + kernel +
         "\"\noperation = \"gemm\"\narguments = [" + arguments + "]\nblock = [1]\ngrid = [1]\n" +
         further;
}

}  // namespace warpcheck::contract
