#include "device/virtual/machine/memory/textures.hpp"

#include <utility>

namespace warpcheck::machine {
namespace {

/// The first handle: it is neither an address of memory nor a small integer.
constexpr std::uint64_t kFirstHandle = 0x5445'5800'0000'0001;

}  // namespace

std::uint64_t Textures::add(device::Texture texture) {
  const std::uint64_t handle = kFirstHandle + objects_.size();
  objects_[handle] = std::make_unique<Object>(Object{std::move(texture)});
  return handle;
}

bool Textures::destroy(std::uint64_t handle) {
  const auto found = objects_.find(handle);
  if (found == objects_.end() || found->second->destroyed) return false;
  found->second->destroyed = true;
  return true;
}

const Textures::Object* Textures::find(std::uint64_t handle) const {
  const auto found = objects_.find(handle);
  return found == objects_.end() ? nullptr : found->second.get();
}

}  // namespace warpcheck::machine
