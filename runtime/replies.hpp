// Reads the replies of the command to the events of this process.
#pragma once

#include <fstream>
#include <map>
#include <string>

#include "runtime/events/event.hpp"

namespace warpcheck::runtime {

class Replies {
 public:
  explicit Replies(const std::string& path);

  /// Waits for the reply. After a minute, for example because the command was killed, the reply
  /// is a finding without a text.
  [[nodiscard]] Reply wait_for(const EventId& id);

 private:
  void read();

  std::ifstream file_;
  std::string rest_;  // the beginning of a line whose end is still to come
  std::map<EventId, Reply> all_;
};

}  // namespace warpcheck::runtime
