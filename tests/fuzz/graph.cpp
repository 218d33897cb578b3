// Arrays of any content as graphs: `validate`, `make_*` and the conversions.
#include <edgewise/format/convert.hpp>
#include <edgewise/format/make.hpp>
#include <edgewise/format/validate.hpp>

#include <cstdint>
#include <span>
#include <vector>

#include "invariants.hpp"
#include "numbers.hpp"

namespace edgewise::testing {

namespace {

template <class Index, class Offset>
void check_made(coo<Index, Offset> const& made) {
  check_graph(made);
}
/// A grouping that was accepted converts like a list of edges.
template <class Container>
void check_made(Container const& made) {
  validate(made);
  check_graph(to_coo(cpu{}, made));
  require(edges_by_id(to_coo(cpu{}, made).view()) == edges_by_id(made.view()), "a coo has the edges of its grouping");
}

template <class Index, class Offset>
void fuzz_arrays(numbers input) {
  vertex_counts const counts{.sources = input.next<std::int64_t>(), .destinations = input.next<std::int64_t>()};
  auto const first = input.array<Index>(input.size()), second = input.array<Index>(input.size());
  auto const offsets = input.array<Offset>(input.size());
  auto const ids = input.array<Offset>(input.size());
  for (auto const used : {std::span<Offset const>(), std::span<Offset const>(ids)}) {
    accepts([&] { check_made(make_coo<Offset>(counts, first, second, used)); });
    accepts([&] { check_made(make_csr(counts, offsets, first, used)); });
    accepts([&] { check_made(make_csc(counts, offsets, first, used)); });
    accepts([&] {
      auto const rows = make_csr(counts, offsets, first, used);
      auto const columns = make_csc(counts, offsets, second, used);
      validate(graph{rows, columns});
      require(edges_by_id(rows.view()) == edges_by_id(columns.view()), "groupings that are valid together agree");
    });
  }
}

}  // namespace

void fuzz_graph(std::string_view bytes) {
  fuzz_arrays<std::int32_t, std::int32_t>(numbers(bytes));
  fuzz_arrays<std::int32_t, std::int64_t>(numbers(bytes));
  fuzz_arrays<std::int64_t, std::int64_t>(numbers(bytes));
}

}  // namespace edgewise::testing
