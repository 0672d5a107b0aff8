#include "base/process/channel.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <thread>

namespace warpcheck {
namespace {

struct Pair {
  Pair() { EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0); }
  std::array<int, 2> ends{};
};

TEST(Channel, CarriesMessagesLargerThanTheSocketBuffer) {
  const Pair pair;
  const FileDescriptor near(pair.ends[0]);
  const FileDescriptor far(pair.ends[1]);
  const std::vector<std::byte> sent(5'000'000, std::byte{0x5A});
  std::thread sender([&] { EXPECT_TRUE(send_message(near.get(), sent)); });
  std::vector<std::byte> received;
  EXPECT_EQ(receive_message(far.get(), received), Receipt::message);
  EXPECT_EQ(received, sent);
  sender.join();
}

TEST(Channel, WaitEndsAtTheDeadline) {
  const Pair pair;
  const FileDescriptor near(pair.ends[0]);
  const FileDescriptor far(pair.ends[1]);
  std::vector<std::byte> message;
  EXPECT_EQ(receive_message(near.get(), message,
                            std::chrono::steady_clock::now() + std::chrono::milliseconds(20)),
            Receipt::late);
}

TEST(Channel, ClosedFarEndIsDetected) {
  const Pair pair;
  const FileDescriptor near(pair.ends[0]);
  FileDescriptor far(pair.ends[1]);
  EXPECT_FALSE(is_closed(near.get()));
  far = FileDescriptor();
  EXPECT_TRUE(is_closed(near.get()));
  std::vector<std::byte> message;
  EXPECT_EQ(receive_message(near.get(), message), Receipt::closed);
  EXPECT_FALSE(send_message(near.get(), message));
}

}  // namespace
}  // namespace warpcheck
