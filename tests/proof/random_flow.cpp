// Guards, branches, loops and barriers.
#include <algorithm>
#include <cstdlib>

#include "tests/proof/random_writer.hpp"

namespace warpcheck::proof::test {

void Writer::statements(int count, int depth) {
  for (int i = 0; i < count; ++i) {
    if (uses_shared_ && !is_guarded_) {
      shared_statement(depth);
    } else {
      global_statement(depth);
    }
  }
}

void Writer::shared_statement(int depth) {
  switch (below(depth < 2 ? 10 : 7)) {
    case 0:
      return chance(20) ? shuffle() : derive_small();
    case 1:
      return derive_small();
    case 2:
      return store_shared();
    case 3:
    case 4:
      return load_shared();
    case 5:
      return barrier();
    case 6:
      return chance(50) ? store_shared() : copy_asynchronously();
    case 7:
      return loop(depth);
    case 8:
      return branch(depth);
    default:
      return guarded(1 + below(3), depth + 1);
  }
}

void Writer::global_statement(int depth) {
  switch (below(depth < 2 ? 9 : 7)) {
    case 0:
      return derive_column();
    case 1:
      return chance(50) ? derive_small() : derive_column();
    case 2:
    case 3:
      return load_global();
    case 4:
    case 5:
      return store_global();
    case 6:
      return uses_shared_ ? load_shared() : load_global();
    case 7:
      return loop(depth);
    default:
      return branch(depth);
  }
}

/// Statements for the threads whose row and column exist, or a loop of theirs.
void Writer::guarded(int count, int depth) {
  const std::vector<Index> before = indices_;
  const bool was_divergent = is_divergent_;
  is_guarded_ = is_divergent_ = true;
  const bool loops_rows = shape_ == Shape::few_blocks || shape_ == Shape::line;
  const bool loops_columns = shape_ == Shape::row_per_block || shape_ == Shape::few_blocks;
  const std::string begin_columns = label();
  const std::string begin_rows = label();
  const std::string end_rows = label();
  const std::string end = label();
  const std::string column = loops_columns ? put("mov.u32", column_) : column_;
  if (loops_columns) place(begin_columns);
  skip_unless_below(column, columns_, end);
  const std::string row = loops_rows ? put("mov.u32", "0") : row_;
  if (loops_rows) place(begin_rows);
  if (loops_rows || shape_ == Shape::plane) skip_unless_below(row, rows_, end_rows);
  indices_.push_back({column, Role::column, 0, true});
  indices_.push_back({row, Role::row, 0, true});
  statements(count, depth);
  if (loops_rows) {
    line("add.s32 {}, {}, {};", row, row, 1);
    line("bra {};", begin_rows);
  }
  place(end_rows);
  if (loops_columns) {
    step_columns(column);
    line("bra {};", begin_columns);
  }
  place(end);
  indices_ = before;
  is_divergent_ = was_divergent;
  is_guarded_ = false;
}

void Writer::step_columns(const std::string& column) {
  if (shape_ == Shape::row_per_block) {
    line("add.s32 {}, {}, {};", column, column, width_ + defect(4));
    return;
  }
  const std::string blocks = put("mov.u32", "%nctaid.x");
  line("mad.lo.s32 {}, {}, {}, {};", column, blocks, width_ + defect(4), column);
}

/// Branches to the label unless the value is below the limit.
void Writer::skip_unless_below(const std::string& value, const std::string& limit,
                               const std::string& target) {
  const bool is_loop = value != column_ && value != row_;
  if (!is_loop && chance(4)) return;  // a guard is missing
  const std::string p = predicate();
  const char* const sign = chance(60) ? "s32" : "u32";
  if (chance(5)) {
    line("setp.gt.{} {}, {}, {};", sign, p, value, limit);
  } else if (chance(10)) {
    line("setp.gt.{} {}, {}, {};", sign, p, value, put("add.s32", "{}, -1", limit));
  } else {
    line("setp.ge.{} {}, {}, {};", sign, p, value, limit);
  }
  line("@{} bra {};", p, target);
}

/// A predicate on a size, or on a number of the thread, or on data.
std::string Writer::condition(bool is_uniform) {
  const std::string p = predicate();
  const char* const relation = one_of({"lt", "le", "gt", "ge", "eq", "ne"});
  if (is_uniform) {
    line("setp.{}.s32 {}, {}, {};", relation, p, chance(50) ? rows_ : columns_, 1 + below(9));
  } else if (chance(10)) {
    line("setp.{}.s32 {}, {}, {};", relation, p, put("and.b32", "%r0, 7"), below(8));
  } else {
    const Index index = *find(Role::small);
    line("setp.{}.{} {}, {}, {};", relation, one_of({"s32", "u32"}), p, index.reg,
         below(index.most + 2));
  }
  return p;
}

void Writer::branch(int depth) {
  const std::vector<Index> before = indices_;
  const bool was_divergent = is_divergent_;
  const bool is_uniform = chance(40);
  is_divergent_ = is_divergent_ || !is_uniform;
  const std::string p = condition(is_uniform);
  const std::string otherwise = label();
  const std::string end = label();
  // A register has one of two values after the branch.
  std::optional<Index> changed = find(Role::small);
  changed->reg = put("mov.u32", changed->reg);
  line("@{}{} bra {};", chance(50) ? "!" : "", p, otherwise);
  statements(1 + below(2), depth + 1);
  indices_ = before;
  if (chance(50)) {
    line("bra {};", end);
    place(otherwise);
    statements(1 + below(2), depth + 1);
    indices_ = before;
  } else {
    place(otherwise);
  }
  const Index other = *find(Role::small);
  line("@{} mov.u32 {}, {};", p, changed->reg, other.reg);
  changed->most = std::max(changed->most, other.most);
  changed->is_own = changed->is_own && other.reg == changed->reg;
  place(end);
  indices_.push_back(*changed);
  is_divergent_ = was_divergent;
}

/// The registers that a loop changes, besides its counter.
std::vector<Writer::Moving> Writer::begin_moving(int iterations, int limit) {
  std::vector<Moving> all;
  const auto from = find(Role::small, true);
  if (chance(30) && from) {  // exchanges two places
    const std::string reg = put("mov.u32", from->reg);
    indices_.push_back({reg, Role::small, places() - 1, true});
    all.push_back({reg, fmt::format("sub.s32 {}, {}, {};", reg, places() - 1, reg)});
  }
  if (chance(30) && iterations > 0) {  // steps through places
    const Index start = *find(Role::small);
    const int step = one_of({1, 1, 2, 4, -1});
    const std::string reg = put("add.s32", "{}, {}", start.reg, step < 0 ? limit : 0);
    indices_.push_back({reg, Role::small, start.most + std::abs(step) * iterations, start.is_own});
    all.push_back({reg, fmt::format("add.s32 {}, {}, {};", reg, reg, step)});
  }
  if (chance(20)) {  // two registers change places
    const Index one = *find(Role::small);
    const Index other = *find(Role::small);
    const int most = std::max(one.most, other.most);
    const std::string first = put("mov.u32", one.reg);
    const std::string second = put("mov.u32", other.reg);
    const std::string free = reg();
    indices_.push_back({first, Role::small, most, one.is_own && other.is_own});
    all.push_back({first, fmt::format("mov.u32 {}, {}; mov.u32 {}, {}; mov.u32 {}, {};", free,
                                      first, first, second, second, free)});
  }
  return all;
}

/// A loop whose counter has a constant limit, or a size, or a number of the thread.
void Writer::loop(int depth) {
  const std::vector<Index> before = indices_;
  const bool was_divergent = is_divergent_;
  const int step = 1 + below(2);
  const int iterations = 1 + below(5);
  const bool is_constant = chance(60);
  const bool is_divergent = chance(8);
  const bool counts_down = is_constant && !is_divergent && chance(25);
  const int last = (iterations - 1) * step;
  const std::string limit = is_divergent  ? before.back().reg
                            : is_constant ? std::to_string(iterations * step)
                            : chance(50)  ? rows_
                                          : columns_;
  const std::string begin = label();
  const std::string next = label();
  const std::string end = label();
  const std::string counter = put("mov.u32", counts_down ? std::to_string(last) : "0");
  const std::vector<Moving> moving = begin_moving(is_constant ? iterations : 0, last);
  place(begin);
  const bool tests_first = !is_constant || is_divergent;
  const std::string p = predicate();
  if (tests_first) {
    line("setp.ge.s32 {}, {}, {};", p, counter, limit);
    line("@{} bra {};", p, end);
  }
  if (is_constant && !is_divergent) indices_.push_back({counter, Role::small, last});
  is_divergent_ = is_divergent_ || is_divergent;
  statements(1 + below(3), depth + 1);
  if (chance(20)) leave_loop(counter, iterations, chance(50) ? end : next);
  statements(1 + below(2), depth + 1);
  if (uses_shared_ && !is_divergent_ && chance(60)) barrier();
  place(next);
  for (const Moving& one : moving) line("{}", one.step);
  if (tests_first) {
    line("add.s32 {}, {}, {};", counter, counter, step);
    line("bra {};", begin);
  } else {
    line("add.s32 {}, {}, {};", counter, counter, counts_down ? -step : step);
    const char* const relation = chance(70) ? "lt" : chance(80) ? "ne" : "le";
    line("setp.{}.s32 {}, {}, {};", counts_down ? "ge" : relation, p, counter,
         counts_down ? "0" : limit);
    line("@{} bra {};", p, begin);
  }
  place(end);
  indices_ = before;
  if (is_constant && !is_divergent && !counts_down) {
    indices_.push_back({counter, Role::small, last + step});
  }
  is_divergent_ = was_divergent;
}

/// Ends the loop, the iteration or the thread, on a condition.
void Writer::leave_loop(const std::string& counter, int iterations, const std::string& target) {
  std::string p;
  if (chance(!uses_shared_ || is_divergent_ ? 50 : 15)) {
    p = condition(false);
  } else if (chance(50)) {
    p = condition(true);
  } else {
    p = predicate();
    line("setp.eq.s32 {}, {}, {};", p, counter, below(iterations + 1));
  }
  if (chance(10)) {
    line("@{} ret;", p);
  } else {
    line("@{} bra {};", p, target);
  }
}

/// Exchanges data between the threads of a warp.
void Writer::shuffle() {
  if (is_divergent_ && !chance(20)) return;
  const std::string guard = chance(10) ? fmt::format("@{} ", condition(chance(50))) : "";
  const std::string value = put("mov.u32", "0");
  line("{}shfl.sync.bfly.b32 {}, %r0, {}, 31, {};", guard, value, 1 + below(7),
       chance(97) ? -1 : 1);
  line("add.s32 %r0, %r0, {};", value);
}

void Writer::barrier() {
  if (is_divergent_ && !chance(7)) return;
  line("bar.sync 0;");
  has_stored_ = has_read_ = false;
}

}  // namespace warpcheck::proof::test
