// The message of the exception that a call throws, so that tests can read all of it.
#pragma once

#include <string>

#include <edgewise/core/error.hpp>

namespace edgewise::testing {

/// What the `Error` that `call` throws says; "no error" when it throws nothing. Other exceptions pass through.
template <class Error, class Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (Error const& refusal) {
    return refusal.what();
  }
  return "no error";
}

}  // namespace edgewise::testing
