#include "tests/device/virtual/litmus/suite.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpcheck::litmus {
namespace {

/// The i-th of `choices` takes the place of "{i}" in the threads.
struct Family {
  std::string name;
  std::vector<std::string> threads;
  std::vector<std::vector<std::string>> choices;
};

using Choices = std::vector<std::string>;

const Choices kPublish = {"st y 1",
                          "st.volatile y 1",
                          "st.relaxed.cta y 1",
                          "st.relaxed.gpu y 1",
                          "st.release.cta y 1",
                          "st.release.gpu y 1",
                          "st.release.sys y 1",
                          "fence.acq_rel.cta; st.volatile y 1",
                          "fence.acq_rel.gpu; st.relaxed.cta y 1",
                          "fence.acq_rel.gpu; st.volatile y 1",
                          "fence.sc.gpu; st y 1",
                          "fence.sc.cta; st.relaxed.gpu y 1",
                          "atom.relaxed.gpu.exch r3 y 1",
                          "atom.release.gpu.add r3 y 1",
                          "fence.acq_rel.gpu; red.relaxed.gpu.add y 1",
                          "red.release.cta.add y 1",
                          "st.release.gpu y 2; st.relaxed.gpu y 1"};
const Choices kObserve = {"ld r0 y",
                          "ld.volatile r0 y",
                          "ld.relaxed.cta r0 y",
                          "ld.relaxed.gpu r0 y",
                          "ld.acquire.cta r0 y",
                          "ld.acquire.gpu r0 y",
                          "ld.acquire.sys r0 y",
                          "ld.volatile r0 y; fence.acq_rel.cta",
                          "ld.relaxed.cta r0 y; fence.acq_rel.gpu",
                          "ld.volatile r0 y; fence.acq_rel.gpu",
                          "ld r0 y; fence.sc.gpu",
                          "ld.relaxed.gpu r0 y; fence.sc.cta",
                          "atom.relaxed.gpu.add r0 y 0",
                          "atom.acquire.gpu.add r0 y 0",
                          "atom.relaxed.gpu.exch r0 y 5; fence.acq_rel.gpu",
                          "ld.relaxed.gpu r0 y; ld.acquire.gpu r4 y"};
const Choices kFences = {"fence.acq_rel.cta", "fence.acq_rel.gpu", "fence.sc.cta", "fence.sc.gpu",
                         "fence.sc.sys"};

/// Two strong writes and two strong reads, for families that are about order rather than strength.
const Choices kStores = {"st {} {}", "st.relaxed.cta {} {}", "st.relaxed.gpu {} {}",
                         "st.release.gpu {} {}"};

Choices fill(const Choices& patterns, const std::string& first, const std::string& second) {
  Choices filled;
  for (const std::string& pattern : patterns) {
    filled.push_back(fmt::format(fmt::runtime(pattern), first, second));
  }
  return filled;
}

Choices stores(const std::string& location, int value) {
  return fill(kStores, location, std::to_string(value));
}

Choices loads(const std::string& reg, const std::string& location) {
  return fill({"ld {} {}", "ld.relaxed.cta {} {}", "ld.relaxed.gpu {} {}", "ld.acquire.gpu {} {}"},
              reg, location);
}

std::vector<Family> families() {
  return {
      // Message passing: the reader reads the message only if it observed the flag, or always.
      {"MP", {"st x 1; {0}", "{1}; ld r1 x if r0=1"}, {kPublish, kObserve}},
      {"MP-late", {"ld r1 x; {0}", "{1}; st x 1 if r0=1"}, {kPublish, kObserve}},
      {"MP-always",
       {"st x 1; {0}", "{1}; ld r1 x"},
       {{"st.release.gpu y 1"}, {"ld r0 y", "ld.acquire.gpu r0 y"}}},
      // A release or an acquire of another word orders nothing here; a fence does.
      {"MP-elsewhere",
       {"st x 1; {0}", "{1}; ld r1 x if r0=1"},
       {{"st.release.gpu y 1", "st.release.gpu z 1; st.relaxed.gpu y 1",
         "red.release.gpu.add z 1; red.relaxed.gpu.add y 1"},
        {"ld.acquire.gpu r0 y", "ld.relaxed.gpu r0 y; ld.acquire.gpu r4 z",
         "ld.relaxed.gpu r0 y; st.release.gpu z 2", "atom.release.gpu.add r0 y 0",
         "ld.relaxed.gpu r0 y; fence.acq_rel.gpu"}}},
      {"MP-relaxed", {"st.relaxed.gpu x 1; {0}", "{1}; ld.relaxed.gpu r1 x"}, {kPublish, kObserve}},
      {"SB",
       {"{0}; ld.relaxed.gpu r0 y", "{1}; ld.relaxed.gpu r1 x"},
       {stores("x", 1), stores("y", 1)}},
      {"SB-fences",
       {"st.relaxed.gpu x 1; {0}; ld.relaxed.gpu r0 y",
        "st.relaxed.gpu y 1; {1}; ld.relaxed.gpu r1 x"},
       {kFences, kFences}},
      {"SB-atomics",
       {"atom.{0}.exch r2 x 1; ld.relaxed.gpu r0 y", "atom.{0}.exch r3 y 1; ld.relaxed.gpu r1 x"},
       {{"relaxed.gpu", "acq_rel.gpu", "acq_rel.cta"}}},
      {"LB",
       {"{0}; st.relaxed.gpu x 1", "{1}; st.relaxed.gpu y 1"},
       {loads("r0", "y"), loads("r1", "x")}},
      {"LB-data",
       {"{0}; st.relaxed.gpu x r0", "{1}; st.relaxed.gpu y r1"},
       {loads("r0", "y"), loads("r1", "x")}},
      {"LB-control",
       {"{0}; st.relaxed.gpu x 1 if r0=1", "{1}; st.relaxed.gpu y 1"},
       {loads("r0", "y"), loads("r1", "x")}},
      {"IRIW",
       {"st.relaxed.gpu x 1", "st.relaxed.gpu y 1", "{0}; ld.relaxed.gpu r1 y",
        "{1}; ld.relaxed.gpu r3 x"},
       {{"ld.relaxed.gpu r0 x", "ld.acquire.gpu r0 x", "ld.relaxed.gpu r0 x; fence.sc.gpu",
         "ld.relaxed.gpu r0 x; fence.sc.cta"},
        {"ld.acquire.gpu r2 y", "ld.relaxed.gpu r2 y; fence.sc.gpu"}}},
      {"WRC",
       {"{0}", "{1}; st.release.gpu y 1 if r0=1", "ld.acquire.gpu r1 y; ld r2 x if r1=1"},
       {{"st x 1", "st.relaxed.gpu x 1", "st.relaxed.cta x 1"},
        {"ld.relaxed.gpu r0 x", "ld.relaxed.cta r0 x", "ld.acquire.gpu r0 x"}}},
      {"WRC-message",
       {"st z 1; st.release.{0} x 1", "ld.acquire.{0} r0 x; st.release.{1} y 1 if r0=1",
        "ld.acquire.{1} r1 y; ld r2 z if r1=1"},
       {{"cta", "gpu"}, {"cta", "gpu"}}},
      {"ISA2",
       {"st x 1; {0}", "ld.acquire.gpu r3 y; st.release.gpu z 1 if r3=1", "{1}; ld r1 x if r0=1"},
       {{"st.release.gpu y 1", "st.release.cta y 1", "st.relaxed.gpu y 1"},
        {"ld.acquire.gpu r0 z", "ld.acquire.cta r0 z", "ld.relaxed.gpu r0 z",
         "ld.relaxed.gpu r0 z; fence.acq_rel.gpu"}}},
      {"CoRR", {"{0}", "{1}; {2}"}, {stores("x", 1), loads("r0", "x"), loads("r1", "x")}},
      {"CoWW",
       {"{0}; {1}", "ld.relaxed.gpu r0 x; ld.relaxed.gpu r1 x"},
       {stores("x", 1), stores("x", 2)}},
      {"CoRW", {"{0}; {1}", "{2}"}, {loads("r0", "x"), stores("x", 1), stores("x", 2)}},
      {"CoWR", {"{0}; {1}", "{2}"}, {stores("x", 1), loads("r0", "x"), stores("x", 2)}},
      {"Atomicity",
       {"atom.{0}.add r0 x 1", "atom.{1}.add r1 x 1", "ld.relaxed.gpu r2 x"},
       {{"relaxed.gpu", "relaxed.cta", "acq_rel.sys"}, {"relaxed.gpu", "relaxed.cta"}}},
      {"Atomic-and-store",
       {"atom.{0}.add r0 x 2", "{1}; ld.relaxed.gpu r1 x"},
       {{"relaxed.gpu", "relaxed.cta"}, stores("x", 1)}},
      // The last thread to add reads what the others wrote: the pattern of the CUDA guide.
      {"Last",
       {"st x 1; {0}; ld r2 y if r0=1", "st y 1; {1}; ld r3 x if r1=1"},
       {{"atom.relaxed.gpu.add r0 z 1", "atom.acq_rel.gpu.add r0 z 1",
         "fence.acq_rel.gpu; atom.relaxed.gpu.add r0 z 1",
         "fence.acq_rel.gpu; atom.relaxed.gpu.add r0 z 1; fence.acq_rel.gpu"},
        {"atom.acq_rel.gpu.add r1 z 1", "fence.acq_rel.gpu; atom.relaxed.gpu.add r1 z 1",
         "atom.acq_rel.cta.add r1 z 1"}}},
      // A reset of a ticket that another thread's atomic updated (PTX ISA 8.9.5, rule 2).
      {"Reset",
       {"{0}", "{1}; st x 0 if r1=1"},
       {{"atom.relaxed.gpu.add r0 x 1", "red.relaxed.gpu.add x 1", "atom.relaxed.cta.add r0 x 1",
         "st.relaxed.gpu x 1"},
        {"atom.relaxed.gpu.add r1 x 1", "ld.relaxed.gpu r1 x", "atom.relaxed.cta.add r1 x 1"}}},
      {"Release-sequence",
       {"st x 1; st.release.gpu y 1", "atom.relaxed.{0}.add r2 y 1",
        "ld.acquire.gpu r0 y; ld r1 x if r0=2"},
       {{"cta", "gpu"}}},
      {"Barrier",
       {"{0}; bar; {1}", "bar; ld r1 x"},
       {{"st x 1", "st.relaxed.cta x 1"}, {"ld r0 x", "st y 1"}}},
      {"Barrier-early", {"bar; st x 1", "ld r0 x; bar; {0}"}, {{"ld r1 y", "ld r1 x"}}},
      {"Barrier-and-flag",
       {"st x 1; bar", "bar; {0}", "{1}; ld r1 x if r0=1"},
       {{"st.release.gpu y 1", "fence.acq_rel.gpu; st.relaxed.gpu y 1", "st.relaxed.gpu y 1"},
        {"ld.acquire.gpu r0 y", "ld.relaxed.gpu r0 y"}}},
  };
}

std::string replaced(std::string text, std::size_t number, const std::string& by) {
  const std::string place = fmt::format("{{{}}}", number);
  for (std::size_t at = text.find(place); at != std::string::npos; at = text.find(place)) {
    text.replace(at, place.size(), by);
  }
  return text;
}

/// False if threads of a block wait at different numbers of barriers, or lanes of one warp at any.
bool fits(const Program& program, const Placement& placement) {
  for (std::size_t a = 0; a < placement.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (placement[a].block != placement[b].block) continue;
      const std::ptrdiff_t barriers = barriers_of(program.threads[a]);
      if (barriers != barriers_of(program.threads[b])) return false;
      if (barriers != 0 && placement[a].warp == placement[b].warp) return false;
    }
  }
  return true;
}

/// All in one block, all in blocks of their own, pairs of threads in one block, and lanes of one
/// warp.
std::vector<Placement> placements_of(const Program& program) {
  Placement warps;
  Placement blocks;
  Placement pairs;
  Placement lanes;
  for (unsigned thread = 0; thread < program.threads.size(); ++thread) {
    warps.push_back({0, thread, 0});
    blocks.push_back({thread, 0, 0});
    pairs.push_back({thread / 2, thread % 2, 0});
    lanes.push_back({0, 0, thread});
  }
  std::vector<Placement> placements = {warps, blocks, lanes};
  if (program.threads.size() > 2) placements.push_back(pairs);
  std::erase_if(placements, [&](const Placement& one) { return !fits(program, one); });
  return placements;
}

void add_programs(const Family& family, const std::vector<std::string>& threads,
                  const std::string& name, std::size_t next, std::vector<PlacedProgram>& all) {
  if (next == family.choices.size()) {
    const Program program = parse(name, threads);
    for (const Placement& placement : placements_of(program))
      all.push_back({family.name, program, placement});
    return;
  }
  for (const std::string& choice : family.choices[next]) {
    std::vector<std::string> filled;
    for (const std::string& thread : threads) filled.push_back(replaced(thread, next, choice));
    add_programs(family, filled, fmt::format("{} [{}]", name, choice), next + 1, all);
  }
}

}  // namespace

std::vector<PlacedProgram> all_programs() {
  std::vector<PlacedProgram> all;
  for (const Family& family : families()) add_programs(family, family.threads, family.name, 0, all);
  return all;
}

}  // namespace warpcheck::litmus
