#include "runtime/replies.hpp"

#include <chrono>
#include <thread>
#include <utility>

namespace warpcheck::runtime {

Replies::Replies(const std::string& path) : file_(path) {}

void Replies::read() {
  file_.clear();
  for (std::string part; std::getline(file_, part);) {
    rest_ += part;
    if (file_.eof()) return;
    if (auto reply = reply_from_json(rest_)) all_[reply->id] = std::move(*reply);
    rest_.clear();
  }
}

Reply Replies::wait_for(const EventId& id) {
  using namespace std::chrono_literals;
  const auto deadline = std::chrono::steady_clock::now() + 60s;
  while (!all_.contains(id) && std::chrono::steady_clock::now() < deadline) {
    read();
    if (!all_.contains(id)) std::this_thread::sleep_for(5ms);
  }
  const auto found = all_.find(id);
  return found == all_.end() ? Reply{id, Reply::Kind::finding, "a finding"} : found->second;
}

}  // namespace warpcheck::runtime
