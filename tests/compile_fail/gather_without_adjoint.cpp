// expected-error: gather G: needs 'T adjoint(T message, Offset edge, fields...)', the fields of 'reads' in their order
#include "complete_gather.hpp"

struct total : complete_gather {
  static void adjoint() = delete;
};

auto const program = edgewise::gather<total>(edgewise::src<h>);
