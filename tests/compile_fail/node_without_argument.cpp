// expected-error: node: needs 'argument<I>()', one of the expressions that its 'arguments' lists (expression/node_concept.hpp)
#include <edgewise/expression/expression.hpp>

namespace ew = edgewise;

struct h;

template <class A>
struct mirrored {
  using edgewise_expression = void;
  using arguments = ew::type_list<A>;
  using leaves = typename A::leaves;
  A arg;
};

static_assert(ew::require_node<mirrored<ew::leaf<ew::role::source, h>>>::ok);
