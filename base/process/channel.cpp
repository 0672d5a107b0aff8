#include "base/process/channel.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

namespace warpcheck {
namespace {

/// Sends both parts with one call if the socket has room, so that the receiver wakes once.
bool send_all(int socket, std::span<const std::byte> head, std::span<const std::byte> body) {
  while (!head.empty() || !body.empty()) {
    std::array<iovec, 2> parts = {{{const_cast<std::byte*>(head.data()), head.size()},
                                   {const_cast<std::byte*>(body.data()), body.size()}}};
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = parts.size();
    const ssize_t sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    const auto count = static_cast<std::size_t>(sent);
    const std::size_t head_bytes = std::min(count, head.size());
    head = head.subspan(head_bytes);
    body = body.subspan(count - head_bytes);
  }
  return true;
}

int milliseconds_until(const std::optional<Deadline>& deadline) {
  if (!deadline) return -1;
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(*deadline - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1'000'000'000));
}

/// Receives the available bytes, at least one, into the first bytes. Sets `count`.
Receipt receive_some(int socket, std::span<std::byte> bytes,
                     const std::optional<Deadline>& deadline, std::size_t& count) {
  for (;;) {
    if (deadline) {
      pollfd waiting{socket, POLLIN, 0};
      const int ready = poll(&waiting, 1, milliseconds_until(deadline));
      if (ready < 0 && errno == EINTR) continue;
      if (ready == 0) return Receipt::late;
    }
    const ssize_t received = recv(socket, bytes.data(), bytes.size(), 0);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) return Receipt::closed;
    count = static_cast<std::size_t>(received);
    return Receipt::message;
  }
}

}  // namespace

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

FileDescriptor::~FileDescriptor() {
  if (number_ >= 0) close(number_);
}

int FileDescriptor::release() { return std::exchange(number_, -1); }

bool send_message(int socket, std::span<const std::byte> message) {
  const std::uint64_t length = message.size();
  return send_all(socket, std::as_bytes(std::span(&length, 1)), message);
}

Receipt receive_message(int socket, std::vector<std::byte>& message,
                        std::optional<Deadline> deadline) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 32;  // far above any PTX text
  std::uint64_t length = 0;
  std::array<std::byte, 4096> first;  // the length and the message, if it is short
  std::size_t received = 0;
  while (received < sizeof length) {
    std::size_t count = 0;
    const auto rest = std::span(first).subspan(received);
    if (const Receipt receipt = receive_some(socket, rest, deadline, count);
        receipt != Receipt::message) {
      return receipt;
    }
    received += count;
  }
  std::memcpy(&length, first.data(), sizeof length);
  received -= sizeof length;
  if (length > kMostBytes || received > length) return Receipt::closed;
  message.resize(length);
  std::copy_n(first.begin() + sizeof length, received, message.begin());
  while (received < length) {
    std::size_t count = 0;
    const auto rest = std::span(message).subspan(received);
    if (const Receipt receipt = receive_some(socket, rest, deadline, count);
        receipt != Receipt::message) {
      return receipt;
    }
    received += count;
  }
  return Receipt::message;
}

bool is_closed(int socket) {
  pollfd waiting{socket, 0, 0};
  return poll(&waiting, 1, 0) > 0 && (waiting.revents & (POLLHUP | POLLERR)) != 0;
}

}  // namespace warpcheck
