// Messages over a socket: eight bytes of length, then the message. Each end sends the next one only
// after it has received the answer to the last.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace warpcheck {

using Deadline = std::chrono::steady_clock::time_point;

/// Owns a file descriptor and closes it.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(other.release()) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  ~FileDescriptor();

  [[nodiscard]] int get() const { return number_; }
  [[nodiscard]] int release();

 private:
  int number_ = -1;
};

enum class Receipt { message, closed, late };

/// Returns false if the other end is closed.
[[nodiscard]] bool send_message(int socket, std::span<const std::byte> message);

/// Waits until `deadline`, or without limit if there is none. Returns `closed` if the other end
/// closes, also in the middle of a message.
[[nodiscard]] Receipt receive_message(int socket, std::vector<std::byte>& message,
                                      std::optional<Deadline> deadline = std::nullopt);

/// True if the other end is closed. Does not wait.
[[nodiscard]] bool is_closed(int socket);

}  // namespace warpcheck
