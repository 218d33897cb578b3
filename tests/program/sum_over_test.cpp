#include "sum_over_cases.hpp"

#include "plan/check_case.hpp"
#include "plan/host_machine.hpp"
#include "reference/finite_difference.hpp"

using namespace edgewise;
using namespace edgewise::testing;

using monet_1 = monet<1, operand_kind::wide>;
using monet_2 = monet<2, operand_kind::per_channel>;
using monet_3 = monet<3, operand_kind::wide>;

TEMPLATE_TEST_CASE("sum_over: values and gradients on the battery", "[program]", monet_1,
                   vec_distances EDGEWISE_MORE_CASES(monet_2, monet_3, shared_monet, stashed_monet, vec_vertices,
                                                     vec_score, vec_self_and_epilogue)) {
  check_case<TestType, double>(run_on_host<TestType, double>);
}

TEMPLATE_TEST_CASE("sum_over: gradients follow difference quotients", "[program]", monet_2,
                   vec_self_and_epilogue EDGEWISE_MORE_CASES(monet_3, vec_vertices, vec_score)) {
  random_stream random(std::string("sum_over, differences: ") + TestType::name);
  static auto const graph = directed();
  if (!fits<TestType>(graph)) return;
  for (width const w : {width{1, 5}, width{3, 7}, width{8, 3}}) {
    INFO(w.heads << " x " << w.channels);
    auto request = draw_request<TestType, double>(graph, w, random);
    request.asked_set = 0;
    auto const gradients = run_on_host<first_set<TestType>>(request).gradients;
    auto forward = [request](reference::operands const& inputs) mutable {
      request.asked_set = -1;
      request.operands = inputs;
      return run_on_host<first_set<TestType>>(request).out;
    };
    CHECK(reference::check_gradient(forward, request.operands, gradients, request.grad_out, random,
                                    {.relative = 1e-6, .max_elements = 24}));
  }
}

TEST_CASE("sum_over: shapes of vectors and of their gradients are checked", "[program]") {
  using case_type = monet_2;
  auto const club = karate_club();
  auto const csr = to_csr(cpu{}, club.edges);
  auto const csc = to_csc(cpu{}, club.edges);
  std::vector<float> array(1000, 1.0f);
  float* const data = array.data();
  auto const bound = [&](int rows, int heads) {
    return bindings(bind<p>(vec_per_row<2>(data, rows)), bind<mu>(vec_per_head<2>(data, 1, heads)),
                    bind<inv_sigma>(vec_per_head<2>(data, 1, 3)), bind<h>(per_channel(data, 34, 4)));
  };
  auto const kernel = fuse(graph{csr, csc}, automatic{}, case_type::program);
  CHECK_THROWS_WITH(kernel.plan(cpu{}, bound(155, 3)),
                    Catch::Contains("edge<") && Catch::Contains("has 155 rows, the graph has 156 edges"));
  CHECK_THROWS_WITH(kernel.plan(cpu{}, bound(156, 2)), Catch::Contains("has 3 heads") && Catch::Contains("has 2"));
  auto narrow = vec_per_row<2>(data, 156);
  narrow.row_stride = 1;
  auto const overlapping = bindings(bind<p>(narrow), bind<mu>(vec_per_head<2>(data, 1, 3)),
                                    bind<inv_sigma>(vec_per_head<2>(data, 1, 3)), bind<h>(per_channel(data, 34, 4)));
  CHECK_THROWS_WITH(kernel.plan(cpu{}, overlapping), Catch::Contains("has row stride 1, its rows have 2 elements"));

  auto const in = bound(156, 3);
  auto const plan = kernel.plan(cpu{}, in);
  auto saved = plan.make_saved(cpu{});
  std::vector<float> y(34 * 12), gradient(400);
  plan.forward(cpu{}, in, out(wide(y.data(), 34, 3, 4)), saved);
  CHECK_THROWS_WITH(plan.backward(cpu{}, in, saved, grad_out(wide(y.data(), 34, 3, 4)),
                                  grad<mu>(vec_per_head<2>(gradient.data(), 1, 2))),
                    Catch::Contains("has shape [1, 2, 2], the operand has [1, 3, 2]"));
  CHECK(plan.explain().find("[1]: per_head") != std::string::npos);
}
