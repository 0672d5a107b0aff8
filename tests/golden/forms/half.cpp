// f16 and bf16 arithmetic, single and packed (PTX ISA, "Half Precision Floating Point
// Instructions").
#include "tests/golden/forms/form.hpp"

namespace warpcheck::golden {

void add_half_forms(std::vector<Form>& forms) {
  Family(forms, "half")
      .plain("{add|sub|mul}{|.rn}{|.ftz}{|.sat}.$", "$", "$ $", "f16 f16x2")
      .plain("{add|sub|mul}{|.rn}.$", "$", "$ $", "bf16 bf16x2")
      .plain("fma.rn{|.ftz}{|.sat|.relu}.$", "$", "$ $ $", "f16 f16x2")
      .plain("fma.rn{|.relu}.$", "$", "$ $ $", "bf16 bf16x2")
      .plain("fma.rn.oob{|.relu}.$", "$", "$ $ $", "f16 f16x2 bf16 bf16x2")
      .plain("{abs|neg}{|.ftz}.$", "$", "$", "f16 f16x2")
      .plain("{abs|neg}.$", "$", "$", "bf16 bf16x2")
      .plain("{min|max}{|.ftz}{|.NaN}{|.xorsign.abs}.$", "$", "$ $", "f16 f16x2")
      .plain("{min|max}{|.NaN}{|.xorsign.abs}.$", "$", "$ $", "bf16 bf16x2");
}

}  // namespace warpcheck::golden
