// Atomics, with one cell per thread: the returned and the new value (PTX ISA, "Parallel
// Synchronization and Communication Instructions: atom, red").
#include <string>

#include "tests/golden/forms/form.hpp"

namespace warpcheck::golden {
void add_atomic_forms(std::vector<Form>& forms) {
  Family family(forms, "atomic");
  const auto atom = [&](const std::string& operations, const std::string& types,
                        const std::string& storage) {
    for (const std::string space : {"global", "shared"}) {
      const std::string cell = space == "global" ? "[%cell]" : "[%shared_cell]";
      const std::string before = "st." + space + "." + storage + " " + cell + ", %a0; ";
      const std::string after = " ld." + space + "." + storage + " %d1, " + cell + ";";
      family.text(before + "atom." + space + operations + ".$ %d0, " + cell + ", %a1;" + after,
                  "$ $", "$ $", types);
      family.text(before + "mov." + storage + " %d0, %a0; red." + space + operations + ".$ " +
                      cell + ", %a1;" + after,
                  "$ $", "$ $", types);
    }
  };
  atom(".add", "u32 s32", "b32");
  atom(".add", "u64", "b64");
  atom(".add", "f32", "f32");
  atom(".add", "f64", "f64");
  atom(".add.noftz", "f16 bf16", "b16");
  atom(".add.noftz", "f16x2 bf16x2", "b32");
  atom("{.min|.max}", "u32 s32", "b32");
  atom("{.min|.max}", "u64 s64", "b64");
  atom("{.and|.or|.xor}", "b32", "b32");
  atom("{.and|.or|.xor}", "b64", "b64");
  atom("{.inc|.dec}", "u32", "b32");

  for (const std::string space : {"global", "shared"}) {
    const std::string cell = space == "global" ? "[%cell]" : "[%shared_cell]";
    const std::string before = "st." + space + ".$ " + cell + ", %a0; atom." + space;
    const std::string after = " ld." + space + ".$ %d1, " + cell + ";";
    family.text(before + ".exch.$ %d0, " + cell + ", %a1;" + after, "$ $", "$ $", "b32 b64");
    family.text(before + ".cas.$ %d0, " + cell + ", %a1, %a2;" + after, "$ $", "$ $ $",
                "b16 b32 b64");
  }
  family.text(
      "st.global.b32 [%cell], %a0; atom{.relaxed|.acquire|.release|.acq_rel}{.cta|.gpu|.sys}"
      ".global.add.u32 %d0, [%cell], %a1; ld.global.b32 %d1, [%cell];",
      "u32 u32", "u32 u32");
  family.text("st.b32 [%cell], %a0; atom.add.u32 %d0, [%cell], %a1; ld.b32 %d1, [%cell];",
              "u32 u32", "u32 u32");
}

}  // namespace warpcheck::golden
