#include <cstdint>
#include <cstdio>
#include <vector>

#include <edgewise/edgewise.hpp>

#include "models/adam.hpp"
#include "models/context.hpp"
#include "models/cross_entropy.hpp"
#include "models/gcn.hpp"

namespace ew = edgewise;
using context_type = ew::models::context<ew::cpu>;

// Trains a GCN on the karate club, features one-hot, every vertex labelled: the loss falls.
int main() {
  auto const club = ew::karate_club();
  auto const csr = ew::to_csr(ew::cpu{}, club.edges);
  auto const csc = ew::to_csc(ew::cpu{}, club.edges);
  std::int64_t const vertices = csr.num_destinations();

  context_type const context;
  ew::models::normalized_graph<float, context_type> const graph(context, csr.view(), csc.view());
  ew::models::matrix<float, ew::host_space> features(context.make_buffer<float>(vertices * vertices), vertices,
                                                     vertices);
  context.fill_zero(features.view().data, vertices * vertices);
  std::vector<std::int32_t> rows;
  for (std::int32_t v = 0; v < vertices; ++v) {
    features.view().data[v * vertices + v] = 1;
    rows.push_back(v);
  }

  ew::random_state state{1, 0};
  ew::models::gcn<float, context_type> model(context, graph, features.view(),
                                             {.num_features = vertices, .num_classes = 2}, &state);
  model.initialize(context, 1);
  ew::models::adam<float, context_type> optimizer(context, model.all_parameters().size(), {});
  ew::models::softmax_cross_entropy<float, context_type> loss(
      context, ew::models::labelled_rows<context_type>(context, {club.labels.data(), club.labels.size()}, rows, 2));

  double first = 0, last = 0;
  for (int step = 0; step < 50; ++step) {
    loss(context, model.forward(context));
    model.backward(context, loss.gradient());
    optimizer.step(context, model.all_parameters());
    ++state.step;
    last = loss.loss(context);
    if (step == 0) first = last;
  }
  std::printf("loss %g, after 50 steps %g\n", first, last);
  return last < 0.8 * first ? 0 : 1;
}
