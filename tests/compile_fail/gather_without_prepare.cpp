// expected-error: gather G: needs 'T prepare<P>(T gradient, Offset degree, saved...)', num_prepared of them
#include "complete_gather.hpp"

struct total : complete_gather {
  static constexpr int num_prepared = 1;
  using reads = edgewise::type_list<edgewise::prepared_field<0>>;
};

auto const program = edgewise::gather<total>(edgewise::src<h>);
