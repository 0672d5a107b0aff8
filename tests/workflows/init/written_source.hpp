// A source text that a test writes to a file.
#pragma once

#include <string>

#include "base/files.hpp"
#include "base/process/temporary_folder.hpp"
#include "workflows/init/source/source_text.hpp"

namespace warpcheck::workflows::init {

class WrittenSource {
 public:
  explicit WrittenSource(const std::string& text) {
    write_file(folder_.path() / "file.cu", text);
    source_ = read_source(folder_.path() / "file.cu");
  }

  [[nodiscard]] const SourceText& operator*() const { return source_; }

 private:
  TemporaryFolder folder_;
  SourceText source_;
};

}  // namespace warpcheck::workflows::init
