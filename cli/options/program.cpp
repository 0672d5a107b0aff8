#include "cli/options/program.hpp"

#include <CLI/CLI.hpp>

#include "cli/options/subcommands.hpp"

namespace warpcheck::cli {

std::unique_ptr<CommandApp> make_program(Command& chosen) {
  auto program =
      std::make_unique<CommandApp>("warpcheck", "prove CUDA kernels right, with and without a GPU");
  program->set_version_flag("--version", std::string("warpcheck ") + WARPCHECK_VERSION,
                            "print the version and leave");
  program->require_subcommand(1);
  program->about =
      "Hand over a .cu file with a contract of ten lines, and learn whether the kernel is right, "
      "and "
      "if not, the smallest problem on which it goes wrong, the class of the defect and the source "
      "line. Kernels run on an NVIDIA GPU, or as PTX on the CPU under full checking.";
  program->examples = {
      {"warpcheck check mine.cu", "verify a kernel of yours"},
      {"warpcheck check", "verify all built-in variants"},
      {"warpcheck check --help", "everything about a command"},
  };
  program->further = {
      {"Environment",
       {{"WARPCHECK_NVCC",
         "the nvcc that compiles .cu files; else that on PATH, of CUDA_HOME, "
         "CUDA_PATH or /usr/local/cuda*"},
        {"WARPCHECK_NVCC_FLAGS", "further flags for it, separated by blanks"},
        {"WARPCHECK_HISTORY", "stands for --history of check"},
        {"WARPCHECK_LIBCUDA", "the driver's library, instead of libcuda.so.1"},
        {"XDG_CACHE_HOME", "what was compiled is kept in warpcheck/ under it (~/.cache)"},
        {"NO_COLOR", "no colours on a terminal"}}}};

  add_list(*program, chosen);
  add_check(*program, chosen);
  add_replay(*program, chosen);
  add_profile(*program, chosen);
  add_diff(*program, chosen);
  add_mutate(*program, chosen);
  add_merge(*program, chosen);
  add_bisect(*program, chosen);
  add_fuzz(*program, chosen);
  add_gate(*program, chosen);
  add_completion(*program, chosen);
  add_complete(*program, chosen);
  add_man(*program, chosen);
  return program;
}

}  // namespace warpcheck::cli
