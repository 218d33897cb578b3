// expected-error: node: needs 'with_arguments(a...)', the same node around others (expression/node_concept.hpp)
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

struct h;

template <class A>
struct mirrored {
  using edgewise_expression = void;
  using arguments = ew::type_list<A>;
  using leaves = typename A::leaves;
  A arg;
  template <int>
  constexpr A const& argument() const {
    return arg;
  }
};

auto run(ew::graph<ew::csr_view<>> const& g) {
  return ew::fuse(g, ew::automatic{}, ew::gather<ew::sum>(mirrored<ew::leaf<ew::role::source, h>>{ew::src<h>}));
}
