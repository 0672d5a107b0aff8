// Compares a GPU with the model of its tensor cores: 10,000 fragments of every form must have the
// same bits. If they differ, searches a model that reproduces the bits of the GPU.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "device/cuda/cuda_device.hpp"
#include "tests/golden/mma/results.hpp"
#include "tests/golden/mma/search.hpp"
#include "tests/gpu/architecture.hpp"

namespace warpcheck::golden {
namespace {

constexpr std::size_t kBatch = 1000;
constexpr std::size_t kSearched = 120;  // fragments of either sort, the rest for the finalists
constexpr std::size_t kFinalists = 12;

class MmaOnGpu : public testing::TestWithParam<MmaForm> {
 protected:
  static void SetUpTestSuite() {
    if (device::cuda::available()) device_ = device::cuda::open();
  }
  static void TearDownTestSuite() { device_.reset(); }
  void SetUp() override {
    if (device_ == nullptr) GTEST_SKIP() << "no NVIDIA GPU on this machine";
  }

  // NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shares it by being static
  static inline std::unique_ptr<device::Device> device_;  // starting one takes seconds
};

/// The differing results of a form.
class Tally {
 public:
  Tally(const MmaForm& form, const semantics::TensorModel& model) : form_(form), model_(model) {}

  void add(std::size_t number, const Elements& result) {
    Fragment fragment{mma_inputs(form_, number), result};
    const Elements right = expected(form_, model_, fragment.inputs);
    std::size_t differing = 0;
    for (std::size_t i = 0; i < right.size(); ++i) {
      if (right[i] == result[i]) continue;
      // Prints the first two of each kind.
      if (++differing == 1 && differing_by_kind_[number % kMmaKinds.size()] < 2) {
        fmt::print("  fragment {} ({}): got {:#x}, expected {:#x}, from {}\n", number,
                   kMmaKinds[number % kMmaKinds.size()], result[i], right[i],
                   operands_of(form_, fragment.inputs, i));
      }
    }
    differing_by_kind_[number % kMmaKinds.size()] += differing;
    (differing == 0 ? right_ : wrong_).push_back(std::move(fragment));
  }

  [[nodiscard]] std::size_t differing() const {
    std::size_t sum = 0;
    for (const std::size_t count : differing_by_kind_) sum += count;
    return sum;
  }

  void explain() const {
    for (std::size_t kind = 0; kind < differing_by_kind_.size(); ++kind) {
      if (differing_by_kind_[kind] != 0)
        fmt::print("  {:>8} in '{}'\n", differing_by_kind_[kind], kMmaKinds[kind]);
    }
    std::vector<Fragment> searched;
    for (const auto* fragments : {&wrong_, &right_}) {
      const std::size_t step = std::max<std::size_t>(fragments->size() / kSearched, 1);
      for (std::size_t i = 0; i < fragments->size(); i += step) searched.push_back((*fragments)[i]);
    }
    std::vector<Candidate> best = search(form_, searched);
    best.resize(std::min(best.size(), kFinalists));
    for (Candidate& candidate : best) {
      candidate.differing = 0;
      for (const auto* fragments : {&wrong_, &right_}) {
        for (const Fragment& fragment : *fragments) {
          candidate.differing += count_differing(form_, candidate.model, fragment);
        }
      }
      fmt::print("  {:>8} with {}\n", candidate.differing, candidate.text);
    }
  }

 private:
  const MmaForm& form_;
  semantics::TensorModel model_;
  std::vector<std::size_t> differing_by_kind_ = std::vector<std::size_t>(kMmaKinds.size());
  std::vector<Fragment> wrong_;
  std::vector<Fragment> right_;
};

TEST_P(MmaOnGpu, GivesTheBitsOfTheModel) {
  const MmaForm& form = GetParam();
  const auto program = device_->load(mma_module(form), form.name);
  Tally tally(form, semantics::tensor_model(architecture_of(device_->description())));
  std::size_t results = 0;
  for (std::size_t first = 0; first < kMmaFragments; first += kBatch) {
    const std::vector<Elements> batch = run(*device_, *program, form, first, kBatch);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      tally.add(first + i, batch[i]);
      results += batch[i].size();
    }
  }
  fmt::print("{}: {} of {} results differ\n", form.name, tally.differing(), results);
  if (tally.differing() != 0) tally.explain();
  EXPECT_EQ(tally.differing(), 0U) << form.name;
}

INSTANTIATE_TEST_SUITE_P(Form, MmaOnGpu, testing::ValuesIn(all_mma_forms()), [](const auto& form) {
  std::string name = form.param.name;
  std::ranges::replace(name, '.', '_');
  return name;
});

}  // namespace
}  // namespace warpcheck::golden
