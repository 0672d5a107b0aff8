// The names and the statements of the properties.
#include "proof/proof.hpp"

namespace warpcheck::proof {

std::string_view name(Property property) {
  switch (property) {
    case Property::overflow:
      return "overflow";
    case Property::bounds:
      return "bounds";
    case Property::alignment:
      return "alignment";
    case Property::barriers:
      return "barriers";
    case Property::races:
      return "races";
    case Property::initialized:
      return "initialized";
    case Property::written_once:
      return "written-once";
    case Property::covered:
      return "covered";
    case Property::zero_beta:
      return "zero-beta";
    case Property::ends:
      return "ends";
  }
  return "";
}

std::string_view statement(Property property) {
  switch (property) {
    case Property::overflow:
      return "each integer that is computed from sizes and indices and is compared, extended, "
             "divided or shifted right equals its mathematical value";
    case Property::bounds:
      return "each access is within a row of its matrix, never in its padding, or within its "
             "array in shared, local or constant memory";
    case Property::alignment:
      return "the address of each access is a multiple of its size";
    case Property::barriers:
      return "all threads of a block reach the same barriers in the same order, and all lanes of a "
             "warp the same instructions of the warp, if the loops end";
    case Property::races:
      return "no two threads make conflicting accesses that no barrier of their block orders";
    case Property::initialized:
      return "each element of shared or local memory and of an output, and each register, is "
             "written before it is read";
    case Property::written_once:
      return "each element of the outputs is written at most once";
    case Property::covered:
      return "each element of the outputs is written, if the loops end";
    case Property::zero_beta:
      return "C is not read if beta is 0";
    case Property::ends:
      return "every loop ends";
  }
  return "";
}

std::vector<Property> all_properties() {
  std::vector<Property> all;
  for (unsigned i = 0; i <= static_cast<unsigned>(kLastProperty); ++i) {
    all.push_back(static_cast<Property>(i));
  }
  return all;
}

std::optional<Property> property_named(std::string_view text) {
  for (const Property property : all_properties()) {
    if (name(property) == text) return property;
  }
  return std::nullopt;
}

}  // namespace warpcheck::proof
