// Vector clocks of streams.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>

namespace warpcheck::runtime {

using StreamId = std::uint64_t;
using WorkNumber = std::uint64_t;  // numbered in the order of submission, from 1

// The numbers are those of cudaStreamGetId().
inline constexpr StreamId kLegacyId = 1;
inline constexpr StreamId kFirstOfThreads = StreamId{1} << 62;  // default streams of threads
// Streams of the program have smaller ids. Each node of a graph that runs is a stream of its own.
inline constexpr StreamId kFirstOfNodes = StreamId{1} << 63;

/// The work that has ended at one point of the program.
class StreamClock {
 public:
  [[nodiscard]] bool includes(StreamId stream, WorkNumber number) const {
    if (number <= all_) return true;
    const auto found = last_.find(stream);
    return found != last_.end() && number <= found->second;
  }

  /// All work of the stream up to `number` has ended.
  void add(StreamId stream, WorkNumber number) {
    WorkNumber& last = last_[stream];
    last = std::max(last, number);
  }

  /// All work of every stream up to `number` has ended.
  void add_all(WorkNumber number) {
    all_ = std::max(all_, number);
    std::erase_if(last_, [&](const auto& entry) { return entry.second <= all_; });
  }

  /// No work of the stream is of interest any more.
  void drop(StreamId stream) { last_.erase(stream); }

  void join(const StreamClock& other) {
    for (const auto& [stream, number] : other.last_) add(stream, number);
    add_all(other.all_);
  }

 private:
  WorkNumber all_ = 0;
  std::map<StreamId, WorkNumber> last_;
};

}  // namespace warpcheck::runtime
