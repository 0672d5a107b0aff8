// Draws random programs, and prints them.
#include <array>
#include <cstddef>
#include <ostream>
#include <random>
#include <vector>

#include "tests/device/virtual/checks/race_program.hpp"

namespace warpcheck::checks {
namespace {

/// Draws the steps of a program.
class Generator {
 public:
  Generator(unsigned seed, const RaceKinds& kinds) : random_(seed), kinds_(kinds) {
    const unsigned instructions = 4 + below(8);
    for (unsigned i = 0; i < instructions; ++i) instructions_.push_back(instruction(i + 1));
  }

  RaceProgram program(unsigned steps) {
    RaceProgram program;
    while (program.size() < steps) {
      if (kinds_.messages) {
        add_messages(program);
      } else if (kinds_.polls) {
        add_polls(program);
      } else if (below(6) == 0) {
        add_loop(program);
      } else {
        program.push_back(below(5) < 2 ? synchronization() : access());
      }
    }
    return program;
  }

 private:
  unsigned below(std::size_t limit) { return static_cast<unsigned>(random_() % limit); }
  bool chance(unsigned of) { return below(of) == 0; }
  Scope scope() { return chance(3) ? Scope::block : chance(3) ? Scope::cluster : Scope::device; }
  /// Most fences have both directions.
  RaceModel::Order fence_order() {
    const unsigned kind = below(6);
    return {kind != 0, kind != 1};
  }

  Mask lanes() {
    const unsigned kind = below(4);
    if (kind == 0) return machine::kAllLanes;
    if (kind <= 2) return Mask{1} << below(4);
    return static_cast<Mask>(random_() | 1);
  }

  void place(RaceStep& step) {
    step.block = below(kModelBlocks);
    step.warp = below(kModelWarps);
    step.lanes = lanes();
  }

  RaceStep synchronization() {
    using Kind = RaceStep::Kind;
    static constexpr std::array kKinds = {
        Kind::block_barrier, Kind::warp_barrier,   Kind::warp_barrier, Kind::arrive,
        Kind::named_barrier, Kind::release,        Kind::acquire,      Kind::acquire,
        Kind::fence,         Kind::release_fenced, Kind::fence,        Kind::fence};
    static constexpr std::size_t kWithoutFlags = 8;
    RaceStep step;
    place(step);
    step.kind = kKinds[below(kinds_.flags ? kKinds.size() : kWithoutFlags)];
    step.scope = scope();
    if (step.kind == Kind::fence) step.order = fence_order();
    if (step.kind == Kind::arrive) step.lanes = machine::kAllLanes;
    return step;
  }

  /// An instruction of the program: all but where it accesses, and which lanes.
  RaceStep instruction(std::uint32_t op) {
    RaceStep step;
    step.op = op;
    step.shared = chance(3);
    step.strong = !chance(3);
    if (!step.strong) {
      step.bytes = 1U << below(5);
      step.write = chance(2);
      step.looks = !step.write && chance(4);
      return step;
    }
    step.scope = scope();
    const unsigned kind = below(6);
    step.is_volatile = kind <= 3 && chance(4);
    step.write = kind >= 2;
    step.update = kind >= 4;
    step.observes = kind == 5;
    if (kinds_.flags && !step.is_volatile) {
      step.order.acquires = (!step.write || step.observes) && chance(2);
      step.order.releases = step.write && chance(2);
    }
    return step;
  }

  RaceStep access() {
    RaceStep step = instructions_[below(instructions_.size())];
    step.begin = 4 * (chance(2) ? below(2) : 8 * below(4));
    execute(step);
    return step;
  }

  /// Chooses the lanes of an instruction that begins near `step.begin`.
  void execute(RaceStep& step) {
    place(step);
    if (step.strong) {
      // Most accesses are of a whole word: the upper half of a memory has words of 8 bytes.
      step.bytes = chance(8) ? 1U << below(4) : step.begin < kRaceBytes / 2 ? 4 : 8;
      step.begin += chance(16) ? below(8) : 0;
      step.begin -= step.begin % step.bytes;
      if (step.observes) step.lanes = Mask{1} << machine::lowest(step.lanes);
      return;
    }
    step.begin += below(4);
    step.begin -= step.begin % step.bytes;
    if (!chance(3)) step.stride = step.bytes;
  }

  /// A thread, or a warp that does not observe atomics, executes a few instructions in turn, as an
  /// unrolled loop does.
  void add_loop(RaceProgram& program) {
    RaceStep first = access();
    first.lanes = !first.observes && chance(3) ? machine::kAllLanes : first.lanes & -first.lanes;
    std::vector<RaceStep> body{first};
    for (unsigned i = below(3); i > 0; --i) {
      RaceStep next = instructions_[below(instructions_.size())];
      next.begin = first.begin;
      execute(next);
      next.block = first.block;
      next.warp = first.warp;
      next.lanes = next.observes ? first.lanes & -first.lanes : first.lanes;
      body.push_back(next);
    }
    for (unsigned i = 0, count = 1 + below(8); i < count; ++i) {
      program.push_back(body[i % body.size()]);
    }
  }

  /// A strong instruction of any kind that accesses a flag.
  RaceStep flag_access() {
    RaceStep step;
    do {
      step = instruction(100 + below(3));
    } while (!step.strong);
    step.shared = false;
    step.begin = kFlags + 8 * (chance(4) ? 1 : 0);
    step.bytes = chance(12) ? 4 : 8;
    return step;
  }

  RaceStep data_access(bool write) {
    RaceStep data;
    data.op = write ? 90 : 91;
    data.write = write;
    data.begin = 4 * below(2);
    return data;
  }

  RaceStep fence() {
    RaceStep fence;
    fence.kind = RaceStep::Kind::fence;
    fence.scope = scope();
    fence.order = fence_order();
    return fence;
  }

  /// Three threads, each one of the first `lanes` of its warp.
  std::array<RaceStep, 3> three_threads(unsigned lanes) {
    std::array<RaceStep, 3> threads;
    for (RaceStep& thread : threads) {
      thread.block = below(kModelBlocks);
      thread.warp = below(kModelWarps);
      thread.lanes = Mask{1} << below(lanes);
    }
    return threads;
  }

  /// Three threads pass messages: each writes or reads data, and accesses flags.
  void add_messages(RaceProgram& program) {
    const std::array<RaceStep, 3> threads = three_threads(2);
    const auto add = [&](const RaceStep& thread, RaceStep step) {
      step.block = thread.block;
      step.warp = thread.warp;
      step.lanes = chance(16) ? Mask{3} : thread.lanes;
      if (step.observes) step.lanes = thread.lanes;
      program.push_back(step);
    };
    add(threads[0], data_access(true));
    std::size_t self = 0;
    for (unsigned i = 0, count = 3 + below(8); i < count; ++i) {
      if (chance(3)) add(threads[self], fence());
      add(threads[self], flag_access());
      if (chance(3)) self = (self + 1) % threads.size();
    }
    if (chance(3)) add(threads[self], fence());
    add(threads[self], data_access(chance(2)));
  }

  /// Three threads load and store a flag again and again, and one of them accesses it weakly.
  void add_polls(RaceProgram& program) {
    std::array<RaceStep, 3> threads = three_threads(3);
    for (RaceStep& thread : threads) {
      thread.begin = kFlags;
      thread.bytes = 8;
    }
    const std::size_t self = below(threads.size());
    for (unsigned i = 0, count = 4 + below(14); i < count; ++i) {
      const bool is_observed = !program.empty() && program.back().write && !chance(4);
      const std::size_t number = is_observed || chance(3) ? self : below(threads.size());
      RaceStep step = threads[number];
      step.strong = true;
      step.write = !is_observed && !chance(3);
      step.op = static_cast<std::uint32_t>(2 * number) + (step.write ? 1 : 2);
      if (chance(16)) step.scope = chance(2) ? Scope::block : Scope::cluster;
      if (chance(6)) step.lanes = 7;
      program.push_back(step);
    }
    RaceStep last = threads[chance(4) ? below(threads.size()) : self];
    last.op = 90;
    last.write = chance(4);
    program.push_back(last);
  }

  static constexpr unsigned kFlags = kRaceBytes - 16;
  std::mt19937 random_;
  RaceKinds kinds_;
  std::vector<RaceStep> instructions_;
};

}  // namespace

RaceProgram random_program(unsigned seed, unsigned steps, const RaceKinds& kinds) {
  return Generator(seed, kinds).program(steps);
}

std::ostream& operator<<(std::ostream& stream, const RaceStep& step) {
  static constexpr std::array kNames = {"access",         "block barrier", "warp barrier",
                                        "arrive",         "named barrier", "release",
                                        "release fenced", "acquire",       "fence"};
  stream << "block " << step.block << " warp " << step.warp << " lanes " << std::hex << step.lanes
         << std::dec << ": ";
  const char* const scope = step.scope == Scope::block     ? ".cta"
                            : step.scope == Scope::cluster ? ".cluster"
                                                           : ".gpu";
  if (step.kind != RaceStep::Kind::access) {
    stream << kNames[static_cast<std::size_t>(step.kind)];
    if (step.kind != RaceStep::Kind::fence) return stream;
    return stream << (step.order.acquires ? ".acquire" : "")
                  << (step.order.releases ? ".release" : "") << scope;
  }
  stream << "op " << step.op << ' '
         << (step.observes ? "atom"
             : step.update ? "red"
             : step.write  ? "st"
             : step.looks  ? "look"
                           : "ld");
  if (step.strong) {
    stream << (step.is_volatile ? ".volatile" : ".relaxed")
           << (step.order.acquires ? ".acquire" : "") << (step.order.releases ? ".release" : "")
           << scope;
  }
  stream << ' ' << (step.shared ? "shared" : "global") << '[' << step.begin;
  if (step.stride != 0) stream << " + " << step.stride << " lane";
  return stream << "], " << step.bytes << " bytes";
}

}  // namespace warpcheck::checks
