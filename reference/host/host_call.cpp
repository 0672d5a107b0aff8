#include "reference/host/host_call.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>

#include "base/diagnostic.hpp"
#include "reference/format.hpp"
#include "reference/host/real_arithmetic.hpp"

namespace warpcheck::reference {
namespace {

using operation::HostCall;
using operation::HostInput;
using operation::HostOutput;

warpcheck_real exact(double value) {
  warpcheck_real number{};
  number.value = value;
  return number;
}

class EntryCall {
 public:
  EntryCall(const HostCall& call, TensorMemory& memory) : call_(call), memory_(memory) {
    if (call.arithmetic) arithmetic_.emplace(*call.arithmetic);
  }

  std::vector<HostOutput> run(const ReferenceEntry& entry) {
    for (const HostInput& input : call_.inputs) {
      inputs_.push_back(memory_of(input));
      is_integer_.push_back(input.integer ? 1 : 0);
    }
    for (const std::size_t elements : call_.outputs) {
      const std::vector<double> none(elements, unset_value());
      outputs_.push_back(arithmetic_ ? numbers(none) : copy(none));
    }
    entry({arithmetic_ ? &arithmetic_->table() : nullptr, inputs_.size(), inputs_.data(),
           is_integer_.data(), outputs_.size(), outputs_.data(), call_.extents.size(),
           call_.extents.data(), call_.scalars.size(), call_.scalars.data()});
    std::vector<HostOutput> results;
    for (std::size_t i = 0; i < outputs_.size(); ++i) results.push_back(result(i));
    return results;
  }

 private:
  template <class Element>
  void* copy(const std::vector<Element>& elements) {
    std::byte* const to = memory_.allocate(elements.size() * sizeof(Element));
    if (!elements.empty()) std::memcpy(to, elements.data(), elements.size() * sizeof(Element));
    return to;
  }

  void* numbers(const std::vector<double>& values) {
    std::vector<warpcheck_real> elements;
    elements.reserve(values.size());
    for (const double value : values) elements.push_back(exact(value));
    return copy(elements);
  }

  void* memory_of(const HostInput& input) {
    if (input.integer) {
      return copy(std::vector<std::int64_t>(input.values.begin(), input.values.end()));
    }
    return arithmetic_ ? numbers(input.values) : copy(input.values);
  }

  HostOutput result(std::size_t output) const {
    HostOutput result;
    for (std::size_t i = 0; i < call_.outputs[output]; ++i) {
      const warpcheck_real element = arithmetic_
                                         ? static_cast<const warpcheck_real*>(outputs_[output])[i]
                                         : exact(static_cast<const double*>(outputs_[output])[i]);
      if (is_unset(element.value)) {
        throw std::runtime_error(
            fmt::format("leaves element {} of output {} without a value", i, output));
      }
      result.values.push_back(element.value);
      if (!arithmetic_) continue;
      result.errors.push_back(arithmetic_->is_uncertain() ? kInfinity : element.error);
    }
    return result;
  }

  const HostCall& call_;
  TensorMemory& memory_;
  std::optional<RealArithmetic> arithmetic_;
  std::vector<const void*> inputs_;
  std::vector<std::uint8_t> is_integer_;
  std::vector<void*> outputs_;
};

class HeapMemory : public TensorMemory {
 public:
  std::byte* allocate(std::size_t bytes) override {
    blocks_.push_back(std::make_unique<double[]>(bytes / sizeof(double) + 1));
    return reinterpret_cast<std::byte*>(blocks_.back().get());
  }

 private:
  std::vector<std::unique_ptr<double[]>> blocks_;
};

}  // namespace

std::vector<HostOutput> call_entry(const ReferenceEntry& entry, const HostCall& call,
                                   TensorMemory& memory) {
  return EntryCall(call, memory).run(entry);
}

std::vector<HostOutput> InProcess::compute(const HostCall& call) {
  HeapMemory memory;
  try {
    return call_entry(entry_, call, memory);
  } catch (const std::runtime_error& error) {
    throw request_error(
        fmt::format("the reference of operation '{}' {}", operation_, error.what()));
  }
}

}  // namespace warpcheck::reference
