#include "workflows/exec/run/program_file.hpp"

#include <gmock/gmock.h>

#include <random>

#include "base/diagnostic.hpp"
#include "base/files.hpp"

namespace warpcheck::workflows::exec {
namespace {

bool is_accepted(const std::string& elf) {
  try {
    require_same_toolkit(elf, "./program", "libcudart.so.13");
  } catch (const InputError&) {
    return false;
  }
  return true;
}

TEST(ProgramFile, ProgramsWithoutCudaAreAccepted) {
  EXPECT_TRUE(is_accepted(read_input("/proc/self/exe")));
  EXPECT_TRUE(is_accepted("#!/bin/sh\n"));
  EXPECT_TRUE(is_accepted(""));
}

TEST(ProgramFile, ChangedBytesNeverCrash) {
  const std::string whole = read_input("/proc/self/exe");
  std::mt19937 random(1);
  for (int i = 0; i < 50; ++i) {
    std::string elf = whole;
    for (int changes = 0; changes < 4; ++changes) {
      elf[random() % 64] = static_cast<char>(random());
      elf[elf.size() - 1 - random() % 4096] = static_cast<char>(random());
    }
    elf.resize(random() % 2 == 0 ? elf.size() : random() % elf.size());
    (void)is_accepted(elf);
  }
}

TEST(ProgramFile, MissingProgramIsAnError) {
  EXPECT_THROW((void)find_program("./no-such-program"), InputError);
  EXPECT_THROW((void)find_program("no-such-program"), InputError);
  EXPECT_EQ(find_program("sh").filename(), "sh");
}

}  // namespace
}  // namespace warpcheck::workflows::exec
