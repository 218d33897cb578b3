// expected-error: operation Op: needs 'static constexpr char const* name' (udf/concept.hpp)
#include <edgewise/udf/concept.hpp>

struct cube {
  static constexpr int flops = 2;
};

static_assert(edgewise::require_operation<cube>::ok);
