#include "device/finding.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <string>

namespace warpcheck {
namespace {

constexpr std::array<std::string_view, 17> kNames = {
    "wrong-result",
    "out-of-bounds",
    "misaligned",
    "uninitialized-read",
    "race",
    "barrier-divergence",
    "deadlock",
    "guard-overwritten",
    "input-modified",
    "nondeterministic",
    "illegal-instruction",
    "launch-failure",
    "timeout",
    "invalid-call",
    "use-after-free",
    "api-misuse",
    "leak",
};
static_assert(kNames.size() == static_cast<std::size_t>(kLastFindingClass) + 1);

constexpr std::array<std::string_view, 12> kGrades = {
    "failure",        "same-value",         "relaxed-order",      "volatile-order",
    "exited-threads", "declared-alignment", "launch-limit",       "index-width",
    "compared-read",  "library-lanes",      "different-barriers", "unused-read",
};
static_assert(kGrades.size() == static_cast<std::size_t>(Grade::unused_read) + 1);

bool same_line(const SourcePlace& one, const SourcePlace& other) {
  if (one.line == 0 || other.line == 0) return one.ptx_line == other.ptx_line;
  return one.line == other.line && one.file == other.file;
}

/// Folders of Toolkit installations have names like "cuda", "cuda-13.0" and "cu13".
bool is_toolkit_folder(std::string_view name) {
  if (name == "cuda") return true;
  const std::string_view prefix = name.starts_with("cuda-") ? "cuda-" : "cu";
  return name.starts_with(prefix) && name.size() > prefix.size() &&
         name.find_first_not_of("0123456789.", prefix.size()) == std::string_view::npos;
}

}  // namespace

std::string triple(const Dim3& at) { return fmt::format("({}, {}, {})", at.x, at.y, at.z); }

std::string line_of(const SourcePlace& place) {
  return place.line != 0 ? fmt::format("line {}", place.line)
                         : fmt::format("PTX line {}", place.ptx_line);
}

std::string_view name(FindingClass kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::optional<FindingClass> finding_class(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<FindingClass>(i);
  }
  return std::nullopt;
}

std::string_view name(Grade grade) { return kGrades[static_cast<std::size_t>(grade)]; }

std::optional<Grade> grade(std::string_view name) {
  for (std::size_t i = 0; i < kGrades.size(); ++i) {
    if (kGrades[i] == name) return static_cast<Grade>(i);
  }
  return std::nullopt;
}

std::string_view name(MissingOrder::Kind kind) {
  switch (kind) {
    case MissingOrder::Kind::none:
      return "none";
    case MissingOrder::Kind::barrier:
      return "barrier";
    case MissingOrder::Kind::fence:
      return "fence";
    case MissingOrder::Kind::release:
      return "release";
    case MissingOrder::Kind::wait:
      return "wait";
    case MissingOrder::Kind::launch:
      return "launch";
    case MissingOrder::Kind::different_barriers:
      return "different-barriers";
    case MissingOrder::Kind::barrier_before_release:
      return "barrier-before-release";
    case MissingOrder::Kind::barrier_after_acquire:
      return "barrier-after-acquire";
  }
  return "";
}

std::string_view name(AbsentLane::Reason reason) {
  switch (reason) {
    case AbsentLane::Reason::not_in_mask:
      return "not-in-mask";
    case AbsentLane::Reason::no_thread:
      return "no-thread";
    case AbsentLane::Reason::exited:
      return "exited";
  }
  return "";
}

bool is_note(Grade grade, const Strictness& strict) {
  switch (grade) {
    case Grade::failure:
      return false;
    case Grade::same_value:
    case Grade::relaxed_order:
    case Grade::compared_read:
    case Grade::library_lanes:
    case Grade::unused_read:
      return !strict.races;
    case Grade::exited_threads:
    case Grade::different_barriers:
      return !strict.barriers;
    case Grade::volatile_order:
    case Grade::declared_alignment:
    case Grade::launch_limit:
    case Grade::index_width:
      return true;
  }
  return false;
}

bool is_library_code(std::string_view file) {
  std::string normal;  // nvcc names its headers as .../cu13/bin/../include/cuda_fp16.h
  if (file.find("/../") != std::string_view::npos) {
    normal = std::filesystem::path(file).lexically_normal().string();
    file = normal;
  }
  if (file.starts_with("/usr/include/")) return true;
  if (file.find("triton/language/") != std::string_view::npos && file.ends_with(".py")) return true;
  const auto folder_before = [file](std::size_t slash) {
    const std::size_t begin = slash == 0 ? slash : file.rfind('/', slash - 1) + 1;
    return file.substr(begin, slash - begin);
  };
  for (std::size_t at = file.find("/include/"); at != std::string_view::npos;
       at = file.find("/include/", at + 1)) {
    // .../cuda-13.0/include, .../targets/x86_64-linux/include, .../nvidia/cuda_cccl/include
    const std::string_view folder = folder_before(at);
    const std::size_t before = at - folder.size();
    const std::string_view above = before == 0 ? folder : folder_before(before - 1);
    if (is_toolkit_folder(folder) || above == "targets" || above == "nvidia") return true;
  }
  return false;
}

bool same_places(const Finding& one, const Finding& other) {
  if (one.kind != other.kind || one.grade != other.grade) return false;
  if (!one.other || !other.other) return one.source.ptx_line == other.source.ptx_line;
  const SourcePlace& first = one.other->source;
  const SourcePlace& second = other.other->source;
  return (same_line(one.source, other.source) && same_line(first, second)) ||
         (same_line(one.source, second) && same_line(first, other.source));
}

}  // namespace warpcheck
