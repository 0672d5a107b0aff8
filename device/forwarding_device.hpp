// Base class of devices that observe or change the jobs of another device.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "device/device.hpp"

namespace warpcheck::device {

/// Forwards every call but run() to `inner`, which must outlive this device.
class ForwardingDevice : public Device {
 public:
  explicit ForwardingDevice(Device& inner) : inner_(inner) {}

  [[nodiscard]] std::string_view name() const override { return inner_.name(); }
  [[nodiscard]] std::string description() const override { return inner_.description(); }
  [[nodiscard]] bool is_sparse() const override { return inner_.is_sparse(); }
  [[nodiscard]] bool is_deterministic() const override { return inner_.is_deterministic(); }
  [[nodiscard]] bool checks_predecessor() const override { return inner_.checks_predecessor(); }
  [[nodiscard]] std::shared_ptr<const Program> load(const std::string& ptx,
                                                    const std::string& file) override {
    return inner_.load(ptx, file);
  }

 protected:
  [[nodiscard]] Device& inner() { return inner_; }

 private:
  Device& inner_;
};

}  // namespace warpcheck::device
