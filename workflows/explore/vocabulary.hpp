// The names of the language of conditions that the search uses.
#pragma once

#include "properties/conditions/learner.hpp"

namespace warpcheck::workflows::explore {

using properties::conditions::Condition;
using properties::conditions::Conjunction;
using properties::conditions::Example;
using properties::conditions::Examples;
using properties::conditions::Hypothesis;
using properties::conditions::Outcome;
using properties::conditions::Quantity;
using properties::conditions::Trial;
using properties::conditions::TrialFunction;

}  // namespace warpcheck::workflows::explore
