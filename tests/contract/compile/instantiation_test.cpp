#include "contract/compile/instantiation.hpp"

#include <gtest/gtest.h>

#include "base/text/demangle.hpp"

namespace warpcheck::contract {
namespace {

TEST(Demangle, LeavesOtherNamesAlone) {
  EXPECT_EQ(demangle("_Z5sgemmILi8EEvPKfPf"), "void sgemm<8>(float const*, float*)");
  EXPECT_EQ(demangle("sgemm"), "sgemm");
  EXPECT_EQ(demangle("i"), "i");  // a type's mangled name, "int"
  EXPECT_EQ(demangle("_Zbroken"), "_Zbroken");
}

}  // namespace
}  // namespace warpcheck::contract
