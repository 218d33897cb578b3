#include "rgcn_layers.hpp"

namespace edgewise::bench {

std::vector<std::vector<double>> rgcn_on_host(host_typed_graph const& graph_, typed_pairs<> const& pairs,
                                              double const* norm) {
  std::int64_t const vertices = graph_.num_vertices(), types = graph_.types.num_types();
  auto const sizes = learned_sizes(static_cast<std::size_t>(pairs.num_pairs()), static_cast<std::size_t>(vertices),
                                   static_cast<std::size_t>(types), static_cast<std::size_t>(graph_.num_classes));
  std::vector<std::vector<double>> values, results;
  std::vector<double const*> learned;
  std::vector<double*> gradients;
  results.emplace_back(static_cast<std::size_t>(vertices) * static_cast<std::size_t>(graph_.num_classes));
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    auto& x = values.emplace_back(sizes[k]);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = random_value(11 + k, i);
    results.emplace_back(sizes[k]);
  }
  for (auto const& x : values) learned.push_back(x.data());
  for (std::size_t k = 0; k < sizes.size(); ++k) gradients.push_back(results[k + 1].data());
  std::vector<double> adjoint(results[0].size());
  std::vector<double> feature(static_cast<std::size_t>(vertices) * rgcn::hidden), feature_gradient(feature.size());
  for (std::size_t i = 0; i < adjoint.size(); ++i) adjoint[i] = random_value(30, i);

  auto const by_source = to_csc(cpu{}, graph_.by_destination);
  auto const pair_rows = to_csr(cpu{}, pairs.edges);
  auto const pair_columns = to_csc(cpu{}, pairs.edges);
  graph const first{pair_rows, pair_columns};
  graph const second{graph_.by_destination, by_source, graph_.types};
  rgcn_layers<cpu, std::remove_const_t<decltype(first)>, std::remove_const_t<decltype(second)>, double> layers(
      cpu{}, first, second, norm, learned, feature.data(), feature_gradient.data(), results[0].data(),
      static_cast<double const*>(adjoint.data()), gradients, graph_.by_destination.num_edges(), pairs.num_pairs(),
      vertices, types, graph_.num_classes);
  layers.run(cpu{});
  return results;
}

}  // namespace edgewise::bench
