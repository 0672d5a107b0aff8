#include "device/shared_list.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace warpcheck::device {
namespace {

TEST(SharedList, CopiesShareTheirElementsUntilOneChanges) {
  SharedList<int> first = {1, 2, 3};
  const SharedList<int> copy = first;
  EXPECT_EQ(copy.data(), std::as_const(first).data());
  first[1] = 5;
  EXPECT_NE(copy.data(), std::as_const(first).data());
  EXPECT_EQ(copy.get(), (std::vector{1, 2, 3}));
  EXPECT_EQ(std::as_const(first).get(), (std::vector{1, 5, 3}));
}

TEST(SharedList, OfOneOwnerChangesInPlace) {
  SharedList<int> list = {1, 2};
  const int* const before = std::as_const(list).data();
  list[0] = 7;
  EXPECT_EQ(std::as_const(list).data(), before);
}

TEST(SharedList, BeginsEmpty) {
  SharedList<int> list;
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(list, SharedList<int>(std::vector<int>()));
  list.push_back(4);
  EXPECT_EQ(list, (SharedList<int>{4}));
  EXPECT_NE(list, (SharedList<int>{5}));
}

}  // namespace
}  // namespace warpcheck::device
