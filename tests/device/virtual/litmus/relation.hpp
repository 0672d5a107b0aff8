// Relations between the events of an execution of a litmus test.
#pragma once

#include <array>
#include <cstdint>

namespace warpcheck::litmus {

inline constexpr unsigned kMostEvents = 32;

class Relation {
 public:
  void add(unsigned from, unsigned to) { rows_[from] |= std::uint32_t{1} << to; }
  [[nodiscard]] bool has(unsigned from, unsigned to) const { return (rows_[from] >> to & 1) != 0; }

  [[nodiscard]] Relation operator|(const Relation& other) const {
    Relation both = *this;
    for (unsigned i = 0; i < kMostEvents; ++i) both.rows_[i] |= other.rows_[i];
    return both;
  }
  [[nodiscard]] Relation operator&(const Relation& other) const {
    Relation both = *this;
    for (unsigned i = 0; i < kMostEvents; ++i) both.rows_[i] &= other.rows_[i];
    return both;
  }
  /// a -> c if a -> b here and b -> c in `next`.
  [[nodiscard]] Relation then(const Relation& next) const {
    Relation composed;
    for (unsigned i = 0; i < kMostEvents; ++i) {
      for (unsigned j = 0; j < kMostEvents; ++j) {
        if (has(i, j)) composed.rows_[i] |= next.rows_[j];
      }
    }
    return composed;
  }
  [[nodiscard]] Relation closure() const {
    Relation closed = *this;
    for (unsigned middle = 0; middle < kMostEvents; ++middle) {
      for (unsigned i = 0; i < kMostEvents; ++i) {
        if (closed.has(i, middle)) closed.rows_[i] |= closed.rows_[middle];
      }
    }
    return closed;
  }
  [[nodiscard]] bool irreflexive() const {
    for (unsigned i = 0; i < kMostEvents; ++i) {
      if (has(i, i)) return false;
    }
    return true;
  }
  [[nodiscard]] bool acyclic() const { return closure().irreflexive(); }

 private:
  std::array<std::uint32_t, kMostEvents> rows_{};
};

}  // namespace warpcheck::litmus
