// The texture and surface objects of a session, by handle.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "device/texture.hpp"

namespace warpcheck::machine {

class Textures {
 public:
  struct Object {
    device::Texture texture;
    bool destroyed = false;
  };

  /// Returns the handle, which is not 0. No other object gets the same handle.
  std::uint64_t add(device::Texture texture);
  /// Returns false if no such object exists.
  bool destroy(std::uint64_t handle);
  /// Returns null if no object ever had this handle.
  [[nodiscard]] const Object* find(std::uint64_t handle) const;

 private:
  std::unordered_map<std::uint64_t, std::unique_ptr<Object>> objects_;
};

}  // namespace warpcheck::machine
