// What checks of bench_programs compare with.
#include "programs.hpp"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "harness/host_views.hpp"

namespace edgewise::bench {
namespace {

graph<csr_view<>, csc_view<>> views_of(host_graph const& g) {
  return graph{view_of<csr_view<>>(g.by_destination), view_of<csc_view<>>(g.by_source)};
}

}  // namespace

template <class Named>
void run_on_host(host_graph const& g, program_operands<double> const& operands, int parts, bool backward,
                 double const* adjoint, double* expected) {
  auto const in = Named::bind(operands);
  auto const plan = fuse(views_of(g), automatic{}, Named::program).plan(cpu{}, in);
  std::int32_t const rows = operands.num_destinations;
  std::vector<double> values(backward ? static_cast<std::size_t>(rows) * parts * program_channels : 0);
  auto saved = plan.make_saved(cpu{});
  plan.forward(cpu{}, in, out(wide(backward ? values.data() : expected, rows, parts, program_channels)), saved);
  if (!backward) return;
  plan.backward(cpu{}, in, saved, grad_out(wide(adjoint, rows, parts, program_channels)),
                grad<feature>(wide(expected, operands.num_sources, 1, program_channels)));
}

void weight_gradient_on_host(host_graph const& g, program_operands<double> const& operands, double const* adjoint,
                             double* expected) {
  host_grouping const& edges = g.by_destination;
  for (std::int32_t row = 0; row < edges.num_rows(); ++row) {
    double const* const dy = adjoint + std::int64_t{row} * program_channels;
    for (std::int32_t k = edges.offsets[row]; k < edges.offsets[row + 1]; ++k) {
      double const* const x = operands.features + std::int64_t{edges.neighbors[k]} * program_channels;
      expected[edges.edge_id(k)] = std::inner_product(dy, dy + program_channels, x, 0.0);
    }
  }
}

void attention_weights_on_host(host_graph const& g, program_operands<double> const& operands, double* expected) {
  auto const in = attention_program::bind(operands);
  auto const plan = fuse(views_of(g), automatic{}, attention_program::program).plan(cpu{}, in);
  std::vector<double> values(static_cast<std::size_t>(operands.num_destinations) * program_channels);
  auto saved = plan.make_saved(cpu{});
  plan.forward(cpu{}, in, out(wide(values.data(), operands.num_destinations, 1, program_channels)), saved);
  plan.attention_weights(cpu{}, in, saved, out(per_head(expected, operands.num_edges, 1)));
}

template void run_on_host<weighted_program>(host_graph const&, program_operands<double> const&, int, bool,
                                            double const*, double*);
template void run_on_host<squared_program>(host_graph const&, program_operands<double> const&, int, bool, double const*,
                                           double*);
template void run_on_host<normalized_program>(host_graph const&, program_operands<double> const&, int, bool,
                                              double const*, double*);
template void run_on_host<hops_program>(host_graph const&, program_operands<double> const&, int, bool, double const*,
                                        double*);
template void run_on_host<factors_program>(host_graph const&, program_operands<double> const&, int, bool, double const*,
                                           double*);
template void run_on_host<dropout_program>(host_graph const&, program_operands<double> const&, int, bool, double const*,
                                           double*);
template void run_on_host<scored_program>(host_graph const&, program_operands<double> const&, int, bool, double const*,
                                          double*);
template void run_on_host<dropped_weights_program>(host_graph const&, program_operands<double> const&, int, bool,
                                                   double const*, double*);
template void run_on_host<attention_program>(host_graph const&, program_operands<double> const&, int, bool,
                                             double const*, double*);
template void run_on_host<sum_program>(host_graph const&, program_operands<double> const&, int, bool, double const*,
                                       double*);
template void run_on_host<mean_program>(host_graph const&, program_operands<double> const&, int, bool, double const*,
                                        double*);
template void run_on_host<max_program>(host_graph const&, program_operands<double> const&, int, bool, double const*,
                                       double*);
template void run_on_host<min_program>(host_graph const&, program_operands<double> const&, int, bool, double const*,
                                       double*);
template void run_on_host<prod_program>(host_graph const&, program_operands<double> const&, int, bool, double const*,
                                        double*);
template void run_on_host<stddev_program>(host_graph const&, program_operands<double> const&, int, bool, double const*,
                                          double*);
template void run_on_host<self_program>(host_graph const&, program_operands<double> const&, int, bool, double const*,
                                        double*);
template void run_on_host<four_program>(host_graph const&, program_operands<double> const&, int, bool, double const*,
                                        double*);

}  // namespace edgewise::bench
