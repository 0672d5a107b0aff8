// The files of a child, which posix_spawn opens before the child starts.
#pragma once

#include <fcntl.h>
#include <spawn.h>

namespace warpcheck {

class FileActions {
 public:
  FileActions() { posix_spawn_file_actions_init(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }

  /// The child has the open file `descriptor` of this process under the number `as`.
  void duplicate(int descriptor, int as) {
    posix_spawn_file_actions_adddup2(&actions_, descriptor, as);
  }
  /// The child has the file at `path` open for reading under the number `as`.
  void open(int as, const char* path) {
    posix_spawn_file_actions_addopen(&actions_, as, path, O_RDONLY, 0);
  }
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

}  // namespace warpcheck
