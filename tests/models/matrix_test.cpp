#include "models/matrix.hpp"

#include <type_traits>

#include "support/catch.hpp"

#include "host_matrix.hpp"

namespace edgewise::models {
namespace {

TEST_CASE("a matrix refuses a buffer of another size") {
  testing::host_context const context;
  CHECK_THROWS_WITH((matrix<float, host_space>(context.make_buffer<float>(5), 2, 3)),
                    "matrix: 5 elements do not make a [2, 3] matrix");
  CHECK_THROWS_AS((matrix<float, host_space>(context.make_buffer<float>(6), -2, -3)), invalid_argument);
}

TEST_CASE("a matrix is row-major") {
  testing::host_context const context;
  auto const x = testing::make_host_matrix<float>(context, 2, 3, {0, 1, 2, 10, 11, 12});
  CHECK(x.view().rows == 2);
  CHECK(x.view().cols == 3);
  CHECK(x.view().data[1 * 3 + 2] == 12);
}

TEST_CASE("views become read-only, never the reverse, and keep their space") {
  using host_view = matrix_view<float, host_space>;
  using const_host_view = matrix_view<float const, host_space>;
  CHECK(std::is_convertible_v<host_view, const_host_view>);
  CHECK_FALSE(std::is_convertible_v<const_host_view, host_view>);
  CHECK_FALSE(std::is_convertible_v<host_view, matrix_view<float const, device_space>>);
}

TEST_CASE("require_shape names the operand and both shapes") {
  matrix_view<float, host_space> const x{nullptr, 4, 7};
  CHECK_NOTHROW(require_shape("model: x", x, 4, 7));
  CHECK_THROWS_WITH(require_shape("model: x", x, 4, 8), "model: x is [4, 7], expected [4, 8]");
  CHECK_THROWS_WITH(require_shape("model: x", x, 5, 7), "model: x is [4, 7], expected [5, 7]");
}

}  // namespace
}  // namespace edgewise::models
