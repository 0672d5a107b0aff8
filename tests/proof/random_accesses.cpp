// Loads, stores and asynchronous copies.
#include "tests/proof/random_writer.hpp"

namespace warpcheck::proof::test {

/// base + 4 (row * stride + column), in one of the ways in which compilers compute it.
std::string Writer::address_of(const std::string& base, const std::string& row,
                               const std::string& stride, const std::string& column) {
  const std::string product = wide();
  if (is_limited_ ? chance(40) : chance(3)) {
    const std::string element = put("mad.lo.s32", "{}, {}, {}", row, stride, column);
    line("mul.wide.{} {}, {}, 4;", chance(80) ? "s32" : "u32", product, element);
  } else if (chance(50)) {
    line("mul.wide.s32 {}, {}, {};", product, row, stride);
    const std::string extended = wide();
    line("cvt.{} {}, {};", chance(60) ? "s64.s32" : "u64.u32", extended, column);
    line("add.s64 {}, {}, {};", product, product, extended);
    line("shl.b64 {}, {}, {};", product, product, 2);
  } else {
    const std::string extended = wide();
    line("mul.wide.u32 {}, {}, {};", extended, column, 4);
    const std::string bytes = wide();
    line("mul.wide.u32 {}, {}, 4;", bytes, stride);
    line("cvt.s64.s32 {}, {};", product, row);
    line("mad.lo.s64 {}, {}, {}, {};", product, product, bytes, extended);
  }
  const std::string address = wide();
  line("add.s64 {}, {}, {};", address, base, product);
  return address;
}

int Writer::vector_length() {
  if (!has_vectors_) return chance(1) ? 2 : 1;
  return one_of({1, 1, 2, 4});
}

/// The address of `count` elements of x or v.
std::string Writer::input_address(int count) {
  const auto row = find(Role::row);
  auto column = find(Role::column);
  if (chance(3)) column = find(Role::small);
  if (count > 1 && chance(85)) column->reg = put("and.b32", "{}, {}", column->reg, -count);
  const std::string address =
      chance(25) ? address_of("%d1", "0", "1", column->reg)
                 : address_of("%d0", row->reg, chance(99) ? stride_x_ : stride_y_, column->reg);
  const int shift = 4 * count * defect(3);
  return shift == 0 ? address : fmt::format("{}+{}", address, shift);
}

void Writer::load_global() {
  if (!find(Role::row) || !find(Role::column)) return;
  const int count = vector_length();
  const std::string guard = chance(15) ? fmt::format("@{} ", condition(false)) : "";
  const std::string address = input_address(count);
  if (count == 1) {
    const std::string value = put("mov.u32", "0");
    line("{}ld.global.nc.u32 {}, [{}];", guard, value, address);
    line("add.s32 %r0, %r0, {};", value);
    return;
  }
  std::string values;
  std::string last;
  for (int i = 0; i < count; ++i) {
    last = put("mov.u32", "0");
    values += (i == 0 ? "" : ", ") + last;
  }
  line("{}ld.global.v{}.u32 {{{}}}, [{}];", guard, count, values, address);
  line("add.s32 %r0, %r0, {};", last);
}

void Writer::store_global() {
  const auto row = find(Role::row, !chance(4));
  const auto column = find(Role::column, !chance(4));
  if (!row || !column) return;
  const int count = chance(70) ? 1 : vector_length();
  std::string guard = "-";
  if (count > 1) {  // one thread of several writes the vector
    const std::string rest = put("and.b32", "{}, {}", column->reg, chance(95) ? count - 1 : 1);
    guard = predicate();
    line("setp.eq.s32 {}, {}, 0;", guard, rest);
    guard = "@" + guard;
  } else if (chance(20)) {
    guard = "@" + condition(false);
  }
  std::string address =
      address_of("%d2", row->reg, chance(99) ? stride_y_ : stride_x_, column->reg);
  if (chance(3)) {
    const std::string shifted = wide();
    line("add.s64 {}, {}, {};", shifted, address, 4 * count * (2 * below(2) - 1));
    address = shifted;
  }
  body_ += fmt::format("@STORE {} {} {}\n", guard, address, count);
}

/// The address of an element of the array in shared memory, as 32 bits.
std::optional<std::string> Writer::shared_address(bool own, int count) {
  auto index = find(Role::small, own);
  if (!index) return std::nullopt;
  if (index->most >= places() && !chance(10)) return std::nullopt;
  const int room = places() - 1 - index->most;
  const int offset = chance(25) && room > 0 ? below(room) : defect(2);
  std::string number = index->reg;
  if (count > 1 && chance(85)) number = put("and.b32", "{}, {}", number, -count);
  const std::string bytes =
      chance(50) ? put("shl.b32", "{}, 2", number) : put("mul.lo.s32", "{}, 4", number);
  const std::string address = put("add.s32", "{}, {}", put("mov.u32", "tile"), bytes);
  return count == 1 && offset != 0 ? fmt::format("{}+{}", address, 4 * offset) : address;
}

void Writer::load_shared() {
  if (has_stored_ && !chance(8)) barrier();
  if (has_stored_ && is_divergent_ && !chance(4)) return;
  const int count = chance(80) ? 1 : 2;
  const auto address = shared_address(chance(20), count);
  if (!address) return;
  const std::string value = put("mov.u32", "0");
  if (count == 1) {
    line("ld.shared.u32 {}, [{}];", value, *address);
  } else {
    line("ld.shared.v2.u32 {{{}, {}}}, [{}];", value, reg(), *address);
  }
  line("add.s32 %r0, %r0, {};", value);
  has_read_ = true;
}

void Writer::store_shared() {
  if (has_read_ && !chance(8)) barrier();
  if (is_divergent_ && !chance(30)) return;
  const auto address = shared_address(!chance(4), 1);
  if (!address) return;
  const std::string guard = chance(15) ? fmt::format("@{} ", condition(false)) : "";
  line("{}st.shared.u32 [{}], %r0;", guard, *address);
  has_stored_ = true;
}

/// A copy of four bytes from v, the wait and the barrier.
void Writer::copy_asynchronously() {
  if (is_divergent_) return;
  if (has_read_ || has_stored_) barrier();
  const auto address = shared_address(!chance(4), 1);
  const auto from = find(Role::small);
  if (!address) return;
  const std::string p = predicate();
  line("setp.lt.s32 {}, {}, {};", p, from->reg, columns_);
  const std::string source = address_of("%d1", "0", "1", from->reg);
  const bool fills = chance(40);
  if (fills) {
    const std::string size = put("selp.b32", "4, 0, {}", p);
    line("cp.async.ca.shared.global [{}], [{}], 4, {};", *address, source, size);
  } else {
    line("@{} cp.async.ca.shared.global [{}], [{}], 4;", p, *address, source);
  }
  line("cp.async.commit_group;");
  if (!chance(6)) line("cp.async.wait_group {};", chance(92) ? 0 : 1);
  has_stored_ = true;
  if (!chance(10)) barrier();
}

}  // namespace warpcheck::proof::test
