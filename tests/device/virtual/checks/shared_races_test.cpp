// Detection of races: idioms of CUDA kernels, each in a correct version and in one with one defect.
// A kernel is correct if `ordered`, which this test defines: it compiles each file both ways.
// The defective version has races between the marked lines and no other finding; the correct
// version has no finding, in any order of the warps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <numeric>
#include <ostream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/files.hpp"
#include "contract/compile/compile_cache.hpp"
#include "contract/compile/nvcc.hpp"
#include "device/virtual/virtual_device.hpp"
#include "report/finding/message.hpp"

namespace warpcheck::checks {
namespace {

constexpr const char* kFolder = WARPCHECK_SOURCE_DIR "/tests/device/virtual/checks/races/";
constexpr std::size_t kElements = 1024;  // elements of the input, and as many of the output
constexpr std::uint64_t kSeeds = 10;

struct Idiom {
  std::string file;
  std::string kernel;
  Dim3 block{128, 1, 1};
  unsigned blocks = 1;
  std::size_t shared_bytes = 0;
  bool benign = false;  // where ordered, two threads still write the same value
  std::string architecture = "sm_80";
  std::size_t shift_bytes = 0;  // distance of the output from a 256-byte boundary
};

std::ostream& operator<<(std::ostream& stream, const Idiom& idiom) {
  return stream << idiom.file << ".cu: " << idiom.kernel;
}

const std::vector<Idiom> idioms = {
    {"block_barriers", "write_then_read"},
    {"block_barriers", "barrier_on_the_right_side"},
    {"block_barriers", "fence_is_no_barrier"},
    {"block_barriers", "read_then_overwrite_in_loop"},
    {"block_barriers", "double_buffer"},
    {"block_barriers", "barrier_in_every_iteration"},
    {"block_barriers", "uniform_trip_count"},
    {"block_barriers", "reduction_tree"},
    {"block_barriers", "scan"},
    {"block_barriers", "transpose_tile", {16, 16, 1}},
    {"block_barriers", "stencil_with_halo"},
    {"block_barriers", "several_epochs"},
    {"block_barriers", "reuse_for_write_back", {128, 1, 1}, 1, 512},
    {"block_barriers", "barrier_with_vote"},
    {"block_barriers", "block_of_one_warp", {32, 1, 1}},
    {"block_barriers", "block_of_48_threads", {48, 1, 1}},
    {"block_barriers", "broadcast"},
    {"block_barriers", "overwrite_after_broadcast"},
    {"block_barriers", "barrier_in_function"},
    {"block_barriers", "warps_that_left"},
    {"block_barriers", "largest_block", {1024, 1, 1}},
    {"block_barriers", "generic_addresses"},
    {"warp_barriers", "exchange_in_warp", {64, 1, 1}},
    {"warp_barriers", "exchange_in_half_warp", {64, 1, 1}},
    {"warp_barriers", "exchange_across_half_warps", {64, 1, 1}},
    {"warp_barriers", "warp_barrier_across_warps", {64, 1, 1}},
    {"warp_barriers", "divergent_branches", {32, 1, 1}},
    {"warp_barriers", "warp_reduction", {32, 1, 1}},
    {"warp_barriers", "shuffle_is_no_barrier", {32, 1, 1}},
    {"warp_barriers", "vote_is_no_barrier", {32, 1, 1}},
    {"warp_barriers", "refill_after_read", {32, 1, 1}},
    {"named_barriers", "half_with_its_own_barrier"},
    {"named_barriers", "barrier_of_the_other_half"},
    {"named_barriers", "halves_are_not_ordered"},
    {"named_barriers", "producer_announces_full"},
    {"named_barriers", "consumer_announces_empty"},
    {"named_barriers", "arriving_is_not_waiting"},
    {"named_barriers", "named_then_whole_block"},
    {"named_barriers", "order_is_transitive", {96, 1, 1}},
    {"flags", "flag_with_fences", {64, 1, 1}},
    {"flags", "flag_without_fence_of_consumer", {64, 1, 1}},
    {"flags", "fence_before_flag", {64, 1, 1}},
    {"flags", "flag_by_atomics", {64, 1, 1}},
    {"flags", "last_to_arrive"},
    {"flags", "lock"},
    {"flags", "second_message", {64, 1, 1}},
    {"flags", "fence_of_one_lane", {64, 1, 1}},
    {"flags", "flag_in_global_memory", {64, 1, 1}},
    {"flags", "release_and_acquire", {64, 1, 1}},
    {"atomics", "histogram"},
    {"atomics", "plain_read_of_atomic"},
    {"atomics", "look_at_counter", {64, 1, 1}},
    {"atomics", "compaction"},
    {"atomics", "updates_of_others"},
    {"atomics", "plain_beside_volatile", {64, 1, 1}},
    {"atomics", "volatile_over_plain", {64, 1, 1}},
    {"atomics", "counter_set_without_barrier"},
    {"atomics", "last_thread_resets"},
    {"atomics", "last_thread_reads"},
    {"async_copies", "barrier_after_wait"},
    {"async_copies", "wait_before_barrier"},
    {"async_copies", "wait_for_own_copy"},
    {"async_copies", "wait_for_enough_groups"},
    {"async_copies", "commit_before_wait"},
    {"async_copies", "wait_for_all"},
    {"async_copies", "overwritten_in_flight"},
    {"async_copies", "two_copies_to_one_place"},
    {"async_copies", "refill_after_barrier"},
    {"async_copies", "two_buffers"},
    {"async_copies", "four_stages"},
    {"async_copies", "copy_within_warp", {32, 1, 1}},
    {"async_copies", "words_of_a_wide_copy"},
    {"async_copies", "wait_in_function"},
    {"pipelines", "thread_pipeline"},
    {"pipelines", "thread_pipeline_waits"},
    {"pipelines", "block_pipeline"},
    {"pipelines", "release_after_use"},
    {"pipelines", "warps_with_roles"},
    {"pipelines", "group_copies"},
    {"pipelines", "tile_copies"},
    {"mbarriers", "arrive_and_wait"},
    {"mbarriers", "work_between_arrive_and_wait"},
    {"mbarriers", "use_after_init"},
    {"mbarriers", "producer_and_consumer", {64, 1, 1}},
    {"mbarriers", "parity_of_the_phase", {64, 1, 1}},
    {"mbarriers", "test_until_true", {64, 1, 1}},
    {"mbarriers", "copies_arrive", {64, 1, 1}},
    {"mbarriers", "every_reader_waits"},
    {"mbarriers", "barrier_after_one_wait"},
    {"mbarriers", "memcpy_async_with_barrier"},
    {"mbarriers", "block_copies_with_barrier"},
    {"mbarriers", "arrive_and_drop"},
    {"neighbours", "bytes_of_a_word"},
    {"neighbours", "byte_in_a_word"},
    {"neighbours", "halves_of_a_word"},
    {"neighbours", "words_of_a_vector"},
    {"neighbours", "vector_over_words"},
    {"neighbours", "same_value_by_all", {128, 1, 1}, 1, 0, true},
    {"neighbours", "same_value_within_warp", {128, 1, 1}, 1, 0, true},
    {"neighbours", "reads_alone"},
    {"neighbours", "own_word"},
    {"neighbours", "several_blocks", {64, 1, 1}, 4},
    {"global_memory", "exchange_through_global"},
    {"global_memory", "stencil_in_place"},
    {"global_memory", "reduction_in_global"},
    {"global_memory", "element_of_two_threads"},
    {"global_memory", "byte_of_two_threads"},
    {"global_memory", "module_variable"},
    {"global_memory", "half_warps_through_global"},
    {"global_memory", "own_element"},
    {"global_memory", "pairs_from_a_shifted_base", {128, 1, 1}, 1, 0, false, "sm_80", 2},
    {"between_blocks", "blocks_write_apart", {64, 1, 1}, 3},
    {"between_blocks", "last_block_adds_up", {64, 1, 1}, 5},
    {"between_blocks", "message_to_next_block", {32, 1, 1}, 2},
    {"between_blocks", "fence_of_the_device", {32, 1, 1}, 2},
    {"between_blocks", "release_to_the_device", {32, 1, 1}, 2},
    {"between_blocks", "barrier_of_the_grid", {64, 1, 1}, 4},
    {"between_blocks", "lock_of_the_grid", {32, 1, 1}, 6},
    {"between_blocks", "fence_barrier_flag", {128, 1, 1}, 2},
    {"between_blocks", "warp_barrier_passes_on", {128, 1, 1}, 2},
    {"between_blocks", "chain_of_blocks", {32, 1, 1}, 3},
    {"between_blocks", "histogram_of_the_grid", {64, 1, 1}, 3},
    {"between_blocks", "atomics_of_the_device", {32, 1, 1}, 4},
    {"between_blocks", "plain_read_of_a_count", {32, 1, 1}, 4},
    {"between_blocks", "counter_reset_by_last_block", {64, 1, 1}, 4},
    {"groups", "sync_of_the_block"},
    {"groups", "sync_of_a_tile"},
    {"groups", "partner_in_the_same_tile"},
    {"groups", "sync_of_the_lanes_that_came"},
    {"groups", "exchange_within_a_tile"},
    {"groups", "sync_of_the_grid", {64, 1, 1}, 4},
};

/// The headers of pipelines and barriers hold other instructions from compute capability 9.0 on.
std::vector<Idiom> on_all_architectures() {
  std::vector<Idiom> all = idioms;
  for (Idiom idiom : idioms) {
    idiom.architecture = "sm_90";
    if (idiom.file == "pipelines" || idiom.file == "mbarriers") all.push_back(idiom);
  }
  return all;
}

std::string source_of(const Idiom& idiom) { return read_input(kFolder + idiom.file + ".cu"); }

/// Lines, from 1, within the idiom's kernel that carry the mark.
std::set<unsigned> marked_lines(const Idiom& idiom) {
  std::set<unsigned> lines;
  std::istringstream source(source_of(idiom));
  bool inside = false;
  unsigned number = 0;
  for (std::string line; std::getline(source, line);) {
    ++number;
    if (line.find("__global__ void " + idiom.kernel + "(") != std::string::npos) inside = true;
    if (inside && line.find("// races") != std::string::npos) lines.insert(number);
    if (line == "}") inside = false;
  }
  return lines;
}

device::Buffer buffer(const std::string& name, device::Access access) {
  device::Buffer buffer;
  buffer.name = name;
  buffer.extent = {1, kElements * sizeof(int), kElements * sizeof(int)};
  buffer.element_bytes = sizeof(int);
  buffer.access = access;
  buffer.bytes.resize(buffer.extent.bytes());
  return buffer;
}

/// Element i of the input is i.
device::Job job_of(const Idiom& idiom) {
  device::Job job;
  job.buffers = {buffer("in", device::Access::read_only),
                 buffer("out", device::Access::read_write)};
  job.buffers[1].shift_bytes = idiom.shift_bytes;
  std::vector<int> values(kElements);
  std::iota(values.begin(), values.end(), 0);
  std::memcpy(job.buffers[0].bytes.data(), values.data(), job.buffers[0].bytes.size());
  device::Launch launch;
  launch.entry = idiom.kernel;
  launch.grid = {idiom.blocks, 1, 1};
  launch.block = idiom.block;
  launch.shared_bytes = idiom.shared_bytes;
  launch.arguments = {device::BufferAddress{0, 0}, device::BufferAddress{1, 0}};
  job.launches = {launch};
  return job;
}

/// The module of all idioms of one file, compiled once by this process.
struct LoadedFile {
  std::unique_ptr<device::Device> device;
  std::shared_ptr<const device::Program> program;
};
const LoadedFile& loaded(const Idiom& idiom, bool ordered) {
  static std::map<std::tuple<std::string, std::string, bool>, LoadedFile> files;
  LoadedFile& file = files[{idiom.file, idiom.architecture, ordered}];
  if (file.program) return file;
  // On the first line of the text, so that lines keep their numbers.
  const std::string definition =
      std::string("constexpr bool ordered = ") + (ordered ? "true; " : "false; ");
  const contract::CompileCache cache(WARPCHECK_BINARY_DIR "/compiled_races");
  const contract::Compilation compiled =
      cache.compile(definition + source_of(idiom), idiom.architecture);
  if (!compiled.succeeded) throw std::runtime_error(compiled.output);
  file.device = device::make_virtual_device();
  file.program = file.device->load(compiled.ptx, idiom.file + ".ptx");
  return file;
}

class SharedRaces : public testing::TestWithParam<Idiom> {
 protected:
  void SetUp() override {
    try {
      (void)contract::find_nvcc();
    } catch (const EnvironmentError& error) {
      GTEST_SKIP() << error.what();
    }
  }

  /// The findings for each of several orders of the warps.
  static std::vector<std::vector<Finding>> findings(bool ordered) {
    const Idiom& idiom = GetParam();
    const LoadedFile& file = loaded(idiom, ordered);
    device::Job job = job_of(idiom);
    std::vector<std::vector<Finding>> all;
    for (job.schedule_seed = 0; job.schedule_seed < kSeeds; ++job.schedule_seed) {
      all.push_back(file.device->run(*file.program, job).findings);
      // Flags are volatile.
      std::erase_if(all.back(),
                    [](const Finding& finding) { return finding.grade == Grade::volatile_order; });
    }
    return all;
  }
};

TEST_P(SharedRaces, AreNotReportedForOrderedAccesses) {
  std::uint64_t seed = 0;
  for (const std::vector<Finding>& found : findings(true)) {
    EXPECT_EQ(!found.empty(), GetParam().benign) << "seed " << seed;
    for (const Finding& finding : found) {
      if (finding.grade == Grade::same_value && GetParam().benign) continue;
      ADD_FAILURE() << "seed " << seed << ": " << name(finding.kind) << " at line "
                    << finding.source.line << ": " << report::message_text(finding);
    }
    ++seed;
  }
}

TEST_P(SharedRaces, AreReportedBetweenTheMarkedLines) {
  const std::set<unsigned> marked = marked_lines(GetParam());
  ASSERT_FALSE(marked.empty());
  std::uint64_t seed = 0;
  for (const std::vector<Finding>& found : findings(false)) {
    std::set<unsigned> named;
    for (const Finding& finding : found) {
      EXPECT_EQ(finding.kind, FindingClass::race)
          << "seed " << seed << ": " << report::message_text(finding);
      if (finding.kind != FindingClass::race) continue;
      ASSERT_TRUE(finding.other);
      EXPECT_TRUE(finding.memory->write || finding.other->write) << report::message_text(finding);
      // A copy races with the thread that issued it too.
      const bool copied =
          report::message_text(finding).find("asynchronous copy") != std::string::npos;
      const bool one_block = finding.thread->block == finding.other->thread.block;
      EXPECT_TRUE(copied || !one_block || !(finding.thread->thread == finding.other->thread.thread))
          << report::message_text(finding);
      EXPECT_TRUE(one_block || GetParam().blocks > 1) << report::message_text(finding);
      named.insert({finding.source.line, finding.other->source.line});
      for (const Finding& race : finding.same_cause) {
        named.insert({race.source.line, race.other->source.line});
      }
    }
    EXPECT_EQ(named, marked) << "seed " << seed;
    ++seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Idioms, SharedRaces, testing::ValuesIn(on_all_architectures()),
                         [](const auto& idiom) {
                           return idiom.param.kernel + "_" + idiom.param.architecture;
                         });

TEST(SharedRacesIdioms, AreAllRun) {
  for (const std::string file :
       {"block_barriers", "warp_barriers", "named_barriers", "flags", "atomics", "async_copies",
        "pipelines", "mbarriers", "neighbours", "global_memory", "between_blocks", "groups"}) {
    std::istringstream source(read_input(kFolder + file + ".cu"));
    std::ptrdiff_t kernels = 0;
    for (std::string line; std::getline(source, line);) {
      kernels += line.find("extern \"C\" __global__ void ") != std::string::npos;
    }
    EXPECT_EQ(std::count_if(idioms.begin(), idioms.end(),
                            [&](const Idiom& idiom) { return idiom.file == file; }),
              kernels)
        << file;
  }
}

}  // namespace
}  // namespace warpcheck::checks
