#include "run_linear.hpp"

#include "check_linear.hpp"
#include "plan/host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("linear: values and gradients on small graphs", "[program]", two_layers, edge_convolution,
                   concatenated_rows, attention_layer, scored_links, aggregated_first) {
  auto const run = [](test_graph const& graph, linear_inputs const& in, std::vector<double> const& adjoint) {
    return run_linear<TestType, double>(host_machine{}, graph, in, adjoint);
  };
  check_linear<TestType>(run, 1e-7);
}

TEMPLATE_TEST_CASE("linear: what both ends read of one table is one unit", "[program]", edge_convolution,
                   attention_layer) {
  auto const graph = multi_edges();
  random_stream random("linear: units");
  linear_inputs const in = [&]<class... Operand>(std::tuple<Operand...>*) {
    return linear_inputs{draw_rows(Operand::size(graph), random)...};
  }(static_cast<typename TestType::operands*>(nullptr));
  auto const found =
      run_linear<TestType, double>(host_machine{}, graph, in, draw_rows(linear_out_size<TestType>(graph), random));
  CHECK_THAT(found.text, Catch::StartsWith(std::to_string(TestType::num_units) + " units, "));
}
