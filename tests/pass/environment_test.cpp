#include <edgewise/pass/environment.hpp>

#include "support/catch.hpp"

#include <edgewise/edgewise.hpp>

using namespace edgewise;
using edgewise::detail::cuda_geometry;

namespace {

struct l;
struct r;
using left = leaf<role::destination, l>;
using right = leaf<role::source, r>;
using product = decltype(dot(dst<l>, src<r>));

template <class... Read>
using reading = edgewise::detail::bare_environment<cuda_geometry<4, 1, 4>, float, type_list<Read...>>;

}  // namespace

TEST_CASE("environment: an inner product is read where all that it is computed from is", "[pass]") {
  CHECK(edgewise::detail::is_read<product, reading<left, right>>());
  CHECK_FALSE(edgewise::detail::is_read<product, reading<right>>());  // what its own gradient reads
  CHECK_FALSE(edgewise::detail::is_read<product, reading<>>());
  CHECK(edgewise::detail::is_read<product, edgewise::detail::bare_environment<cuda_geometry<4, 1, 4>, float>>());
}
