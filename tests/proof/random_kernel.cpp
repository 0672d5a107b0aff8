#include "tests/proof/random_kernel.hpp"

#include "tests/proof/random_writer.hpp"

namespace warpcheck::proof::test {
namespace {

constexpr const char* kOperation = R"([[operation]]
name = "probe"
extents = ["rows", "columns"]
inputs.x = { shape = ["rows", "columns"] }
inputs.v = { shape = ["columns"] }
outputs.y = { shape = ["rows", "columns"] }
outputs.w = { shape = ["rows"] }
define = """
y[i,j] = x[i,j] + v[j]
w[i] = sum(j: x[i,j])
"""

)";

constexpr const char* kVectors =
    " and columns % 4 == 0 and stride_x % 4 == 0 and stride_y % 4 == 0 and aligned(x, 16) and "
    "aligned(y, 16) and aligned(v, 16)";

/// "GUARD ADDRESS COUNT": the guard is "-" if there is none.
std::string store_text(const std::string& store, bool counts) {
  const std::size_t address = store.find(' ') + 1;
  const std::size_t number = store.find(' ', address) + 1;
  const std::string guard = store[0] == '-' ? "" : store.substr(0, address);
  const std::string place = store.substr(address, number - address - 1);
  const int count = std::stoi(store.substr(number));
  if (!counts && count == 1) return fmt::format("  {}st.global.b32 [{}], %r0;\n", guard, place);
  if (!counts) {
    const char* const values = count == 2 ? "{%r0, %r0}" : "{%r0, %r0, %r0, %r0}";
    return fmt::format("  {}st.global.v{}.b32 [{}], {};\n", guard, count, place, values);
  }
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += fmt::format("  {}red.global.add.u32 [{}+{}], 1;\n", guard, place, 4 * i);
  }
  return text;
}

}  // namespace

void Writer::choose() {
  shape_ =
      one_of({Shape::plane, Shape::row_per_block, Shape::linear, Shape::few_blocks, Shape::line});
  width_ = one_of({4, 8, 8, 16, 32});
  height_ = shape_ == Shape::plane ? one_of({1, 2, 4}) : 1;
  threads_ = width_ * height_;
  uses_shared_ = chance(55);
  is_limited_ = chance(60);
  has_vectors_ = chance(35);
}

std::string Writer::grid() const {
  const std::string columns = fmt::format("ceil_div(columns, {})", width_);
  switch (shape_) {
    case Shape::plane:
      return fmt::format("\"{}\", \"ceil_div(rows, {})\"", columns, height_);
    case Shape::row_per_block:
      return "\"rows\"";
    case Shape::linear:
      return fmt::format("\"rows * {}\"", columns);
    case Shape::few_blocks:
      return fmt::format("\"min({}, 2)\"", columns);
    case Shape::line:
      return fmt::format("\"{}\"", columns);
  }
  return "";
}

std::string Writer::contract() const {
  std::string conditions = "rows <= 65535";
  if (is_limited_) conditions += " and columns <= 5000 and stride_x <= 6000 and stride_y <= 7000";
  if (has_vectors_) conditions += kVectors;
  return kOperation + fmt::format(R"([[variant]]
name = "probe"
operation = "probe"
kernel = "probe"
arguments = ["x", "stride_x", "v", "y", "stride_y", "w", "rows", "columns"]
block = [{}, {}]
grid = [{}]
requires = ["{}"]
)",
                                  width_, height_, grid(), conditions);
}

std::string Writer::module(bool counts) const {
  std::string text;
  const std::string mark = "@STORE ";
  for (std::size_t at = 0; at < body_.size();) {
    const std::size_t end = body_.find('\n', at) + 1;
    const std::string one = body_.substr(at, end - at);
    text += one.starts_with(mark) ? store_text(one.substr(mark.size()), counts) : one;
    at = end;
  }
  return fmt::format(R"(.version 8.5
.target sm_80
.address_size 64
.visible .entry probe(.param .u64 x, .param .u32 stride_x, .param .u64 v, .param .u64 y,
                      .param .u32 stride_y, .param .u64 w, .param .u32 rows, .param .u32 columns)
{{
  .reg .pred %p<{}>;
  .reg .b16 %h<2>;
  .reg .b32 %r<{}>;
  .reg .b64 %d<{}>;
  .shared .align 16 .b8 tile[{}];
{}END:
  ret;
}}
)",
                     predicates_ + 1, registers_ + 1, wide_registers_ + 1, 4 * places(), text);
}

void Writer::write_prologue() {
  (void)reg();  // %r0: loads are added to it, and stores write it
  line("mov.u32 %r0, %tid.x;");
  for (const char* const name : {"x", "v", "y", "w"}) line("ld.param.u64 {}, [{}];", wide(), name);
  stride_x_ = put("ld.param.u32", "[stride_x]");
  stride_y_ = put("ld.param.u32", "[stride_y]");
  rows_ = put("ld.param.u32", "[rows]");
  columns_ = put("ld.param.u32", "[columns]");
  const std::string x = put("mov.u32", "%tid.x");
  const std::string y = put("mov.u32", "%tid.y");
  indices_.push_back({x, Role::small, width_ - 1, height_ == 1});
  if (height_ > 1) {
    indices_.push_back({y, Role::small, height_ - 1});
    indices_.push_back({put("mad.lo.s32", "{}, {}, {}", y, width_ + defect(3), x), Role::small,
                        threads_ - 1, true});
  }
  write_places(x, y);
}

/// The row and the column of the thread.
void Writer::write_places(const std::string& x, const std::string& y) {
  const std::string block = put("mov.u32", "%ctaid.x");
  std::string tile = block;
  if (shape_ == Shape::plane) {
    row_ = put("mad.lo.s32", "{}, {}, {}", put("mov.u32", "%ctaid.y"), height_, y);
  } else if (shape_ == Shape::row_per_block) {
    row_ = block;
    column_ = x;
    return;
  } else if (shape_ == Shape::linear) {
    const std::string more = put("add.s32", "{}, {}", columns_, width_ - 1 + defect(3));
    const std::string tiles = put("div.u32", "{}, {}", more, width_);
    row_ = put("div.u32", "{}, {}", block, tiles);
    tile = chance(50) ? put("rem.u32", "{}, {}", block, tiles)
                      : put("sub.s32", "{}, {}", block, put("mul.lo.s32", "{}, {}", row_, tiles));
  }
  column_ = put("mad.lo.s32", "{}, {}, {}", tile, width_ + defect(4), x);
}

RandomKernel Writer::write() {
  choose();
  write_prologue();
  if (uses_shared_) {
    statements(4 + below(6), 0);
  } else {
    guarded(2 + below(5), 0);
  }
  return {contract(), module(false), module(true), static_cast<unsigned>(width_),
          static_cast<unsigned>(height_)};
}

RandomKernel random_kernel(std::uint64_t seed) { return Writer(seed).write(); }

}  // namespace warpcheck::proof::test
