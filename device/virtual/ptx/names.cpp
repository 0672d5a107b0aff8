#include "device/virtual/ptx/names.hpp"

#include <fmt/format.h>

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

bool Names::declare(std::string_view name, Entity entity) { return declare(slot(name), entity); }

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
  slot.of_module |= entity.depth == 0;
  return true;
}

Entity Names::find(std::string_view name) const {
  const auto found = slots_.find(name);
  return found == slots_.end() ? Entity{} : found->second.entity;
}

std::string Names::unique(Slot& original, std::string_view name) {
  if (original.used_in != function_) original.copies = 0;
  std::string answer(name);
  for (Slot* candidate = &original;; candidate = &slot(answer)) {
    if (candidate->used_in != function_ && !candidate->of_module) {
      candidate->used_in = function_;
      candidate->copies = 0;
      return answer;
    }
    answer = fmt::format("{}${}", name, ++original.copies);
  }
}

}  // namespace warpcheck::ptx
