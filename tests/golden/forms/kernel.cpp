#include "tests/golden/forms/kernel.hpp"

#include <fmt/format.h>

namespace warpcheck::golden {
namespace {

std::string header() {
  return fmt::format(".version {}\n.target {}\n.address_size 64\n", kPtxVersion, kPtxTarget);
}

std::string entry_of(const Form& form, const std::string& name) {
  const bool uses_cell = form.body.find("[%cell]") != std::string::npos;
  const bool uses_shared = form.body.find("[%shared_cell]") != std::string::npos;
  std::string text = fmt::format(
      ".visible .entry {}(.param .u64 in, .param .u64 out)\n{{\n"
      "  .reg .pred %p<4>;\n  .reg .b32 %t<4>;\n  .reg .b32 %i<4>;\n  .reg .b64 %at<6>;\n",
      name);
  for (std::size_t i = 0; i < form.inputs.size(); ++i) {
    text += fmt::format("  .reg .{} %a{};\n", facts(form.inputs[i]).reg, i);
  }
  for (std::size_t i = 0; i < form.outputs.size(); ++i) {
    text += fmt::format("  .reg .{} %d{};\n", facts(form.outputs[i]).reg, i);
  }
  if (uses_shared) {
    text += fmt::format("  .reg .b32 %shared_cell;\n  .shared .align 8 .b8 cells[{}];\n",
                        kBlock * kSlotBytes);
  }
  text +=
      "  mov.u32 %i0, %ctaid.x;\n  mov.u32 %i1, %ntid.x;\n  mov.u32 %i2, %tid.x;\n"
      "  mad.lo.u32 %i3, %i0, %i1, %i2;\n"
      "  ld.param.u64 %at0, [in];\n  ld.param.u64 %at1, [out];\n"
      "  cvta.to.global.u64 %at0, %at0;\n  cvta.to.global.u64 %at1, %at1;\n";
  text += fmt::format(
      "  mul.wide.u32 %at2, %i3, {};\n  add.u64 %at2, %at0, %at2;\n"
      "  mul.wide.u32 %at3, %i3, {};\n  add.u64 %at3, %at1, %at3;\n",
      kSlotBytes * form.inputs.size(), kSlotBytes * form.outputs.size());
  for (std::size_t i = 0; i < form.inputs.size(); ++i) {
    text += fmt::format("  ld.global.{} %a{}, [%at2+{}];\n", facts(form.inputs[i]).access, i,
                        kSlotBytes * i);
  }
  if (uses_cell) {
    text += fmt::format("  .reg .b64 %cell;\n  add.u64 %cell, %at3, {};\n",
                        kSlotBytes * (form.outputs.size() - 1));
  }
  if (uses_shared) {
    text += fmt::format(
        "  mov.u32 %shared_cell, cells;\n  mad.lo.u32 %shared_cell, %i2, {}, %shared_cell;\n",
        kSlotBytes);
  }
  text += "  " + form.body + "\n";
  for (std::size_t i = 0; i < form.outputs.size(); ++i) {
    const TypeFacts& row = facts(form.outputs[i]);
    text += fmt::format("  st.global.{} [%at3+{}], %d{};\n", row.bits == 8 ? "u32" : row.access,
                        kSlotBytes * i, i);
  }
  return text + "  ret;\n}\n";
}

}  // namespace

std::string module_of(const Form& form) { return header() + entry_of(form, "f"); }

std::string module_of(std::span<const Form> forms) {
  std::string text = header();
  for (std::size_t i = 0; i < forms.size(); ++i) {
    text += fmt::format("// {}\n", forms[i].name) + entry_of(forms[i], fmt::format("f{}", i));
  }
  return text;
}

}  // namespace warpcheck::golden
