// A square graph in the context's memory with numbers of vertices by which PNA scales what it gathers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <edgewise/core/error.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/format/csc.hpp>
#include <edgewise/format/csr.hpp>
#include <edgewise/format/graph.hpp>

#include "models/square_graph.hpp"
#include "models/uploaded.hpp"

namespace edgewise::models {

/// The mean over vertices v of log(1 + the edges into v); 0 without vertices.
inline double mean_log_degree(csr_view<> const& by_destination) {
  double sum = 0;
  for (std::int32_t v = 0; v < by_destination.num_rows; ++v) {
    sum += std::log1p(by_destination.offsets[v + 1] - by_destination.offsets[v]);
  }
  return by_destination.num_rows == 0 ? 0 : sum / by_destination.num_rows;
}
/// That of a graph that a model is trained on. Without an edge there is no degree to compare with: log 2 then.
inline double training_log_degree(csr_view<> const& by_destination) {
  return by_destination.num_edges == 0 ? std::log(2.0) : mean_log_degree(by_destination);
}

/// Both groupings of a graph and, for each vertex, its log-degree over that of training, log(1 + d) / delta, and the
/// inverse of that. Source: Corso et al. 2020, arXiv:2004.05718, equation 5. For the inverse a vertex without edges
/// counts as one of degree 1: nothing is gathered there, whatever the scale.
template <class T, class Context>
class scaled_graph {
public:
  using space = typename Context::space;

  /// Copies two host groupings of the same edges. `delta`: the mean log-degree of the graph that a model is trained on.
  /// Synchronises. Throws what `square_graph` does, and `invalid_argument` unless delta > 0.
  scaled_graph(Context const& context, csr_view<> const& by_destination, csc_view<> const& by_source, double delta)
      : groupings_(context, by_destination, by_source) {
    if (!(delta > 0)) {
      throw invalid_argument(
          edgewise::detail::text("scaled_graph: the mean log-degree is ", delta, ", must be above 0"));
    }
    std::vector<T> amplification, attenuation;
    for (std::int32_t v = 0; v < by_destination.num_rows; ++v) {
      std::int32_t const degree = by_destination.offsets[v + 1] - by_destination.offsets[v];
      amplification.push_back(static_cast<T>(std::log1p(degree) / delta));
      attenuation.push_back(static_cast<T>(delta / std::log1p(std::max(degree, 1))));
    }
    amplification_ = uploaded(context, groupings_.own_rows(amplification));
    attenuation_ = uploaded(context, groupings_.own_rows(attenuation));
    context.synchronize();
  }
  /// The graph that a model is trained on.
  scaled_graph(Context const& context, csr_view<> const& by_destination, csc_view<> const& by_source)
      : scaled_graph(context, by_destination, by_source, training_log_degree(by_destination)) {}

  std::int64_t num_vertices() const { return groupings_.num_vertices(); }
  square_graph<Context> const& groupings() const { return groupings_; }
  decltype(auto) view() const { return groupings_.view(); }
  /// log(1 + d) / delta, [V].
  T const* amplification() const { return amplification_.data(); }
  /// delta / log(1 + max(d, 1)), [V].
  T const* attenuation() const { return attenuation_.data(); }

private:
  square_graph<Context> groupings_;
  buffer<T, space> amplification_;
  buffer<T, space> attenuation_;
};

}  // namespace edgewise::models
