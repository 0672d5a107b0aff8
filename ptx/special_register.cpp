#include "ptx/special_register.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace warpcheck::ptx {
namespace {

constexpr std::array<std::string_view, 37> kScalars = {
    "laneid",
    "warpid",
    "nwarpid",
    "smid",
    "nsmid",
    "gridid",
    "is_explicit_cluster",
    "cluster_ctarank",
    "cluster_nctarank",
    "lanemask_eq",
    "lanemask_le",
    "lanemask_lt",
    "lanemask_ge",
    "lanemask_gt",
    "clock",
    "clock_hi",
    "clock64",
    "globaltimer",
    "globaltimer_lo",
    "globaltimer_hi",
    "reserved_smem_offset_begin",
    "reserved_smem_offset_end",
    "reserved_smem_offset_cap",
    "reserved_smem_offset_0",
    "reserved_smem_offset_1",
    "total_smem_size",
    "aggr_smem_size",
    "dynamic_smem_size",
    "current_graph_exec",
    "pm0_64",
    "pm1_64",
    "pm2_64",
    "pm3_64",
    "pm4_64",
    "pm5_64",
    "pm6_64",
    "pm7_64",
};

constexpr std::array<std::string_view, 8> kVectors = {
    "tid", "ntid", "ctaid", "nctaid", "clusterid", "nclusterid", "cluster_ctaid", "cluster_nctaid"};

/// `stem` followed by a number below `count`: "envreg0" ... "envreg31".
bool is_numbered(std::string_view name, std::string_view stem, unsigned count) {
  if (!name.starts_with(stem)) return false;
  name.remove_prefix(stem.size());
  unsigned number = 0;
  const char* end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data(), end, number);
  return error == std::errc() && stop == end && number < count &&
         (name.size() == 1 || name[0] != '0');
}

template <typename Names>
bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

bool is_special_register(std::string_view name) {
  const std::size_t dot = name.find('.');
  if (dot != std::string_view::npos) {
    const std::string_view component = name.substr(dot + 1);
    return component.size() == 1 && std::string_view("xyzw").find(component[0]) < 4 &&
           contains(kVectors, name.substr(0, dot));
  }
  return contains(kVectors, name) || contains(kScalars, name) || is_numbered(name, "envreg", 32) ||
         is_numbered(name, "pm", 8);
}

}  // namespace warpcheck::ptx
