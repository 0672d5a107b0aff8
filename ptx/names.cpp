#include "ptx/names.hpp"

#include <fmt/format.h>

#include <map>

namespace warpcheck::ptx {

Names::Slot& Names::slot(std::string_view name) {
  const auto found = slots_.find(name);
  return found != slots_.end() ? found->second : slots_[std::string(name)];
}

void Names::open_scope() {
  if (scopes_.empty()) ++function_;
  scopes_.push_back(hidden_.size());
}

void Names::close_scope() {
  while (hidden_.size() > scopes_.back()) {
    hidden_.back().slot->entity = hidden_.back().entity;
    hidden_.pop_back();
  }
  scopes_.pop_back();
}

bool Names::declare(std::string_view name, Entity entity) {
  Slot& declared = slot(name);
  if (scopes_.empty()) {
    declared.in_module = true;
    if (declared.used_in != 0) shared_.emplace(name);
  }
  return declare(declared, entity);
}

std::optional<std::string> Names::declare_unique(std::string_view name, Entity entity) {
  Slot& declared = slot(name);
  if (!declare(declared, entity)) return std::nullopt;
  return unique(declared, name);
}

bool Names::declare(Slot& slot, Entity entity) {
  entity.depth = depth();
  if (slot.entity.kind != Entity::Kind::none && slot.entity.depth == entity.depth) return false;
  hidden_.push_back({&slot, slot.entity});
  slot.entity = entity;
  return true;
}

Entity Names::find(std::string_view name) const {
  const auto found = slots_.find(name);
  return found == slots_.end() ? Entity{} : found->second.entity;
}

std::string Names::unique(Slot& original, std::string_view name) {
  if (original.used_in != function_) original.copies = 0;
  std::string result(name);
  for (Slot* candidate = &original;; candidate = &slot(result)) {
    if (candidate->used_in != function_) {
      candidate->used_in = function_;
      candidate->copies = 0;
      if (candidate->in_module) shared_.insert(result);
      return result;
    }
    result = fmt::format("{}${}", name, ++original.copies);
  }
}

namespace {

/// Visits every list of named entities of a function.
template <typename Visitor>
void for_each_list(Function& function, Visitor&& visit) {
  visit(function.return_parameters);
  visit(function.parameters);
  visit(function.registers);
  visit(function.variables);
  visit(function.labels);
  visit(function.branch_targets);
  visit(function.call_prototypes);
  visit(function.call_targets);
}

}  // namespace

void keep_apart(Module& module, const std::set<std::string, std::less<>>& names) {
  if (names.empty()) return;
  std::set<std::string, std::less<>> in_module = names;
  for (const Variable& variable : module.variables) in_module.insert(variable.name);
  for (const Function& function : module.functions) in_module.insert(function.name);
  for (Function& function : module.functions) {
    std::set<std::string, std::less<>> taken = in_module;
    for_each_list(function, [&](const auto& list) {
      for (const auto& entity : list) taken.insert(entity.name);
    });
    // A parameter in a register is in two lists.
    std::map<std::string, std::string> renamed;
    for_each_list(function, [&](auto& list) {
      for (auto& entity : list) {
        if (!names.contains(entity.name)) continue;
        std::string& name = renamed[entity.name];
        for (int i = 1; name.empty(); ++i) {
          const std::string candidate = fmt::format("{}${}", entity.name, i);
          if (taken.insert(candidate).second) name = candidate;
        }
        entity.name = name;
      }
    });
  }
}

}  // namespace warpcheck::ptx
