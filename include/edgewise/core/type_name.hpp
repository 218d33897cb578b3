// The name of a type as messages print it: operands are named by types that may stay incomplete.
#pragma once

#include <string>
#include <string_view>

namespace edgewise::inline v0 {

/// The type's name without its namespaces, from the compiler's own spelling.
template <class T>
std::string type_name() {
  std::string_view text = __PRETTY_FUNCTION__;  // "... [with T = X; ...]" or "... [T = X]"
  std::size_t const begin = text.find("T = ") + 4;
  text = text.substr(begin, text.find_first_of(";]", begin) - begin);
  std::size_t const colon = text.find('<') == std::string_view::npos ? text.rfind("::") : std::string_view::npos;
  return std::string(colon == std::string_view::npos ? text : text.substr(colon + 2));
}

}  // namespace edgewise::inline v0
