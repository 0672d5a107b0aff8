// A device that hands everything on to another: for those that watch or change what is run.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "device/device.hpp"

namespace warpcheck::device {

/// `inner` outlives it. What derives from this says what becomes of a job.
class ForwardingDevice : public Device {
 public:
  explicit ForwardingDevice(Device& inner) : inner_(inner) {}

  [[nodiscard]] std::string_view name() const override { return inner_.name(); }
  [[nodiscard]] std::string description() const override { return inner_.description(); }
  [[nodiscard]] bool is_sparse() const override { return inner_.is_sparse(); }
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
