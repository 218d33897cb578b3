// Readouts: what a model makes of the vertices of each graph of a batch.
#pragma once

#include <edgewise/edgewise.hpp>

namespace edgewise::models {

// Programs over `graph_batch::members()`, whose sources are vertices and whose destinations are graphs. They may be
// combined, as in relu(linear<W>(concat(mean_readout<h>(), max_readout<h>()))). A graph without vertices has 0.

/// The sum of rows h [V, channels] of the vertices of each graph. Source: Xu et al. 2019, arXiv:1810.00826, section 4.
template <class h>
constexpr auto sum_readout() {
  return gather<sum>(src<h>);
}
template <class h>
constexpr auto mean_readout() {
  return gather<mean>(src<h>);
}
/// The largest of each channel.
template <class h>
constexpr auto max_readout() {
  return gather<max>(src<h>);
}
/// The sum of rows weighed by the softmax of a score of the vertices of a graph, linear<W>(h) say: `score` is an
/// expression of sources. Source: Li et al. 2016, arXiv:1511.05493, equation 7, with softmax in the place of a sigmoid.
template <class h, class Score>
constexpr auto attention_readout(Score const& score) {
  return gather<sum>(softmax(score) * src<h>);
}

}  // namespace edgewise::models
