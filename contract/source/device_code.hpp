// The part of a .cu that a compilation to PTX needs: kernels, device functions, types and
// constants, without host functions. A file that includes a header which this machine lacks, such
// as that of PyTorch, compiles without its host code.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace warpcheck::contract {

class DeviceCode {
 public:
  /// `file` is an absolute path.
  DeviceCode(std::filesystem::path file, std::string text)
      : file_(std::move(file)), text_(std::move(text)) {}

  /// The text to compile. The user's headers are part of it. Lines have their original files and
  /// numbers (#line). Removed text and the includes of missing headers are blank.
  [[nodiscard]] std::string text() const;

  /// Takes the errors of nvcc for text() into account: a missing header, or a declaration that uses
  /// something from one. Returns false if no error can be avoided in this way.
  [[nodiscard]] bool avoid(std::string_view nvcc_output);

 private:
  using Place = std::pair<std::string, unsigned>;  // file and line

  [[nodiscard]] std::string code_of(const std::filesystem::path& file, const std::string& text,
                                    std::set<std::string>& included) const;
  [[nodiscard]] std::string without_host_code(const std::filesystem::path& file,
                                              const std::string& text) const;

  std::filesystem::path file_;
  std::string text_;
  std::set<std::string> missing_;  // headers, spelled as in the includes
  std::set<Place> rejected_;       // lines with errors
};

/// The header that nvcc did not find; empty if its output has no such error.
[[nodiscard]] std::optional<std::string> missing_header(std::string_view nvcc_output);

}  // namespace warpcheck::contract
