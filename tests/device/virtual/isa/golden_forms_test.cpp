// The machine supports every instruction form for which results of a GPU are recorded.
#include <gtest/gtest.h>

#include "device/virtual/isa/decode.hpp"
#include "ptx/parser.hpp"
#include "tests/golden/forms/form.hpp"
#include "tests/golden/forms/kernel.hpp"

namespace warpcheck::isa {
namespace {

TEST(Decode, SupportsEveryFormThatIsRecorded) {
  const auto program = decode(ptx::parse(golden::module_of(golden::all_forms()), "forms.ptx"));
  for (const machine::FunctionCode& function : program->functions) {
    for (const machine::Op& op : function.ops) {
      EXPECT_FALSE(is_unsupported(op)) << function.source->name << ": " << op.detail->message;
    }
  }
}

}  // namespace
}  // namespace warpcheck::isa
