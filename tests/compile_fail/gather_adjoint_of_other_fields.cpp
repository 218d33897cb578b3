// expected-error: gather G: needs 'T adjoint(T message, Offset edge, fields...)', the fields of 'reads' in their order
#include "complete_gather.hpp"

struct total : complete_gather {
  using reads = edgewise::type_list<>;
};

auto const program = edgewise::gather<total>(edgewise::src<h>);
