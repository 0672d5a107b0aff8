#include "base/process/channel.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <utility>

namespace warpcheck {
namespace {

bool send_all(int socket, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
  return true;
}

int milliseconds_until(const std::optional<Deadline>& deadline) {
  if (!deadline) return -1;
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(*deadline - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1'000'000'000));
}

Receipt receive_all(int socket, std::span<std::byte> bytes,
                    const std::optional<Deadline>& deadline) {
  while (!bytes.empty()) {
    pollfd waiting{socket, POLLIN, 0};
    const int ready = poll(&waiting, 1, milliseconds_until(deadline));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) return Receipt::late;
    const ssize_t received = recv(socket, bytes.data(), bytes.size(), 0);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) return Receipt::closed;
    bytes = bytes.subspan(static_cast<std::size_t>(received));
  }
  return Receipt::message;
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
  return send_all(socket, std::as_bytes(std::span(&length, 1))) && send_all(socket, message);
}

Receipt receive_message(int socket, std::vector<std::byte>& message,
                        std::optional<Deadline> deadline) {
  std::uint64_t length = 0;
  const Receipt head = receive_all(socket, std::as_writable_bytes(std::span(&length, 1)), deadline);
  if (head != Receipt::message) return head;
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 32;  // far above any PTX text
  if (length > kMostBytes) return Receipt::closed;
  message.resize(length);
  return receive_all(socket, message, deadline);
}

bool is_closed(int socket) {
  pollfd waiting{socket, 0, 0};
  return poll(&waiting, 1, 0) > 0 && (waiting.revents & (POLLHUP | POLLERR)) != 0;
}

}  // namespace warpcheck
