// Numbers of 200 bits, by MPFR.
#pragma once

#include <mpfr.h>

namespace warpcheck::reference {

class Exact {
 public:
  explicit Exact(double value = 0.0) {
    mpfr_init2(number_, 200);
    mpfr_set_d(number_, value, MPFR_RNDN);
  }
  Exact(const Exact& other) : Exact() { mpfr_set(number_, other.number_, MPFR_RNDN); }
  Exact& operator=(const Exact& other) {
    mpfr_set(number_, other.number_, MPFR_RNDN);
    return *this;
  }
  ~Exact() { mpfr_clear(number_); }

  [[nodiscard]] mpfr_t& number() { return number_; }
  [[nodiscard]] const mpfr_t& number() const { return number_; }
  [[nodiscard]] double nearest() const { return mpfr_get_d(number_, MPFR_RNDN); }

  /// |this - value|, rounded up.
  [[nodiscard]] double distance(double value) const {
    Exact rest(*this);
    mpfr_sub_d(rest.number_, rest.number_, value, MPFR_RNDN);
    mpfr_abs(rest.number_, rest.number_, MPFR_RNDN);
    return mpfr_get_d(rest.number_, MPFR_RNDU);
  }

 private:
  mpfr_t number_;
};

}  // namespace warpcheck::reference
