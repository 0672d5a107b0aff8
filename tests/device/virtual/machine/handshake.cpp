#include "tests/device/virtual/machine/handshake.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "device/virtual/machine/core/schedule.hpp"

namespace warpcheck::machine::test {
namespace {

using Kind = Step::Kind;

constexpr std::array kAccessNames = {"volatile", "relaxed", "release and acquire", "atomic"};
constexpr std::array kMeetingNames = {"none",         "block barrier", "named barrier",
                                      "warp barrier", "shuffle",       "mbarrier"};
constexpr std::array kPlacementNames = {"one warp", "several warps", "blocks"};

/// The instructions that read and set a flag at address %d1.
struct FlagAccess {
  std::string read;  // {} is the destination
  std::string set;   // {} is the value
};

FlagAccess access_of(const Handshake& h) {
  const std::string space = h.by_calls ? "" : h.shared ? ".shared" : ".global";
  const std::string scope = h.placement == Placement::blocks ? "gpu" : "cta";
  switch (h.access) {
    case Access::volatile_:
      return {fmt::format("ld.volatile{}.u32 {{}}, [%d1];", space),
              fmt::format("st.volatile{}.u32 [%d1], {{}};", space)};
    case Access::relaxed:
      return {fmt::format("ld.relaxed.{}{}.u32 {{}}, [%d1];", scope, space),
              fmt::format("st.relaxed.{}{}.u32 [%d1], {{}};", scope, space)};
    case Access::release_acquire:
      return {fmt::format("ld.acquire.{}{}.u32 {{}}, [%d1];", scope, space),
              fmt::format("st.release.{}{}.u32 [%d1], {{}};", scope, space)};
    case Access::atomic:
      break;
  }
  return {fmt::format("atom{}.add.u32 {{}}, [%d1], 0;", space),
          fmt::format("atom{}.exch.b32 %r9, [%d1], {{}};", space)};
}

std::string filled(const std::string& pattern, const char* reg) {
  return fmt::format(fmt::runtime(pattern), reg);
}

/// The address of a role's flag, in %d1.
std::string address_of(const Handshake& h, unsigned role) {
  if (!h.shared) return fmt::format("  add.u64 %d1, %out, {};\n", 4 * role);
  const std::string text =
      fmt::format("  mov.u64 %d1, flags;\n  add.u64 %d1, %d1, {};\n", 4 * role);
  return h.by_calls ? text + "  cvta.shared.u64 %d1, %d1;\n" : text;
}

/// The value of a step, in %r1. %r2 is the round.
std::string value_of(const Handshake& h, const Step& step) {
  return fmt::format("  mad.lo.u32 %r1, %r2, {}, {};\n", h.stride, step.value);
}

std::string step_text(const Handshake& h, const Step& step, const std::string& label) {
  const FlagAccess access = access_of(h);
  std::string text = address_of(h, step.role) + value_of(h, step);
  if (step.kind == Kind::set) {
    text += h.by_calls ? "  call set_flag, (%d1, %r1);\n" : "  " + filled(access.set, "%r1") + "\n";
    return text;
  }
  text += label + ":\n";
  if (h.counts) text += "  add.u32 %r8, %r8, 1;\n";
  text +=
      h.by_calls ? "  call (%r3), read_flag, (%d1);\n" : "  " + filled(access.read, "%r3") + "\n";
  return text + fmt::format("  setp.lt.u32 %p1, %r3, %r1;\n  @%p1 bra {};\n", label);
}

std::string functions_of(const Handshake& h) {
  if (!h.by_calls) return "";
  const FlagAccess access = access_of(h);
  return fmt::format(
      ".func (.reg .b32 %r3) read_flag(.reg .b64 %d1)\n{{\n  {}\n  ret;\n}}\n"
      ".func set_flag(.reg .b64 %d1, .reg .b32 %r1)\n{{\n  .reg .b32 %r9;\n  {}\n  ret;\n}}\n",
      filled(access.read, "%r3"), filled(access.set, "%r1"));
}

/// Executed by all threads in the end.
std::string meeting_text(const Handshake& h) {
  switch (h.meeting) {
    case Meeting::none:
      return "";
    case Meeting::block_barrier:
      return "  bar.sync 0;\n";
    case Meeting::named_barrier:
      return fmt::format("  barrier.sync 3, {};\n", h.block);
    case Meeting::warp_barrier:
      return "  bar.warp.sync 0xffffffff;\n";
    case Meeting::shuffle:
      return "  shfl.sync.idx.b32 %r4, %me, 0, 31, 0xffffffff;\n";
    case Meeting::mbarrier:
      break;
  }
  return "  mbarrier.arrive.shared.b64 %d3, [object];\nMEET:\n"
         "  mbarrier.test_wait.shared.b64 %p2, [object], %d3;\n  @!%p2 bra MEET;\n";
}

std::string role_text(const Handshake& h, unsigned role) {
  std::string text = fmt::format("ROLE{}:\n  mov.u32 %r2, 0;\n  mov.u32 %r8, 0;\n", role);
  text += fmt::format("ROUND{}:\n", role);
  for (std::size_t i = 0; i < h.roles[role].size(); ++i) {
    text += step_text(h, h.roles[role][i], fmt::format("WAIT{}_{}", role, i));
  }
  return text + fmt::format(
                    "  add.u32 %r2, %r2, 1;\n  setp.lt.u32 %p1, %r2, {};\n  @%p1 bra ROUND{};\n"
                    "  bra.uni END;\n",
                    h.rounds, role);
}

/// Thread 0 initialises shared memory; the others come to it after a barrier.
std::string preparation_of(const Handshake& h) {
  if (!h.shared && h.meeting != Meeting::mbarrier) return "";
  std::string text = "  setp.ne.u32 %p1, %me, 0;\n  @%p1 bra READY;\n";
  for (std::size_t i = 0; h.shared && i < h.roles.size(); ++i) {
    text += fmt::format("  st.shared.u32 [flags+{}], 0;\n", 4 * i);
  }
  if (h.meeting == Meeting::mbarrier) {
    text += fmt::format("  mbarrier.init.shared.b64 [object], {};\n", h.block);
  }
  return text + "READY:\n  bar.sync 0;\n";
}

}  // namespace

unsigned Handshake::blocks() const {
  return placement == Placement::blocks ? static_cast<unsigned>(roles.size()) : 1;
}

std::string Handshake::ptx() const {
  std::string text = fmt::format(
      ".version 9.0\n.target sm_90\n.address_size 64\n.shared .align 4 .b8 flags[{}];\n"
      ".shared .align 8 .b64 object;\n{}"
      ".visible .entry f(.param .u64 in_parameter, .param .u64 out_parameter)\n{{\n"
      "  .reg .b32 %r<32>;\n  .reg .b64 %d<32>;\n  .reg .pred %p<16>;\n  .reg .b64 %out;\n"
      "  .reg .b32 %me, %block;\n  ld.param.u64 %out, [out_parameter];\n"
      "  mov.u32 %me, %tid.x;\n  mov.u32 %block, %ctaid.x;\n",
      4 * kMostRoles, functions_of(*this));
  text += preparation_of(*this);
  for (unsigned role = 0; role < roles.size(); ++role) {
    text += fmt::format("  setp.eq.u32 %p1, %me, {};\n", threads[role]);
    if (placement == Placement::blocks) {
      text += fmt::format("  setp.eq.and.u32 %p1, %block, {}, %p1;\n", role);
    }
    text += fmt::format("  @%p1 bra ROLE{};\n", role);
  }
  text += "  bra.uni END;\n";
  for (unsigned role = 0; role < roles.size(); ++role) text += role_text(*this, role);
  return text + "END:\n" + meeting_text(*this) +
         fmt::format(
             "  mad.lo.u32 %r5, %block, {}, %me;\n  mad.wide.u32 %d5, %r5, 4, %out;\n"
             "  st.global.u32 [%d5+{}], 1;\n  ret;\n}}\n",
             block, 4 * kEnded);
}

std::string Handshake::describe() const {
  return fmt::format("{} roles in {}, {} flags in {} memory, meeting {}{}{}, {} rounds",
                     roles.size(), kPlacementNames[static_cast<unsigned>(placement)],
                     kAccessNames[static_cast<unsigned>(access)], shared ? "shared" : "global",
                     kMeetingNames[static_cast<unsigned>(meeting)], by_calls ? ", by calls" : "",
                     counts ? ", counting" : "", rounds);
}

End end_of(const Handshake& handshake) {
  const std::size_t roles = handshake.roles.size();
  End end;
  end.flags.assign(roles, 0);
  std::vector<std::size_t> at(roles);  // steps done, in all rounds
  const auto wait_at = [&](std::size_t role) {
    const std::vector<Step>& steps = handshake.roles[role];
    Step step = steps[at[role] % steps.size()];
    step.value += static_cast<std::uint32_t>(at[role] / steps.size()) * handshake.stride;
    return step;
  };
  const auto ended = [&](std::size_t role) {
    return at[role] == handshake.roles[role].size() * handshake.rounds;
  };
  for (bool progress = true; progress;) {
    progress = false;
    for (std::size_t role = 0; role < roles; ++role) {
      if (ended(role)) continue;
      const Step step = wait_at(role);
      if (step.kind == Kind::wait && end.flags[step.role] < step.value) continue;
      if (step.kind == Kind::set) end.flags[step.role] = step.value;
      ++at[role];
      progress = true;
    }
  }
  for (unsigned role = 0; role < roles; ++role) {
    if (!ended(role)) end.stuck.push_back({role, wait_at(role)});
  }
  return end;
}

namespace {

class Choices {
 public:
  explicit Choices(std::uint64_t seed) : schedule_(seed + 1, 0) {}

  unsigned below(unsigned limit) { return static_cast<unsigned>(schedule_.below(limit)); }
  bool one_in(unsigned n) { return below(n) == 0; }

 private:
  Schedule schedule_;
};

/// The roles set their flags one after another, as a fixed order has them, and some wait for a flag
/// that is set earlier in it.
std::vector<std::vector<Step>> steps_in_order(Choices& choices, unsigned roles) {
  std::vector<std::vector<Step>> steps(roles);
  std::vector<std::uint32_t> flags(roles);
  const unsigned events = roles + choices.below(3 * roles);
  for (unsigned i = 0; i < events; ++i) {
    const unsigned role = i < roles ? i : choices.below(roles);
    const unsigned other = choices.below(roles);
    if (other != role && flags[other] != 0) {
      steps[role].push_back({Kind::wait, other, flags[other]});
    }
    steps[role].push_back({Kind::set, role, ++flags[role]});
  }
  return steps;
}

/// In each round, each role waits for the one before it; the first one waits for the last one's
/// flag of the round before.
std::vector<std::vector<Step>> steps_in_a_ring(unsigned roles) {
  std::vector<std::vector<Step>> steps(roles);
  for (unsigned role = 0; role < roles; ++role) {
    const unsigned before = (role + roles - 1) % roles;
    steps[role] = {{Kind::wait, before, role == 0 ? 0U : 1U}, {Kind::set, role, 1}};
  }
  return steps;
}

std::vector<unsigned> threads_of_roles(Choices& choices, const Handshake& h) {
  std::vector<unsigned> threads(h.block);
  std::iota(threads.begin(), threads.end(), 0U);
  for (unsigned i = h.block; i > 1; --i) std::swap(threads[i - 1], threads[choices.below(i)]);
  threads.resize(h.roles.size());
  if (choices.one_in(2)) std::sort(threads.begin(), threads.end());
  return threads;
}

bool allows(const Handshake& h, Meeting meeting) {
  const bool within_warp = meeting == Meeting::warp_barrier || meeting == Meeting::shuffle;
  return !within_warp || h.placement != Placement::several_warps;
}

Handshake random_conditions(Choices& choices, unsigned roles) {
  Handshake h;
  h.placement = static_cast<Placement>(choices.below(4) % 3);  // one warp twice as often
  h.access = static_cast<Access>(choices.below(4));
  do {
    h.meeting = static_cast<Meeting>(choices.below(6));
  } while (!allows(h, h.meeting));
  h.shared = h.placement != Placement::blocks && choices.one_in(2);
  h.by_calls = choices.one_in(4);
  h.block = h.placement == Placement::several_warps ? 64 + 32 * choices.below(3) : 32;
  h.roles.resize(roles);
  h.threads = threads_of_roles(choices, h);
  return h;
}

}  // namespace

Handshake correct_handshake(std::uint64_t seed) {
  Choices choices(seed);
  const unsigned roles = 2 + choices.below(kMostRoles - 1);
  Handshake h = random_conditions(choices, roles);
  h.counts = choices.one_in(4);
  if (choices.one_in(3)) {
    h.roles = steps_in_a_ring(roles);
    h.rounds = 1 + choices.below(30);
    h.stride = 1;
  } else {
    h.roles = steps_in_order(choices, roles);
    h.rounds = 1 + choices.below(3);
    for (const auto& steps : h.roles) {
      for (const Step& step : steps) h.stride = std::max(h.stride, step.value);
    }
  }
  return h;
}

Handshake deadlocking_handshake(std::uint64_t seed) {
  Choices choices(seed);
  Handshake h = correct_handshake(seed);
  h.counts = false;
  const auto roles = static_cast<unsigned>(h.roles.size());
  if (choices.one_in(2)) {
    for (unsigned role = 0; role < roles; ++role) {
      h.roles[role].insert(h.roles[role].begin(), {Kind::wait, (role + 1) % roles, 1});
    }
    return h;
  }
  // One role also waits for a value that another one never sets.
  const unsigned role = choices.below(roles);
  const unsigned other = (role + 1 + choices.below(roles - 1)) % roles;
  const auto at = choices.below(static_cast<unsigned>(h.roles[role].size()) + 1);
  h.roles[role].insert(h.roles[role].begin() + at, {Kind::wait, other, 1000});
  return h;
}

}  // namespace warpcheck::machine::test
