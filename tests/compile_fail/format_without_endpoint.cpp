// expected-error: graph: a format of rows needs 'static constexpr endpoint grouped_by' (format/concept.hpp)
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct lists : ew::grouping_view<> {
  static constexpr char const* name = "lists";

  int num_destinations() const { return num_rows; }
  int num_sources() const { return num_neighbors; }
};

struct x;
auto run(lists const& rows, float const* data) {
  return ew::fuse(ew::graph{rows}, ew::automatic{}, ew::gather<ew::sum>(ew::src<x>))
      .plan(ew::cpu{}, ew::bindings(ew::bind<x>(ew::wide(data, 3, 2))));
}
