// expected-error: gather G: needs 'merge(state<T, Offset>& into, state<T, Offset> const& later)' (gather/concept.hpp)
#include "complete_gather.hpp"

// A CPU runs it: rows are not cut there.
struct total : complete_gather {
  static void merge() = delete;
};

auto const program = edgewise::gather<total>(edgewise::src<h>);
