// expected-error: operation Op: needs 'static constexpr char const* name' (expression/concept.hpp)
#include <edgewise/expression/concept.hpp>

struct cube {
  static constexpr int flops = 2;
};

static_assert(edgewise::require_operation<cube>::ok);
