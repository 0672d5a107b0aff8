#include "device/virtual/machine/stuck.hpp"

#include <fmt/format.h>

#include <bit>
#include <string>
#include <utility>

#include "device/virtual/machine/block.hpp"

namespace warpcheck::machine {
namespace {

unsigned count(Mask lanes) { return static_cast<unsigned>(std::popcount(lanes)); }

/// Threads that wait at one place of the program.
struct Wait {
  const FunctionCode* function = nullptr;
  const Op* op = nullptr;
  FragmentState state = FragmentState::ready;
  unsigned barrier = 0;
  unsigned threads = 0;
  unsigned warp = 0;  // the first such thread
  unsigned lane = 0;
};

std::vector<Wait> waits_of(const std::vector<std::unique_ptr<Warp>>& warps) {
  std::vector<Wait> waits;
  for (const auto& warp : warps) {
    for (const Fragment& fragment : warp->fragments()) {
      Wait* known = nullptr;
      for (Wait& wait : waits) known = wait.op == fragment.waits_at ? &wait : known;
      if (known != nullptr) {
        known->threads += count(fragment.lanes);
        continue;
      }
      waits.push_back({fragment.frame->code, fragment.waits_at, fragment.state, fragment.barrier,
                       count(fragment.lanes), warp->index(),
                       static_cast<unsigned>(std::countr_zero(fragment.lanes))});
    }
  }
  return waits;
}

std::string describe(const Block& block, const Wait& wait) {
  const SourcePlace place = source_place(*block.launch().program, *wait.function, *wait.op);
  return fmt::format("{} thread{} wait{} at line {} ({})", wait.threads,
                     wait.threads == 1 ? "" : "s", wait.threads == 1 ? "s" : "", place.line,
                     place.instruction);
}

}  // namespace

Finding explain_stuck(const Block& block, const std::vector<std::unique_ptr<Warp>>& warps) {
  const std::vector<Wait> waits = waits_of(warps);
  unsigned waiting = 0;
  bool fits_the_block = true;  // every barrier waited at is one for threads of which some strayed
  std::string message;
  for (const Wait& wait : waits) {
    waiting += wait.threads;
    if (!message.empty()) message += "; ";
    message += describe(block, wait);
    if (wait.state != FragmentState::at_barrier) continue;
    const Barrier& barrier = block.barrier(wait.barrier);
    message += fmt::format(" for {} of {} at barrier {}", barrier.expected - barrier.arrived,
                           barrier.expected, wait.barrier);
    fits_the_block = fits_the_block && barrier.expected == block.threads();
  }
  const unsigned ended = block.threads() - waiting;
  if (ended != 0)
    message += fmt::format("; {} of the block's {} threads have ended", ended, block.threads());

  Finding finding;
  finding.kind = fits_the_block && (ended != 0 || waits.size() > 1)
                     ? FindingClass::barrier_divergence
                     : FindingClass::deadlock;
  finding.message = std::move(message);
  finding.source =
      source_place(*block.launch().program, *waits.front().function, *waits.front().op);
  finding.thread = block.place(waits.front().warp, waits.front().lane);
  return finding;
}

}  // namespace warpcheck::machine
