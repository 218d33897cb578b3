#include "narrow_rows_device_test.hpp"

#include <edgewise/mapping/degree_aware.hpp>

#include "check_mapping.hpp"
#include "gather/max_cases.hpp"
#include "plan/device_run.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("narrow rows on a device: pieces have more threads than rows", "[mapping][gpu]",
                   pieces_of_sixty_four, pieces_of_three_hundred) {
  skip_without_cuda_device();
  check_every_edge_once<mapped<exact_sum, TestType>>(run_on_device<mapped<exact_sum, TestType>, float>,
                                                     {hubs_of_sparse_rows()});
}

TEST_CASE("narrow rows on a device: the order of rows changes no bit", "[mapping][gpu]") {
  skip_without_cuda_device();
  auto const stored = run_on_device<mapped<plain_sum, pieces_of_sixty_four>, float>;
  auto const check = [&](auto const& other) {
    check_same_bits<plain_sum>(stored, other, draw::uniform, {hubs_of_sparse_rows()}, {{1, 1}, {1, 7}, {1, 8}});
  };
  check(run_on_device<mapped<plain_sum, cut_by_degree>, float>);
  check(run_on_device<mapped<plain_sum, cut_in_windows>, float>);
}

TEST_CASE("narrow rows on a device: every kind of plan gives the same bits by the same policy", "[mapping][gpu]") {
  skip_without_cuda_device();
  random_stream random("plans of narrow rows");
  auto const graph = hubs_of_sparse_rows();
  for (int const channels : {1, 8, 16}) {
    INFO(channels << " channels");
    auto const features =
        draw_values<float>(static_cast<std::size_t>(graph.num_sources) * channels, draw::uniform, random);
    auto const plans = plan_alike_on_device(graph, features, channels);
    CHECK(same_bits(plans.rebuilt, plans.exact));
    CHECK(same_bits(plans.pinned, plans.exact));
  }
}

TEST_CASE("narrow rows on a device: as long as groups that share a row walk, or 64 with gradients that sum channels",
          "[mapping][gpu]") {
  skip_without_cuda_device();
  auto const graph = many_edges();  // 50 rows of 30 to 79 edges: 16 threads each
  auto const policies = [&](int channels) {
    return plan_alike_on_device(graph, std::vector<float>(static_cast<std::size_t>(graph.num_sources) * channels),
                                channels);
  };
  auto const is_cut_at = [](std::string const& policy, int longest) {
    return policy.find("by_destination row_split max_edges=" + std::to_string(longest) + " ") != std::string::npos;
  };
  if (policies(1).has_few_geometries) return;
  CHECK(is_cut_at(policies(1).policy, 64 * 16));
  CHECK(is_cut_at(policies(8).policy, 64 * 8));
  CHECK(is_cut_at(policies(8).weighted_policy, 4 * 55));  // at least four times the mean degree and one
  CHECK(!is_cut_at(policies(16).policy, 64 * 4));         // four threads per group: rows as wide ones
}

TEST_CASE("narrow rows on a device: other states of shared pieces", "[mapping][gpu]") {
  skip_without_cuda_device();
  using largest = extremum_of_neighbors<edgewise::max>;
  check_mapping<mapped<scored_sum, pieces_of_sixty_four>>(
      run_on_device<mapped<scored_sum, pieces_of_sixty_four>, float>, {hubs_of_sparse_rows(), one_hub(9000)});
  check_mapping<mapped<largest, pieces_of_sixty_four>>(run_on_device<mapped<largest, pieces_of_sixty_four>, float>,
                                                       {hubs_of_sparse_rows(), one_hub(9000)});
}
