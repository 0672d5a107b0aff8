// A list that is cheap to copy.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace warpcheck::device {

/// A vector whose copies share the elements until a copy may change: a device that changes a job
/// before it forwards it copies no buffer. Non-const access to a list counts as a change, so a
/// reference from it must not be used after the list is copied.
template <class T>
class SharedList {
 public:
  SharedList() = default;
  SharedList(std::vector<T> elements)
      : elements_(std::make_shared<std::vector<T>>(std::move(elements))) {}
  SharedList(std::initializer_list<T> elements) : SharedList(std::vector<T>(elements)) {}

  [[nodiscard]] const std::vector<T>& get() const {
    static const std::vector<T> kNone;
    return elements_ == nullptr ? kNone : *elements_;
  }
  /// The elements, no longer shared.
  [[nodiscard]] std::vector<T>& own() {
    if (elements_ == nullptr || elements_.use_count() > 1) {
      elements_ = std::make_shared<std::vector<T>>(get());
    }
    return *elements_;
  }
  operator const std::vector<T>&() const { return get(); }

  [[nodiscard]] bool empty() const { return get().empty(); }
  [[nodiscard]] std::size_t size() const { return get().size(); }
  [[nodiscard]] const T* data() const { return get().data(); }
  [[nodiscard]] auto begin() const { return get().begin(); }
  [[nodiscard]] auto begin() { return own().begin(); }
  [[nodiscard]] auto end() const { return get().end(); }
  [[nodiscard]] auto end() { return own().end(); }
  [[nodiscard]] const T& operator[](std::size_t index) const { return get()[index]; }
  [[nodiscard]] T& operator[](std::size_t index) { return own()[index]; }
  [[nodiscard]] const T& at(std::size_t index) const { return get().at(index); }
  [[nodiscard]] T& at(std::size_t index) { return own().at(index); }
  [[nodiscard]] const T& front() const { return get().front(); }
  [[nodiscard]] T& front() { return own().front(); }
  [[nodiscard]] const T& back() const { return get().back(); }
  [[nodiscard]] T& back() { return own().back(); }

  void push_back(T element) { own().push_back(std::move(element)); }
  void resize(std::size_t size) { own().resize(size); }

  friend bool operator==(const SharedList& one, const SharedList& other) {
    return one.elements_ == other.elements_ || one.get() == other.get();
  }

 private:
  std::shared_ptr<std::vector<T>> elements_;
};

}  // namespace warpcheck::device
