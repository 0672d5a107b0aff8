// Guards, branches, loops and barriers.
#include <algorithm>

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

/// A predicate on numbers of the thread, of the grid, or on data.
std::string Writer::condition(bool is_uniform) {
  const std::string p = predicate();
  const char* const relation = one_of({"lt", "le", "gt", "ge", "eq", "ne"});
  if (is_uniform) {
    line("setp.{}.s32 {}, {}, {};", relation, p, chance(50) ? rows_ : columns_, 1 + below(9));
    return p;
  }
  const Index index = *find(Role::small);
  line("setp.{}.{} {}, {}, {};", relation, one_of({"s32", "u32"}), p, index.reg,
       below(index.most + 2));
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

/// A loop with a counter of which `most` is the largest value, or whose limit is a size.
void Writer::loop(int depth) {
  const std::vector<Index> before = indices_;
  const bool was_divergent = is_divergent_;
  const int step = 1 + below(2);
  const int limit = 1 + below(5);
  const bool is_constant = chance(60);
  const bool is_divergent = chance(8);
  const std::string end_of_loop = is_divergent  ? before.back().reg
                                  : is_constant ? std::to_string(limit * step)
                                  : chance(50)  ? rows_
                                                : columns_;
  const bool tests_first = !is_constant || is_divergent;
  const std::string begin = label();
  const std::string end = label();
  const std::string counter = put("mov.u32", "0");
  std::optional<Index> moving = find(Role::small);
  const bool exchanges = chance(30) && moving->is_own;
  const std::string place_now = put("mov.u32", moving->reg);
  place(begin);
  const std::string p = predicate();
  if (tests_first) {
    line("setp.ge.s32 {}, {}, {};", p, counter, end_of_loop);
    line("@{} bra {};", p, end);
  }
  if (is_constant) indices_.push_back({counter, Role::small, (limit - 1) * step});
  if (exchanges) indices_.push_back({place_now, Role::small, places() - 1, true});
  is_divergent_ = is_divergent_ || is_divergent;
  statements(1 + below(4), depth + 1);
  if (uses_shared_ && !is_divergent_ && chance(60)) barrier();
  if (exchanges) {
    line("sub.s32 {}, {}, {};", place_now, places() - 1, place_now);
  }
  line("add.s32 {}, {}, {};", counter, counter, step);
  if (tests_first) {
    line("bra {};", begin);
  } else {
    const char* const relation = chance(70) ? "lt" : chance(80) ? "ne" : "le";
    line("setp.{}.s32 {}, {}, {};", relation, p, counter, end_of_loop);
    line("@{} bra {};", p, begin);
  }
  place(end);
  indices_ = before;
  is_divergent_ = was_divergent;
}

void Writer::barrier() {
  if (is_divergent_ && !chance(4)) return;
  line("bar.sync 0;");
  has_stored_ = has_read_ = false;
}

}  // namespace warpcheck::proof::test
