// Writes one random kernel: its choices, its text, and the indices that it has computed.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.hpp"
#include "tests/proof/random_kernel.hpp"

namespace warpcheck::proof::test {

enum class Role : std::uint8_t {
  row,     // [0, rows)
  column,  // [0, columns)
  small,   // [0, most]
};

/// A register that has an index, unless the generator planted a defect.
struct Index {
  std::string reg;
  Role role = Role::small;
  int most = 0;
  bool is_own = false;  // differs between the threads: of the grid, or of the block if it is small
};

/// How the threads are distributed over the elements.
enum class Shape : std::uint8_t { plane, row_per_block, linear, few_blocks, line };

class Writer {
 public:
  explicit Writer(std::uint64_t seed) : state_(mixed(seed)) {}

  [[nodiscard]] RandomKernel write();
  [[nodiscard]] RandomKernel write_tiles();

 private:
  // Choices.
  int below(int count) {
    state_ = mixed(state_);
    return static_cast<int>(state_ % static_cast<std::uint64_t>(count));
  }
  bool chance(int percent) { return below(100) < percent; }
  template <class Kind>
  Kind one_of(std::initializer_list<Kind> list) {
    return list.begin()[below(static_cast<int>(list.size()))];
  }
  /// 0, or with some chance 1 or -1.
  int defect(int percent) { return chance(percent) ? 2 * below(2) - 1 : 0; }

  // Text.
  std::string reg() { return fmt::format("%r{}", registers_++); }
  std::string wide() { return fmt::format("%d{}", wide_registers_++); }
  std::string predicate() { return fmt::format("%p{}", predicates_++); }
  std::string label() { return fmt::format("L{}", labels_++); }
  template <class... Part>
  void line(fmt::format_string<Part...> form, Part&&... part) {
    body_ += "  " + fmt::format(form, std::forward<Part>(part)...) + "\n";
  }
  void place(const std::string& label) { body_ += label + ":\n"; }
  /// "add.s32", "%r1, 2" -> a new register with the sum.
  std::string put(const std::string& operation, const std::string& operands) {
    std::string result = reg();
    line("{} {}, {};", operation, result, operands);
    return result;
  }
  template <class... Part>
  std::string put(const std::string& operation, fmt::format_string<Part...> form, Part&&... part) {
    return put(operation, fmt::format(form, std::forward<Part>(part)...));
  }

  // random_kernel.cpp: the contract and the frame.
  void choose();
  [[nodiscard]] std::string grid() const;
  [[nodiscard]] std::string contract() const;
  [[nodiscard]] std::string module(bool counts) const;
  [[nodiscard]] int places() const { return tiles_ * threads_; }
  void write_prologue();
  void write_places(const std::string& x, const std::string& y);

  // random_flow.cpp: guards, loops, barriers.
  void statements(int count, int depth);
  void shared_statement(int depth);
  void global_statement(int depth);
  void guarded(int count, int depth);
  void step_columns(const std::string& column);
  void skip_unless_below(const std::string& value, const std::string& limit,
                         const std::string& target);
  std::string condition(bool is_uniform);
  void branch(int depth);
  struct Moving {
    std::string reg;
    std::string step;  // the instructions at the end of an iteration
  };
  std::vector<Moving> begin_moving(int iterations, int limit);
  void loop(int depth);
  void leave_loop(const std::string& counter, int iterations, const std::string& target);
  void barrier();
  void shuffle();

  // random_indices.cpp: indices from indices.
  [[nodiscard]] std::optional<Index> find(Role role, bool own = false);
  void derive_small();
  [[nodiscard]] Index bit_trick(const Index& from);
  [[nodiscard]] Index sum(const Index& from);
  [[nodiscard]] Index narrow(const Index& from);
  void derive_column();
  [[nodiscard]] Index near_column(const Index& from);

  // random_accesses.cpp: loads, stores and asynchronous copies.
  std::string input_address(int count);
  std::string address_of(const std::string& base, const std::string& row, const std::string& stride,
                         const std::string& column);
  std::optional<std::string> shared_address(bool own, int count);
  int vector_length();
  void load_global();
  void store_global();
  void load_shared();
  void store_shared();
  void copy_asynchronously();

  // random_tiles.cpp: tiles in shared memory that threads write and others read.
  [[nodiscard]] std::string permuted_thread();
  [[nodiscard]] std::string tile_address(const std::string& stage, const std::string& element);
  [[nodiscard]] std::string stage_of(const std::string& step, int distance);
  void fill_tile(const std::string& step, int distance);
  void read_tile(const std::string& step, int distance);
  void loop_over_tiles(int ahead);

  std::uint64_t state_;
  std::string body_;
  int registers_ = 0;
  int wide_registers_ = 0;
  int predicates_ = 0;
  int labels_ = 0;

  Shape shape_ = Shape::plane;
  int width_ = 1;  // width, height and threads are those of a block
  int height_ = 1;
  int threads_ = 1;
  int tiles_ = 2;  // the array in shared memory has so many elements for each thread
  bool uses_shared_ = false;
  bool is_limited_ = false;   // `requires` limits the columns and the strides
  bool has_vectors_ = false;  // `requires` demands what vectors of four need
  bool is_guarded_ = false;   // row and column exist
  bool is_divergent_ = false;
  bool has_stored_ = false;  // a store to shared memory since the last barrier
  bool has_read_ = false;    // a load from it since then

  std::string stride_x_;
  std::string stride_y_;
  std::string rows_;
  std::string columns_;
  std::string row_;
  std::string column_;
  std::vector<Index> indices_;
};

}  // namespace warpcheck::proof::test
