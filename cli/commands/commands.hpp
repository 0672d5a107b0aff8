// The subcommands. Each writes to the standard output and returns the exit status. Errors are
// thrown: InputError, EnvironmentError.
#pragma once

#include "cli/options/arguments.hpp"

namespace warpcheck::cli {

[[nodiscard]] int run(const ListCommand& command);
[[nodiscard]] int run(const CheckCommand& command);
[[nodiscard]] int run(const ReplayCommand& command);
[[nodiscard]] int run(const ExecCommand& command);
[[nodiscard]] int run(const ProfileCommand& command);
[[nodiscard]] int run(const ProveCommand& command);
[[nodiscard]] int run(const BenchCommand& command);
[[nodiscard]] int run(const DiffCommand& command);
[[nodiscard]] int run(const MutateCommand& command);
[[nodiscard]] int run(const ExploreCommand& command);
[[nodiscard]] int run(const MergeCommand& command);
[[nodiscard]] int run(const SubmitCommand& command);
[[nodiscard]] int run(const BisectCommand& command);
[[nodiscard]] int run(const FuzzCommand& command);
[[nodiscard]] int run(const GateCommand& command);
[[nodiscard]] int run(const InitCommand& command);
[[nodiscard]] int run(const CompletionCommand& command);
[[nodiscard]] int run(const CompleteCommand& command);
[[nodiscard]] int run(const ManCommand& command);

}  // namespace warpcheck::cli
