// Indices from indices.
#include <algorithm>

#include "tests/proof/random_writer.hpp"

namespace warpcheck::proof::test {

std::optional<Index> Writer::find(Role role, bool own) {
  std::vector<Index> fitting;
  for (const Index& index : indices_) {
    if (index.role == role && (!own || index.is_own)) fitting.push_back(index);
  }
  if (fitting.empty()) return std::nullopt;
  return fitting[static_cast<std::size_t>(below(static_cast<int>(fitting.size())))];
}

void Writer::derive_small() {
  const Index from = *find(Role::small);
  switch (below(5)) {
    case 0:
      return indices_.push_back(narrow(from));
    case 1:
    case 2:
      return indices_.push_back(bit_trick(from));
    default:
      return indices_.push_back(sum(from));
  }
}

/// Bits of an index.
Index Writer::bit_trick(const Index& from) {
  int mask = 1;
  while (mask < from.most) mask = 2 * mask + 1;
  switch (below(6)) {
    case 0:
    case 1:
      return {put("xor.b32", "{}, {}", from.reg, 1 + below(mask)), Role::small, mask, from.is_own};
    case 2:
      return {put("and.b32", "{}, {}", from.reg, below(mask + 1)), Role::small, from.most};
    case 3:
      return {put(one_of({"shr.u32", "shr.s32"}), "{}, 1", from.reg), Role::small, from.most / 2};
    case 4:
      return {put("bfe.u32", "{}, {}, {}", from.reg, below(2), 1 + below(3)), Role::small,
              std::min(from.most, 7)};
    default: {
      const int divisor = 1 + below(6);
      const char* const operation = one_of({"rem.u32", "rem.s32", "div.u32", "div.s32"});
      const bool is_rest = operation[0] == 'r';
      return {put(operation, "{}, {}", from.reg, divisor), Role::small,
              is_rest ? std::min(from.most, divisor - 1) : from.most / divisor};
    }
  }
}

Index Writer::sum(const Index& from) {
  const bool fills = (from.most & (from.most + 1)) == 0;
  switch (below(5)) {
    case 0:
      return {put("sub.s32", "{}, {}", from.most + defect(5), from.reg), Role::small, from.most,
              from.is_own};
    case 1: {
      const int number = below(4);
      return {put("add.s32", "{}, {}", from.reg, number + defect(5)), Role::small,
              from.most + number, from.is_own};
    }
    case 2: {
      const int factor = 1 + below(3);
      const int rest = below(factor);
      return {put("mad.lo.s32", "{}, {}, {}", from.reg, factor, rest), Role::small,
              factor * from.most + rest, from.is_own};
    }
    case 3: {
      const int limit = 1 + below(from.most + 1);
      return {put(one_of({"min.s32", "min.u32"}), "{}, {}", from.reg, limit), Role::small,
              std::min(from.most, limit)};
    }
    default: {
      const Index other = *find(Role::small);
      const std::string added = put("add.s32", "{}, {}", from.reg, other.reg);
      if (!fills) return {added, Role::small, from.most + other.most};
      return {put("and.b32", "{}, {}", added, from.most), Role::small, from.most};
    }
  }
}

/// Conversions, and arithmetic that leaves the range of a type on its way.
Index Writer::narrow(const Index& from) {
  switch (below(5)) {
    case 0: {
      line("cvt.u16.u32 %h1, {};", from.reg);
      if (chance(30)) line("add.s16 %h1, %h1, {};", one_of({0, 0, -1, 1, 8}));
      return {put("cvt.u32.u16", "%h1"), Role::small, from.most, from.is_own};
    }
    case 1: {
      // The sign extension of a number that may be negative, and the value again.
      const int number = 1 + below(40);
      const std::string less = put("sub.s32", "{}, {}", from.reg, number);
      const std::string extended = wide();
      line("{} {}, {};", chance(85) ? "cvt.s64.s32" : "cvt.u64.u32", extended, less);
      line("add.s64 {}, {}, {};", extended, extended, number);
      if (chance(30)) line("shr.u64 {}, {}, {};", extended, extended, chance(60) ? 1 : 32);
      return {put("cvt.u32.u64", extended), Role::small, from.most};
    }
    case 2: {
      const std::string large = put("shl.b32", "{}, {}", from.reg, 26 + below(5));
      return {put(one_of({"shr.u32", "shr.s32"}), "{}, {}", large, 26 + below(5)), Role::small,
              from.most};
    }
    case 3: {
      const std::string difference = put("sub.s32", "{}, {}", from.reg, 1 + below(5));
      return {put(one_of({"max.s32", "max.s32", "max.u32"}), "{}, 0", difference), Role::small,
              from.most};
    }
    default: {
      const std::string difference = put("sub.s32", "{}, {}", from.reg, 1 + below(9));
      const char* const operation =
          one_of({"and.b32", "rem.s32", "rem.u32", "shr.s32", "div.s32", "abs.s32"});
      if (operation == std::string("abs.s32")) {
        return {put("abs.s32", difference), Role::small, from.most + 9};
      }
      return {put(operation, "{}, {}", difference, 1 + below(7)), Role::small, from.most};
    }
  }
}

void Writer::derive_column() {
  const auto from = find(Role::column);
  if (!from) return derive_small();
  switch (below(6)) {
    case 0: {
      const std::string last = put("add.s32", "{}, {}", columns_, -1 + defect(4));
      return indices_.push_back(
          {put("sub.s32", "{}, {}", last, from->reg), Role::column, 0, from->is_own});
    }
    case 1: {
      // Valid if the number of columns is even.
      if (!has_vectors_ && !chance(5)) return;
      return indices_.push_back(
          {put("xor.b32", "{}, {}", from->reg, 1 + below(3)), Role::column, 0, from->is_own});
    }
    case 2: {
      const std::string quotient = put(one_of({"shr.u32", "shr.s32"}), "{}, 2", from->reg);
      const std::string rest =
          chance(50) ? put("and.b32", "{}, 3", from->reg) : put("rem.u32", "{}, 4", from->reg);
      return indices_.push_back({put("mad.lo.s32", "{}, {}, {}", quotient, 4 + defect(4), rest),
                                 Role::column, 0, from->is_own});
    }
    default:
      return indices_.push_back(near_column(*from));
  }
}

/// A column that exists, but is not the thread's own.
Index Writer::near_column(const Index& from) {
  switch (below(6)) {
    case 0: {
      const std::string last = put("add.s32", "{}, -1", columns_);
      const std::string next = put("add.s32", "{}, {}", from.reg, 1 + below(3));
      return {put(one_of({"min.s32", "min.s32", "min.u32"}), "{}, {}", next, last), Role::column};
    }
    case 1: {
      const std::string before = put("sub.s32", "{}, {}", from.reg, 1 + below(3));
      return {put(one_of({"max.s32", "max.s32", "max.s32", "max.u32"}), "{}, 0", before),
              Role::column};
    }
    case 2:
      return {put("and.b32", "{}, {}", from.reg, one_of({-2, -4, 3, 7})), Role::column};
    case 3:
      return {put(one_of({"div.s32", "div.u32", "rem.s32"}), "{}, {}", from.reg, 1 + below(5)),
              Role::column};
    case 4: {
      const std::string p = predicate();
      line("setp.lt.s32 {}, {}, {};", p, put("add.s32", "{}, 1", from.reg), columns_);
      return {put("selp.b32", "{}, {}, {}", put("add.s32", "{}, 1", from.reg), from.reg, p),
              Role::column};
    }
    default: {
      // A column that data determine, between the limits.
      const std::string address = input_address(1);
      const std::string data = put("ld.global.u32", "[{}]", address);
      const std::string last = put("add.s32", "{}, -1", columns_);
      const char* const sign = one_of({"s32", "s32", "u32"});
      return {put(fmt::format("max.{}", sign), "{}, 0",
                  put(fmt::format("min.{}", sign), "{}, {}", data, last)),
              Role::column};
    }
  }
}

}  // namespace warpcheck::proof::test
