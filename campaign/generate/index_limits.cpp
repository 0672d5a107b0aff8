#include "campaign/generate/index_limits.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "campaign/case/domain.hpp"
#include "campaign/generate/overflow_strides.hpp"
#include "campaign/generate/sampling/solver.hpp"
#include "device/device.hpp"
#include "ptx/parser.hpp"

namespace warpcheck::campaign::generate {

std::vector<NarrowIndex> narrow_indices(const contract::Variant& variant) {
  std::vector<NarrowIndex> all;
  if (!variant.compiled) return all;
  try {
    const ptx::Module module = ptx::parse(variant.compiled->ptx, variant.compiled->ptx_file);
    const std::size_t launches = variant.contract.launches.size();
    for (std::size_t i = 0; i < std::min(variant.entries.size(), launches); ++i) {
      const ptx::Function* kernel = module.find_function(variant.entries[i].name);
      if (kernel == nullptr) continue;
      for (auto& one : narrow_indices(module, *kernel, variant.contract.launches[i])) {
        all.push_back(std::move(one));
      }
    }
  } catch (const InputError&) {
  }
  return all;
}

namespace {

using contract::Contract;

// Rows, columns, other extents and the extents of a batch of operands with 2^31 elements.
using Sizes = std::array<std::int64_t, 4>;
constexpr std::int64_t kLong = 1 << 27;
constexpr std::int64_t kSide = 1 << 17;
constexpr std::array<Sizes, 5> kLargeMatrix = {{{kSide, kSide, 1, 1},
                                                {kSide, kSide, 64, 1},
                                                {kSide, kSide, kSide, 1},
                                                {kLong, 64, 64, 1},
                                                {64, kLong, 64, 1}}};
constexpr std::array<Sizes, 1> kLargeBatch = {{{1 << 12, 1 << 12, 1 << 12, 1 << 10}}};

bool is_of(const NarrowIndex& product, const OperandShape& operand) {
  return operand.argument ==
         (product.tensor.empty() ? contract::name(product.buffer) : product.tensor);
}

/// Returns the file and the lines of the products in addresses of an operand. The lines are empty
/// if there are none.
IndexLimit limit_of(const std::vector<NarrowIndex>& products, const OperandShape& operand,
                    bool spans_batch) {
  IndexLimit limit;
  for (const NarrowIndex& one : products) {
    if (!is_of(one, operand) || (spans_batch && !one.spans_batch)) continue;
    if (limit.lines.empty()) limit.file = one.file;
    if (one.file == limit.file) limit.lines.push_back(one.line);
  }
  std::sort(limit.lines.begin(), limit.lines.end());
  limit.lines.erase(std::unique(limit.lines.begin(), limit.lines.end()), limit.lines.end());
  return limit;
}

/// The elements of one matrix, the product of the last two dimensions, or of all. Kernels often
/// compute the address of the matrix in 64 bits, so that only an index within it overflows.
double elements(const Contract& contract, const OperandShape& operand, const Case& problem,
                bool counts_batch) {
  const contract::Bindings names = bindings(contract, problem);
  const std::size_t count = operand.dimensions.size();
  double product = 1.0;
  for (std::size_t i = counts_batch || count < 2 ? 0 : count - 2; i < count; ++i) {
    product *= static_cast<double>(operand.dimensions[i].evaluate(names).value_or(0));
  }
  return product;
}

/// Returns the first case of the domain near these sizes with 2^31 elements of one matrix, or of
/// all matrices of a batch.
std::optional<Case> large_case(const Contract& contract, const Solver& solver,
                               const OperandShape& operand, std::span<const Sizes> candidates,
                               bool counts_batch) {
  const std::size_t count = operand.shape.size();
  if (count < 2) return std::nullopt;
  for (const auto& [rows, columns, others, batch] : candidates) {
    Case target;
    target.variant = contract.name;
    for (const CaseField& field : solver.schema().fields) {
      if (field.kind == CaseField::Kind::extent) field.set(target, others);
      const bool is_size =
          field.kind == CaseField::Kind::extent || field.kind == CaseField::Kind::batch;
      for (std::size_t i = 0; i < count && is_size; ++i) {
        if (operand.shape[i] != field.name) continue;
        field.set(target, i + 1 == count ? columns : i + 2 == count ? rows : batch);
      }
    }
    auto found = solver.project(target);
    if (!found) continue;
    if (elements(contract, operand, *found, counts_batch) >= static_cast<double>(kLeastOverflow)) {
      return found;
    }
  }
  return std::nullopt;
}

/// Returns true if cases have lines, or matrices, so far apart that indices overflow.
bool has_cases(const Contract& contract, const Solver& sparse, std::size_t operand) {
  const std::vector<OverflowStride> overflows = overflow_strides(sparse.schema());
  const auto overflow =
      std::find_if(overflows.begin(), overflows.end(),
                   [&](const OverflowStride& one) { return one.operand == operand; });
  if (overflow == overflows.end()) return false;
  constexpr std::uint64_t kSeeds = 4;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    if (with_overflow_stride(contract, sparse, *overflow, seed)) return true;
  }
  return false;
}

/// The condition on one matrix, or on all matrices of the operand.
std::string condition(const OperandShape& operand, bool counts_batch) {
  std::vector<std::string> factors;
  const std::size_t first = counts_batch || operand.shape.size() < 2 ? 0 : operand.shape.size() - 2;
  for (const std::string& size : std::span(operand.shape).subspan(first)) {
    factors.push_back(size.find(' ') == std::string::npos ? size : fmt::format("({})", size));
  }
  return fmt::format("{} < {}", fmt::join(factors, " * "), kLeastOverflow);
}

}  // namespace

std::vector<IndexLimit> index_limits(const contract::Variant& variant, bool has_sparse_memory) {
  const Contract& contract = variant.contract;
  const std::vector<NarrowIndex> products = narrow_indices(variant);
  if (products.empty()) return {};
  const Solver solver(contract, kMostBytes);
  const Solver sparse(contract, static_cast<std::int64_t>(device::kMostBufferBytes));
  const std::vector<OperandShape>& operands = solver.schema().operands;
  std::vector<IndexLimit> limits;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const OperandShape& operand = operands[i];
    IndexLimit limit = limit_of(products, operand, false);
    if (limit.lines.empty() || (has_sparse_memory && has_cases(contract, sparse, i))) continue;
    IndexLimit batch_limit = limit_of(products, operand, true);
    const bool counts_batch = operand.shape.size() > 2 && !batch_limit.lines.empty();
    auto problem = large_case(contract, solver, operand, kLargeMatrix, counts_batch);
    if (!problem && counts_batch) {
      problem = large_case(contract, solver, operand, kLargeBatch, true);
      limit = std::move(batch_limit);
    }
    if (!problem) continue;
    limit.operand = operand.name;
    limit.problem = std::move(*problem);
    limit.requires_ = condition(operand, counts_batch);
    limits.push_back(std::move(limit));
  }
  return limits;
}

}  // namespace warpcheck::campaign::generate
