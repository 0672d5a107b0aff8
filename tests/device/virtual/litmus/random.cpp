// Random litmus tests.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>
#include <utility>

#include "tests/device/virtual/litmus/suite.hpp"

namespace warpcheck::litmus {
namespace {

using Thread = std::vector<std::string>;

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed), seed_(seed) {
    for (Range& range : ranges_) {
      range.bytes = 1U << below(4);
      range.offset = range.bytes * below(16 / range.bytes);
    }
  }

  PlacedProgram program() {
    switch (below(6)) {
      case 0:
        add_free();
        break;
      case 1:
        add_chain();
        break;
      case 2:
        add_barrier();
        break;
      case 3:
        add_copy();
        break;
      default:
        add_message();
        break;
    }
    std::vector<std::string> texts;
    for (const Thread& thread : threads_)
      texts.push_back(fmt::format("{}", fmt::join(thread, "; ")));
    PlacedProgram one{"random",
                      parse(fmt::format("seed {}: {}", seed_, fmt::join(texts, " || ")), texts),
                      placement()};
    one.program.in_clusters = chance(2);
    return one;
  }

 private:
  /// The bytes of most accesses to a location.
  struct Range {
    unsigned bytes = 4;
    unsigned offset = 0;
  };

  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }
  bool chance(unsigned of) { return below(of) == 0; }
  template <std::size_t count>
  std::string one_of(const std::array<const char*, count>& texts) {
    return texts[below(count)];
  }

  std::string scope() {
    if (is_careful_) return one_of(std::array{"cluster", "gpu", "gpu", "sys"});
    return one_of(std::array{"cta", "cta", "cluster", "cluster", "gpu", "gpu", "sys"});
  }
  std::string fence() {
    const std::string kind = is_careful_
                                 ? one_of(std::array{"acq_rel", "sc"})
                                 : one_of(std::array{"acq_rel", "sc", "acquire", "release"});
    return "fence." + kind + "." + scope();
  }

  /// ".b4 x+8": a modifier and a place. An atomic has 4 or 8 bytes.
  std::pair<std::string, std::string> place(char location, bool atomic = false) {
    Range range = ranges_[static_cast<unsigned>(location - 'x')];
    if (chance(is_careful_ ? 60 : 8)) {  // an access that overlaps the others partly
      range.bytes =
          range.bytes == 1 || (range.bytes < 8 && chance(2)) ? 2 * range.bytes : range.bytes / 2;
      if (range.offset % range.bytes == 0 && chance(2)) range.offset += range.bytes;
      range.offset -= range.offset % range.bytes;
      range.offset %= kLocationBytes;
    }
    if (atomic && range.bytes < 4) return {"", ""};
    return {fmt::format(".b{}", range.bytes), fmt::format("{}+{}", location, range.offset)};
  }

  std::string result() { return fmt::format("r{}", next_result_++); }
  /// True if there are more registers than the reads that follow need.
  bool has_result() const { return next_result_ < kRegisters - 4; }

  /// The modifiers of a strong access.
  std::string strength(const char* direction) {
    const unsigned kind = is_careful_ ? 4 : below(8);
    if (kind == 0) return ".volatile";
    return (kind <= 3 ? ".relaxed." : fmt::format(".{}.", direction)) + scope();
  }

  std::string write(char location, unsigned value) {
    const auto [bytes, at] = place(location);
    if (chance(4)) {
      const auto [wide, where] = place(location, true);
      const std::string order = (is_careful_ || !chance(3) ? "release." : "relaxed.") + scope();
      if (!wide.empty() && has_result() && chance(2)) {
        return fmt::format("atom.{}{}.{} {} {} {}", order, wide, one_of(std::array{"add", "exch"}),
                           result(), where, value);
      }
      if (!wide.empty()) return fmt::format("red.{}{}.add {} {}", order, wide, where, value);
    }
    return fmt::format("st{}{} {} {}", chance(is_careful_ ? 40 : 10) ? "" : strength("release"),
                       bytes, at, value);
  }

  /// The text and the register of a strong read.
  std::pair<std::string, std::string> read(char location) {
    const auto [bytes, at] = place(location);
    const std::string reg = result();
    const auto [wide, where] = place(location, true);
    if (!wide.empty() && chance(5)) {
      return {
          fmt::format("atom.{}.{}{}.add {} {} 0", is_careful_ || !chance(3) ? "acquire" : "relaxed",
                      scope(), wide, reg, where),
          reg};
    }
    return {fmt::format("ld{}{} {} {}", chance(is_careful_ ? 40 : 10) ? "" : strength("acquire"),
                        bytes, reg, at),
            reg};
  }

  /// An access to data, mostly a weak one.
  std::string data(char location, bool writes) {
    if (chance(6) && has_result())
      return writes ? write(location, next_value_++) : read(location).first;
    const auto [bytes, at] = place(location);
    if (writes || !has_result()) return fmt::format("st{} {} {}", bytes, at, next_value_++);
    return fmt::format("ld{} {} {}", bytes, result(), at);
  }

  void release_flag(Thread& thread, char flag, const std::string& condition = "") {
    if (chance(2)) thread.push_back(fence() + condition);
    thread.push_back(write(flag, 1) + condition);
    if (chance(8)) thread.push_back(write(flag, 1) + condition);
  }

  /// Returns the condition that the flag was observed; sometimes none.
  std::string observe(Thread& thread, char flag) {
    const auto [text, reg] = read(flag);
    thread.push_back(text);
    if (chance(2)) thread.push_back(fence());
    return chance(is_careful_ ? 40 : 12) ? "" : fmt::format(" if {}=1", reg);
  }

  void add_message() {
    threads_.resize(2);
    threads_[0].push_back(data('x', !chance(4)));
    release_flag(threads_[0], 'y');
    const std::string condition = observe(threads_[1], 'y');
    threads_[1].push_back(data('x', chance(3)) + condition);
    if (chance(4)) threads_.push_back({data(chance(2) ? 'x' : 'y', chance(2))});
    if (chance(6)) threads_.push_back({write('y', 1)});
  }

  void add_chain() {
    threads_.resize(3);
    threads_[0].push_back(data('x', true));
    release_flag(threads_[0], 'y');
    const std::string first = observe(threads_[1], 'y');
    release_flag(threads_[1], 'z', first);
    const std::string second = observe(threads_[2], 'z');
    threads_[2].push_back(data('x', chance(3)) + second);
  }

  void add_free() {
    threads_.resize(2 + below(2));
    for (Thread& thread : threads_) {
      for (unsigned i = 1 + below(3); i > 0; --i) {
        const char location = static_cast<char>('x' + below(2));
        thread.push_back(chance(5)                   ? fence()
                         : has_result() && chance(2) ? read(location).first
                                                     : write(location, next_value_++));
      }
    }
  }

  /// Threads with barriers have no fences: docs/memory-model.md.
  void add_barrier() {
    threads_.resize(2 + below(2));
    const bool is_named = !chance(3);
    meets_ = true;
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      if (chance(2)) threads_[i].push_back(data('x', chance(2)));
      const bool arrives = is_named && i != 0 && chance(3);
      threads_[i].push_back(!is_named ? "bar" : arrives ? "bar.arrive 1" : "bar.sync 1");
      if (!chance(4)) threads_[i].push_back(data('x', chance(2)));
    }
    if (!is_named || !chance(3)) return;
    // A thread beside the barrier reads a flag of a thread behind it.
    threads_[0].push_back("st.release." + scope() + " y 1");
    const std::string reg = result();
    is_last_beside_ = true;
    threads_.push_back({"ld.acquire." + scope() + " " + reg + " y",
                        fmt::format("{} if {}=1", data('x', chance(2)), reg)});
  }

  void add_copy() {
    threads_.resize(2);
    ranges_[0].bytes = 4U << below(2);
    ranges_[0].offset = 0;
    Thread& copying = threads_[0];
    if (chance(4)) copying.push_back(data('x', chance(2)));
    copying.push_back(fmt::format("bulk x {}", next_value_++));
    if (chance(4)) copying.push_back(data('x', chance(2)));
    const bool waits_early = !chance(4);
    if (waits_early) copying.push_back(chance(3) ? "wait.read" : "wait");
    if (chance(4)) copying.push_back(data('x', chance(2)));
    if (chance(2)) {
      release_flag(copying, 'y');
      const std::string condition = observe(threads_[1], 'y');
      threads_[1].push_back(data('x', chance(3)) + condition);
    } else {
      threads_[1].push_back(data('x', chance(2)));
      release_flag(threads_[1], 'y');
    }
    if (!waits_early) copying.push_back("wait.read");
  }

  Placement placement() {
    Placement placement;
    const bool one_warp = !meets_ && chance(5);
    const unsigned blocks = meets_ ? 1 : 4;
    for (unsigned thread = 0; thread < threads_.size(); ++thread) {
      const bool beside = is_last_beside_ && thread + 1 == threads_.size();
      const unsigned block = one_warp ? 0 : beside ? below(4) : below(blocks);
      placement.push_back({block, one_warp ? 0 : thread, one_warp ? thread : 0});
    }
    return placement;
  }

  std::mt19937 random_;
  unsigned seed_;
  std::array<Range, kLocations> ranges_;
  std::vector<Thread> threads_;
  unsigned next_result_ = 0;
  unsigned next_value_ = 2;  // the least number stored to data: a store of the value that is there
                             // is a race of its own kind
  bool is_careful_ = chance(2);  // most programs without a race are
  bool meets_ = false;           // the threads meet at a barrier
  bool is_last_beside_ = false;  // but not the last one
};

}  // namespace

PlacedProgram random_program(unsigned seed) { return Generator(seed).program(); }

}  // namespace warpcheck::litmus
