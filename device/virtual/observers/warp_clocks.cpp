#include <algorithm>
#include <utility>

#include "device/virtual/observers/shared_races.hpp"

namespace warpcheck::observers {

WarpClocks::WarpClocks(unsigned warps) : warps_(warps) { restart(); }

void WarpClocks::restart() {
  const std::uint32_t begin = *std::max_element(now_.begin(), now_.end()) + 1;
  now_.fill(begin);
  oldest_.fill(begin);
  for (Clock& clock : clock_) clock.fill(begin);
  for (Clock& clock : fenced_) clock.fill(0);
  for (Clock& clock : observed_) clock.fill(0);
  meetings_ = {};
  flags_.clear();
}

void WarpClocks::join(Clock& into, const Clock& from) {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] = std::max(into[i], from[i]);
}

/// What the warp has done and knows, for others to learn; what it does from now on is later.
WarpClocks::Clock WarpClocks::published(unsigned warp) {
  Clock clock = clock_[warp];
  clock[warp] = ++now_[warp];
  return clock;
}

void WarpClocks::learn(unsigned warp, const Clock& clock) {
  join(clock_[warp], clock);
  oldest_[warp] = *std::min_element(clock_[warp].begin(), clock_[warp].begin() + warps_);
}

void WarpClocks::publish(unsigned warp, Mask, Clock& into) { join(into, published(warp)); }

void WarpClocks::learn(unsigned warp, Mask, const Clock& from) { learn(warp, from); }

void WarpClocks::warp_barrier(unsigned warp) { learn(warp, published(warp)); }

void WarpClocks::arrive(unsigned barrier, unsigned warp, bool waits) {
  Meeting& meeting = meetings_[barrier];
  join(meeting.clock, published(warp));
  if (waits) meeting.waiting |= Mask{1} << warp;
}

void WarpClocks::complete(unsigned barrier) {
  const Meeting meeting = std::exchange(meetings_[barrier], Meeting{});
  for (unsigned warp = 0; warp < warps_; ++warp) {
    if ((meeting.waiting >> warp & 1) != 0) learn(warp, meeting.clock);
  }
}

void WarpClocks::fence(unsigned warp) {
  learn(warp, observed_[warp]);
  fenced_[warp] = published(warp);
}

void WarpClocks::store_flag(unsigned warp, std::uint64_t address, bool release) {
  if (release) fence(warp);
  join(flags_[address], fenced_[warp]);
}

void WarpClocks::load_flag(unsigned warp, std::uint64_t address, bool acquire) {
  const auto flag = flags_.find(address);
  if (flag == flags_.end()) return;
  join(observed_[warp], flag->second);
  if (acquire) learn(warp, observed_[warp]);
}

}  // namespace warpcheck::observers
