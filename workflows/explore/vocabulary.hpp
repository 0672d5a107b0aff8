// The names of the language of conditions that the search uses.
#pragma once

#include "campaign/conditions/learner.hpp"

namespace warpcheck::workflows::explore {

using campaign::conditions::Condition;
using campaign::conditions::Conjunction;
using campaign::conditions::Example;
using campaign::conditions::Examples;
using campaign::conditions::Hypothesis;
using campaign::conditions::Outcome;
using campaign::conditions::Quantity;
using campaign::conditions::Trial;
using campaign::conditions::TrialFunction;

}  // namespace warpcheck::workflows::explore
