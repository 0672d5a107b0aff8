#include "device/virtual/checks/proxy_writes.hpp"

#include <algorithm>

namespace warpcheck::checks {

void ProxyWrites::start(std::size_t shared_bytes, bool tracks) {
  tracks_ = tracks;
  time_ = 0;
  fenced_ = 0;
  cells_.assign(tracks ? shared_bytes / kCell + 1 : 0, {});
}

void ProxyWrites::note(Write write, std::size_t bytes) {
  write.time = ++time_;
  for (std::size_t cell = write.offset / kCell; cell * kCell < write.offset + bytes; ++cell) {
    cells_[cell] = write;
  }
}

void ProxyWrites::overwrite(std::size_t offset, std::size_t bytes) {
  for (std::size_t cell = offset / kCell; cell * kCell < offset + bytes; ++cell) cells_[cell] = {};
}

const ProxyWrites::Write* ProxyWrites::unfenced(std::size_t offset, std::size_t bytes) const {
  const auto first = cells_.begin() + static_cast<std::ptrdiff_t>(offset / kCell);
  const auto end =
      cells_.begin() + static_cast<std::ptrdiff_t>((offset + bytes + kCell - 1) / kCell);
  const auto found =
      std::find_if(first, end, [&](const Write& write) { return write.time > fenced_; });
  return found != end ? &*found : nullptr;
}

}  // namespace warpcheck::checks
