// Kernels that pass tiles from thread to thread in shared memory: mostly, what a thread reads was
// written before.
#include "tests/proof/random_writer.hpp"

namespace warpcheck::proof::test {

/// A number of a thread of the block, different for each thread.
std::string Writer::permuted_thread() {
  const std::string thread = indices_.back().reg;
  switch (below(4)) {
    case 0:
      return put("sub.s32", "{}, {}", threads_ - 1, thread);
    case 1:
      return put("xor.b32", "{}, {}", thread, below(threads_));
    case 2:
      return put("and.b32", "{}, {}", put("add.s32", "{}, {}", thread, below(threads_)),
                 threads_ - 1);
    default:
      return thread;
  }
}

/// The address of an element of the tile of a stage.
std::string Writer::tile_address(const std::string& stage, const std::string& element) {
  const std::string index = put("mad.lo.s32", "{}, {}, {}", stage, threads_, element);
  return put("mad.lo.s32", "{}, 4, {}", index, put("mov.u32", "tile"));
}

/// The stage of a step, a number from 0 to tiles_ - 1.
std::string Writer::stage_of(const std::string& step, int distance) {
  const std::string number = put("add.s32", "{}, {}", step, distance + (chance(5) ? 1 : 0));
  if (tiles_ == 2 && chance(50)) return put("and.b32", "{}, 1", number);
  return put("rem.u32", "{}, {}", number, tiles_);
}

/// The threads write a tile, or with some chance a part of it.
void Writer::fill_tile(const std::string& step, int distance) {
  const std::string stage = stage_of(step, distance);
  std::string guard;
  if (chance(6)) guard = fmt::format("@{} ", condition(false));
  if (chance(6)) guard = fmt::format("@{} ", condition(true));
  if (chance(15)) {  // half of the threads write two elements each
    const std::string p = predicate();
    const int writers = threads_ / 2 + (chance(10) ? -1 : 0);
    line("setp.lt.s32 {}, {}, {};", p, indices_.back().reg, writers);
    const std::string element = put("shl.b32", "{}, 1", indices_.back().reg);
    line("@{} st.shared.v2.u32 [{}], {{%r0, %r0}};", p, tile_address(stage, element));
  } else if (chance(20)) {
    const std::string address = tile_address(stage, permuted_thread());
    const std::string from = address_of("%d1", "0", "1", indices_.back().reg);
    const std::string p = predicate();
    line("setp.lt.s32 {}, {}, {};", p, indices_.back().reg, columns_);
    const std::string size = put("selp.b32", "4, 0, {}", p);
    line("{}cp.async.ca.shared.global [{}], [{}], 4, {};", guard, address, from, size);
    line("cp.async.commit_group;");
    line("cp.async.wait_group {};", chance(95) ? 0 : 1);
  } else if (chance(15)) {  // two branches
    const std::string address = tile_address(stage, permuted_thread());
    const std::string p = condition(chance(50));
    line("@{} st.shared.u32 [{}], %r0;", p, address);
    if (!chance(15)) line("@!{} st.shared.u32 [{}], %r0;", p, address);
  } else {
    const std::string address = tile_address(stage, permuted_thread());
    line("{}st.shared.{} [{}], %r0;", guard, chance(97) ? "u32" : "u16", address);
  }
}

/// The threads read one element each, or all elements of the tile.
void Writer::read_tile(const std::string& step, int distance) {
  const std::string stage = stage_of(step, distance);
  const std::string value = put("mov.u32", "0");
  if (chance(60)) {
    line("ld.shared.u32 {}, [{}];", value, tile_address(stage, permuted_thread()));
    line("add.s32 %r0, %r0, {};", value);
    return;
  }
  const std::string begin = label();
  const std::string element = put("mov.u32", "0");
  const std::string p = predicate();
  place(begin);
  line("ld.shared.u32 {}, [{}];", value, tile_address(stage, element));
  line("add.s32 %r0, %r0, {};", value);
  line("add.s32 {}, {}, 1;", element, element);
  line("setp.lt.s32 {}, {}, {};", p, element, threads_);
  line("@{} bra {};", p, begin);
}

/// Iteration i reads the tile of step i, and writes that of step i + `ahead`.
void Writer::loop_over_tiles(int ahead) {
  const std::string limit = chance(60) ? rows_ : std::to_string(1 + below(4));
  const std::string step = put("mov.u32", "0");
  const std::string begin = label();
  const std::string end = label();
  const std::string p = predicate();
  const bool writes_first = ahead == 0 || chance(30);
  place(begin);
  line("setp.ge.s32 {}, {}, {};", p, step, limit);
  line("@{} bra {};", p, end);
  if (chance(5)) leave_loop(step, 2, end);
  if (!writes_first && !chance(5)) line("bar.sync 0;");
  for (int part = 0; part < 2; ++part) {
    if (writes_first == (part == 0)) {
      if (!chance(4)) fill_tile(step, ahead);
    } else {
      read_tile(step, 0);
    }
    if (!chance(4)) line("bar.sync 0;");
  }
  line("add.s32 {}, {}, 1;", step, step);
  line("bra {};", begin);
  place(end);
  if (!chance(30)) return;
  line("bar.sync 0;");
  read_tile(step, ahead == 0 ? -1 + below(2) : below(ahead + 1) - 1);
}

RandomKernel Writer::write_tiles() {
  choose();
  shape_ = Shape::line;
  has_vectors_ = false;
  height_ = 1;
  threads_ = width_;
  tiles_ = 1 + below(3);
  write_prologue();
  const int ahead = below(tiles_);
  for (int step = 0; step < ahead; ++step) {
    if (!chance(5)) fill_tile(put("mov.u32", "{}", step), 0);
    if (!chance(20)) line("bar.sync 0;");
  }
  loop_over_tiles(ahead);
  for (const auto& [value, limit] : {std::pair(column_, columns_), {std::string("0"), rows_}}) {
    const std::string p = predicate();
    line("setp.ge.s32 {}, {}, {};", p, put("mov.u32", value), limit);
    line("@{} bra END;", p);
  }
  body_ += fmt::format("@STORE - {} 1\n", address_of("%d2", "0", stride_y_, column_));
  return {contract(), module(false), module(true), static_cast<unsigned>(width_), 1};
}

RandomKernel random_tiles(std::uint64_t seed) { return Writer(seed).write_tiles(); }

}  // namespace warpcheck::proof::test
