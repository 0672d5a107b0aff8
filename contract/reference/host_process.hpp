// Runs a function of a compiled library in a process of its own.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "operation/host_function.hpp"

namespace warpcheck::contract {

/// The parts of an error of the function.
struct HostFunctionName {
  std::string name;
  std::vector<std::string> extents;  // extents of the operation
  Diagnostic place;                  // location of the key `reference`, with its excerpt
};

/// The function that `library` exports as warpcheck_call_reference(). Each call takes an idle
/// process or starts one. A call that does not return within ten seconds of processor time, and one
/// that ends the process, is an InputError at the key `reference`.
[[nodiscard]] std::shared_ptr<operation::HostFunction> function_in(std::filesystem::path library,
                                                                   HostFunctionName name);

}  // namespace warpcheck::contract
