// expected-error: gather G: its state is not trivially copyable or not a power of two of bytes, at least 4; align it so
#include "complete_gather.hpp"

struct total : complete_gather {
  template <class T, class Offset>
  struct state {
    T sum, count, largest;
  };
};

auto const program = edgewise::gather<total>(edgewise::src<h>);
