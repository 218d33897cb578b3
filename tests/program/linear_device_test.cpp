#include "linear_device.hpp"

#include "check_linear.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("linear on a device: values and gradients on small graphs", "[program][gpu]", two_layers,
                   edge_convolution, concatenated_rows, attention_layer, products_by_type) {
  skip_without_cuda_device();
  check_linear<TestType>(run_linear_on_device<TestType>, 2e-5);
}

TEST_CASE("by_type on a device: rows of several chunks, and the same bits again", "[program][gpu]") {
  skip_without_cuda_device();
  auto const graph = random_skewed();  // more rows than one block sums
  random_stream random("by_type: chunks");
  linear_inputs const in = [&]<class... Operand>(std::tuple<Operand...>*) {
    return linear_inputs{draw_rows(Operand::size(graph), random)...};
  }(static_cast<products_by_type::operands*>(nullptr));
  auto const adjoint = draw_rows(linear_out_size<products_by_type>(graph), random);
  linear_result const found = run_linear_on_device<products_by_type>(graph, in, adjoint);
  linear_result const again = run_linear_on_device<products_by_type>(graph, in, adjoint);
  CHECK(count_far(found.out, products_by_type::reference(graph, in), 2e-5) == 0);
  for (std::size_t const matrices : {3, 4}) {
    INFO("gradient of operand " << matrices);
    auto const expected = difference_gradient<products_by_type>(graph, in, matrices, adjoint);
    CHECK(count_far(found.gradients[matrices], expected, 2e-5) == 0);
  }
  CHECK(found.out == again.out);
  CHECK(found.gradients == again.gradients);
}
