#include "campaign/run/buffer_role.hpp"

namespace warpcheck::campaign::run {

std::string in_call(std::string name, Call call) {
  return call == Call::earlier ? name + " of the first call" : name;
}

}  // namespace warpcheck::campaign::run
