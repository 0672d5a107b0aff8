#include "base/process/channel.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <cstring>
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

TEST(Channel, MessageMayArriveInParts) {
  const Pair pair;
  const FileDescriptor near(pair.ends[0]);
  const FileDescriptor far(pair.ends[1]);
  const std::vector<std::byte> sent(9000, std::byte{0x5A});
  std::vector<std::byte> bytes(sizeof(std::uint64_t));
  const std::uint64_t length = sent.size();
  std::memcpy(bytes.data(), &length, sizeof length);
  bytes.insert(bytes.end(), sent.begin(), sent.end());
  std::thread sender([&] {
    const std::array<std::size_t, 5> ends = {3, 8, 9, 5000, bytes.size()};
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      EXPECT_EQ(send(near.get(), &bytes[begin], end - begin, 0), static_cast<ssize_t>(end - begin));
      begin = end;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  });
  std::vector<std::byte> received;
  EXPECT_EQ(receive_message(far.get(), received), Receipt::message);
  EXPECT_EQ(received, sent);
  sender.join();
}

TEST(Channel, MoreThanAMessageIsAnError) {
  const Pair pair;
  const FileDescriptor near(pair.ends[0]);
  const FileDescriptor far(pair.ends[1]);
  const std::array<std::uint64_t, 3> words = {8, 1, 2};  // a message of 8 bytes, and 8 more
  EXPECT_EQ(send(near.get(), words.data(), sizeof words, 0), static_cast<ssize_t>(sizeof words));
  std::vector<std::byte> received;
  EXPECT_EQ(receive_message(far.get(), received), Receipt::closed);
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
