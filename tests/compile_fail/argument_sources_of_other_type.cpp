// expected-error: argument_sources: the argument has the graph's offset type, sources are of its index type
#include <cstdint>

#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

void run(ew::graph<ew::csr_view<std::int32_t, std::int64_t>> const& g, std::int64_t const* argument,
         std::int64_t* sources) {
  ew::argument_sources(ew::cpu{}, g, ew::per_row(argument, 3), ew::out(ew::per_row(sources, 3)));
}
