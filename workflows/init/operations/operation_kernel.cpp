#include "workflows/init/operations/operation_kernel.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "contract/contract_words.hpp"
#include "workflows/init/source/lower_case.hpp"

namespace warpcheck::workflows::init {
namespace {

using Kind = ParameterType::Kind;

/// The names that definitions use for indices and intermediate tensors.
constexpr std::array<std::string_view, 10> kNamesOfDefinitions = {
    "i", "j", "l", "o", "peak", "total", "mean", "variance", "with_bias", "summed"};

bool is_stride(const std::string& name) {
  const std::string lower = lower_case(name);
  return lower.find("stride") != std::string::npos || lower.find("pitch") != std::string::npos ||
         (lower.starts_with("ld") && lower.size() <= 4);
}

}  // namespace

std::vector<std::string> Roles::extent_names() const {
  std::vector<std::string> found;
  if (!rows.empty()) found.push_back(rows);
  for (const std::size_t one : extents) found.push_back(names[one]);
  if (!positions.empty()) found.push_back(positions);
  return found;
}

std::string usable_name(std::string name, const std::vector<std::string>& taken) {
  const auto is_free = [&](const std::string& one) {
    return contract::is_operation_name(one) &&
           std::find(kNamesOfDefinitions.begin(), kNamesOfDefinitions.end(), one) ==
               kNamesOfDefinitions.end() &&
           std::find(taken.begin(), taken.end(), one) == taken.end();
  };
  if (name.empty()) name = "argument";
  while (!is_free(name)) name += "_";
  return name;
}

std::optional<Roles> roles_of(const std::vector<NamedParameter>& parameters) {
  Roles roles;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const ParameterType& type = parameters[i].type;
    roles.names.push_back(usable_name(parameters[i].name, roles.names));
    if (type.kind == Kind::buffer && type.element) {
      roles.buffers.push_back(i);
      if (!type.constant) roles.writable.push_back(i);
    } else if (type.kind == Kind::integer) {
      (is_stride(parameters[i].name) ? roles.strides : roles.extents).push_back(i);
    } else if (type.kind == Kind::floating) {
      roles.scalars.push_back(i);
    } else {
      return std::nullopt;
    }
  }
  if (roles.writable.empty() || roles.extents.empty()) return std::nullopt;
  return roles;
}

std::vector<std::size_t> possible_outputs(const Roles& roles) {
  constexpr std::array<std::string_view, 10> kNames = {"out", "output", "y",   "dst", "result",
                                                       "res", "dest",   "ret", "c",   "o"};
  std::vector<std::size_t> outputs(roles.writable.rbegin(), roles.writable.rend());
  std::stable_partition(outputs.begin(), outputs.end(), [&](std::size_t at) {
    std::string lower = lower_case(roles.names[at]);
    if (lower.starts_with("d_")) lower.erase(0, 2);
    return std::find(kNames.begin(), kNames.end(), lower) != kNames.end();
  });
  return outputs;
}

}  // namespace warpcheck::workflows::init
