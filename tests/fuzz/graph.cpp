// Arrays of any content as graphs: `validate`, `make_*` and the conversions.
#include <edgewise/format/convert.hpp>
#include <edgewise/format/make.hpp>
#include <edgewise/format/validate.hpp>

#include <cstdint>
#include <span>
#include <vector>

#include "invariants.hpp"

namespace edgewise::testing {

namespace {

/// Takes numbers off the front of the input. A byte is a number from -4 to 250; 251 and above mean the number is in the
/// next eight bytes, so that extremes are found as easily as small ones.
class numbers {
public:
  explicit numbers(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  T next() {
    auto const first = byte();
    if (first <= 250) return static_cast<T>(first - 4);
    std::uint64_t wide = 0;
    for (int k = 0; k < 8; ++k) wide = wide << 8 | static_cast<std::uint64_t>(byte());
    return static_cast<T>(wide);
  }
  template <class T>
  std::vector<T> array(std::size_t size) {
    std::vector<T> values(size);
    for (auto& value : values) value = next<T>();
    return values;
  }
  std::size_t size() { return static_cast<std::size_t>(byte()) % 24; }

private:
  int byte() {
    if (bytes_.empty()) return 4;  // 0
    auto const first = static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
    return first;
  }
  std::string_view bytes_;
};

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
