#include "tests/golden/mma/form.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace warpcheck::golden {
namespace {

using enum MmaType;
using semantics::BitOperation;

std::string_view text(BitOperation operation) {
  return operation == BitOperation::exclusive_or ? "xor" : "and";
}

MmaForm mma_form(int m, int k, MmaType c, MmaType a, MmaType b, bool satfinite = false,
                 BitOperation bits = BitOperation::conjunction) {
  MmaForm form{{}, false, {m, 8, k}, a, b, c, c, satfinite, bits};
  const std::string operation = a == b1 ? fmt::format(".{}.popc", text(bits)) : "";
  form.name = fmt::format("mma.sync.aligned.m{}n8k{}.row.col{}.{}.{}.{}.{}{}", m, k,
                          satfinite ? ".satfinite" : "", facts(c).name, facts(a).name,
                          facts(b).name, facts(c).name, operation);
  return form;
}

MmaForm quad_form(bool a_by_columns, bool b_by_columns, MmaType d, MmaType c) {
  MmaForm form{{}, false, {8, 8, 4}, f16, f16, c, d};
  form.products = 4;
  form.a_by_columns = a_by_columns;
  form.b_by_columns = b_by_columns;
  form.name =
      fmt::format("mma.sync.aligned.m8n8k4.{}.{}.{}.f16.f16.{}", a_by_columns ? "col" : "row",
                  b_by_columns ? "col" : "row", facts(d).name, facts(c).name);
  return form;
}

/// Types below one byte have only the layout of mma.
bool is_sub_byte(MmaType type) { return type == s4 || type == u4 || type == b1; }

MmaForm wmma_form(semantics::MmaShape shape, MmaType d, MmaType a, MmaType c,
                  bool satfinite = false, BitOperation bits = BitOperation::conjunction) {
  MmaForm form{{}, true, shape, a, a, c, d, satfinite, bits};
  form.b_by_columns = is_sub_byte(a);
  const std::string factors = a == f16 ? "" : fmt::format(".{0}.{0}", facts(a).name);
  form.name = fmt::format("wmma.mma{}.sync.aligned.row.{}.m{}n{}k{}.{}{}.{}{}",
                          a == b1 ? fmt::format(".{}.popc", text(bits)) : "",
                          form.b_by_columns ? "col" : "row", shape.m, shape.n, shape.k,
                          facts(d).name, factors, facts(c).name, satfinite ? ".satfinite" : "");
  return form;
}

void add_floating_forms(std::vector<MmaForm>& forms) {
  for (const int k : {8, 16}) {
    forms.push_back(mma_form(16, k, f32, f16, f16));
    forms.push_back(mma_form(16, k, f16, f16, f16));
    forms.push_back(mma_form(16, k, f32, bf16, bf16));
  }
  for (const bool a_by_columns : {false, true}) {
    for (const bool b_by_columns : {false, true}) {
      forms.push_back(quad_form(a_by_columns, b_by_columns, f16, f16));
      forms.push_back(quad_form(a_by_columns, b_by_columns, f32, f16));
      forms.push_back(quad_form(a_by_columns, b_by_columns, f32, f32));
    }
  }
  for (const int k : {4, 8}) forms.push_back(mma_form(16, k, f32, tf32, tf32));
  forms.push_back(mma_form(8, 4, f64, f64, f64));
  for (const int k : {4, 8, 16}) forms.push_back(mma_form(16, k, f64, f64, f64));
  for (const int k : {16, 32}) {
    for (const MmaType c : {f32, f16}) {
      for (const MmaType a : {e4m3, e5m2}) {
        for (const MmaType b : {e4m3, e5m2}) forms.push_back(mma_form(16, k, c, a, b));
      }
    }
  }
}

void add_integer_forms_of(std::vector<MmaForm>& forms, MmaType s, MmaType u, int k) {
  for (const MmaType a : {s, u}) {
    for (const MmaType b : {s, u}) {
      for (const bool satfinite : {false, true}) {
        forms.push_back(mma_form(8, k, s32, a, b, satfinite));
        forms.push_back(mma_form(16, k, s32, a, b, satfinite));
        forms.push_back(mma_form(16, 2 * k, s32, a, b, satfinite));
      }
    }
  }
}

void add_wmma_forms(std::vector<MmaForm>& forms) {
  for (const semantics::MmaShape shape :
       {semantics::MmaShape{16, 16, 16}, {32, 8, 16}, {8, 32, 16}}) {
    for (const MmaType d : {f32, f16}) {
      for (const MmaType c : {f32, f16}) forms.push_back(wmma_form(shape, d, f16, c));
    }
    forms.push_back(wmma_form(shape, f32, bf16, f32));
    for (const bool satfinite : {false, true}) {
      forms.push_back(wmma_form(shape, s32, s8, s32, satfinite));
      forms.push_back(wmma_form(shape, s32, u8, s32, satfinite));
    }
  }
  forms.push_back(wmma_form({16, 16, 8}, f32, tf32, f32));
  forms.push_back(wmma_form({8, 8, 4}, f64, f64, f64));
  for (const bool satfinite : {false, true}) {
    forms.push_back(wmma_form({8, 8, 32}, s32, s4, s32, satfinite));
    forms.push_back(wmma_form({8, 8, 32}, s32, u4, s32, satfinite));
  }
  for (const auto bits : {BitOperation::exclusive_or, BitOperation::conjunction}) {
    forms.push_back(wmma_form({8, 8, 128}, s32, b1, s32, false, bits));
  }
}

}  // namespace

const MmaTypeFacts& facts(MmaType type) {
  static const std::array<MmaTypeFacts, 13> kFacts = {{{f16, "f16", 16},
                                                       {bf16, "bf16", 16},
                                                       {tf32, "tf32", 32},
                                                       {e4m3, "e4m3", 8},
                                                       {e5m2, "e5m2", 8},
                                                       {f64, "f64", 64},
                                                       {s8, "s8", 8},
                                                       {u8, "u8", 8},
                                                       {s4, "s4", 4},
                                                       {u4, "u4", 4},
                                                       {b1, "b1", 32},
                                                       {f32, "f32", 32},
                                                       {s32, "s32", 32}}};
  return kFacts[static_cast<std::size_t>(type)];
}

MmaType MmaForm::type(MmaOperand operand) const {
  if (operand == MmaOperand::a) return a;
  if (operand == MmaOperand::b) return b;
  return operand == MmaOperand::c ? c : d;
}
int MmaForm::rows(MmaOperand operand) const {
  return products * (operand == MmaOperand::b ? depth() : shape.m);
}
int MmaForm::columns(MmaOperand operand) const {
  return operand == MmaOperand::a ? depth() : shape.n;
}

std::vector<MmaForm> all_mma_forms() {
  std::vector<MmaForm> forms;
  add_floating_forms(forms);
  add_integer_forms_of(forms, s8, u8, 16);
  add_integer_forms_of(forms, s4, u4, 32);
  for (const auto bits : {BitOperation::exclusive_or, BitOperation::conjunction}) {
    forms.push_back(mma_form(8, 128, s32, b1, b1, false, bits));
    forms.push_back(mma_form(16, 128, s32, b1, b1, false, bits));
    forms.push_back(mma_form(16, 256, s32, b1, b1, false, bits));
  }
  add_wmma_forms(forms);
  return forms;
}

}  // namespace warpcheck::golden
