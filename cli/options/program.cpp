#include "cli/options/program.hpp"

#include <CLI/CLI.hpp>

#include "cli/help/version.hpp"
#include "cli/options/subcommands.hpp"

namespace warpcheck::cli {

std::unique_ptr<CommandApp> make_program(Command& chosen) {
  auto program = std::make_unique<CommandApp>(
      "warpcheck", "check CUDA kernels for correctness, with or without a GPU");
  program->set_version_flag("--version", std::string("warpcheck ") + program_version(),
                            "print the version and exit");
  program->require_subcommand(1);
  program->about =
      "Checks a .cu file with a contract of about ten lines. If the kernel is wrong, warpcheck "
      "prints the smallest problem on which it fails, the class of the defect and the source "
      "line. Kernels run on an NVIDIA GPU, or as PTX on the CPU under full checking.";
  program->examples = {
      {"warpcheck check mine.cu", "check your kernel"},
      {"warpcheck check", "check all built-in variants"},
      {"warpcheck check --help", "print the help of a command"},
  };
  program->further = {
      {"Environment",
       {{"WARPCHECK_NVCC",
         "the nvcc that compiles .cu files; default: nvcc on PATH, in CUDA_HOME, CUDA_PATH or "
         "/usr/local/cuda*"},
        {"WARPCHECK_NVCC_FLAGS", "additional nvcc flags, separated by spaces"},
        {"WARPCHECK_NVRTC", "off: nvcc compiles every .cu, also those that NVRTC compiles faster"},
        {"WARPCHECK_HISTORY", "the default of check --history"},
        {"WARPCHECK_LIBCUDA", "the library of the CUDA driver (libcuda.so.1)"},
        {"XDG_CACHE_HOME", "compiled kernels are cached in its subfolder warpcheck/ (~/.cache)"},
        {"NO_COLOR", "disables colors on a terminal"}}}};

  add_list(*program, chosen);
  add_init(*program, chosen);
  add_check(*program, chosen);
  add_replay(*program, chosen);
  add_exec(*program, chosen);
  add_prove(*program, chosen);
  add_profile(*program, chosen);
  add_bench(*program, chosen);
  add_diff(*program, chosen);
  add_mutate(*program, chosen);
  add_explore(*program, chosen);
  add_merge(*program, chosen);
  add_submit(*program, chosen);
  add_bisect(*program, chosen);
  add_fuzz(*program, chosen);
  add_gate(*program, chosen);
  add_completion(*program, chosen);
  add_complete(*program, chosen);
  add_man(*program, chosen);
  return program;
}

}  // namespace warpcheck::cli
