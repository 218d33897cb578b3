// Reference gradients of gathers: each row and channel is recorded on a tape of its own and pulled back.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <edgewise/core/error.hpp>

#include "gather.hpp"
#include "operands.hpp"

namespace edgewise::reference {

namespace detail {

/// One row's gather on the tape of its messages.
inline variable gather_on_tape(gather_kind kind, std::vector<variable> const& messages, double epsilon) {
  std::vector<term> const terms(messages.begin(), messages.end());
  combined const row = combine(kind, terms, epsilon);
  double const count = static_cast<double>(messages.size());
  std::vector<tape::partial> partials;
  switch (kind) {
    case gather_kind::max:
    case gather_kind::min:
      return messages[row.argument];  // the first message on ties, alone
    case gather_kind::prod: {
      variable product = 1.0;  // one multiplication at a time, so that zeros need no special case
      for (variable const& m : messages) product = product * m;
      return product;
    }
    case gather_kind::sum:
      for (variable const& m : messages) partials.push_back({&m, 1.0});
      break;
    case gather_kind::mean:
      for (variable const& m : messages) partials.push_back({&m, 1 / count});
      break;
    case gather_kind::stddev: {
      double const deviation = row.result.value;
      if (deviation == 0) return 0.0;  // epsilon = 0 and all messages equal: the gradient is 0 by definition
      term const mean = combine(gather_kind::mean, terms, 0).result;
      double const root_mean_square = row.result.magnitude - deviation;
      for (variable const& m : messages) {
        // Exactly 0 where all messages are equal, by m - mean.
        double const centered = m.value - mean.value;
        double const magnitude = m.magnitude + mean.magnitude + std::abs(centered) * root_mean_square / deviation;
        partials.push_back({&m, {centered / (count * deviation), magnitude / (count * deviation)}});
      }
      break;
    }
  }
  for (variable const& m : messages) {
    if (m.owner != nullptr) return m.owner->record(row.result, partials.data(), partials.size());
  }
  return row.result;
}

/// Arrays shaped like `inputs`, all zero.
inline std::vector<expected_values> zeros_like(operands const& inputs) {
  std::vector<expected_values> zeros;
  for (auto const& input : inputs) zeros.emplace_back(input.size(), 1);
  return zeros;
}

inline void require_grad_size(char const* who, std::size_t size, std::size_t wanted) {
  if (size == wanted) return;
  throw invalid_argument(edgewise::detail::text(who, ": grad_out has ", size, " elements, the output has ", wanted));
}

/// Adds a row's gradients; `row_terms` is how many numbers the row itself had combined in each.
inline void pull_row(tape const& record, tape_reader const& read, variable const& result, double grad_out,
                     double row_terms, std::vector<expected_values>& gradients) {
  record.pull(result, grad_out, [&](std::size_t id, term const& adjoint) {
    auto const [operand, element] = read.place(id);
    gradients[operand].value[element] += adjoint.value;
    gradients[operand].scale[element] += adjoint.magnitude;
    gradients[operand].terms[element] += row_terms;
  });
}

}  // namespace detail

/// d<grad_out, reference_gather(...)> / d inputs, one array per operand, by reverse differentiation.
/// message(read, source, destination, edge_id, head, channel) returns a `variable` made from read(operand, element).
/// Shapes: grad_out [num_destinations, heads, channels]. max and min give all of a tie to the first edge.
template <class Message>
std::vector<expected_values> reference_gradient(test_graph const& graph, gather_kind kind, int heads, int channels,
                                                operands const& inputs, Message&& message,
                                                std::vector<double> const& grad_out, double epsilon = 1e-5) {
  auto const& rows = graph.by_destination;
  std::size_t const width = static_cast<std::size_t>(heads) * channels;
  detail::require_grad_size("reference_gradient", grad_out.size(), graph.num_destinations * width);
  auto gradients = detail::zeros_like(inputs);
  tape record;
  tape_reader const read(inputs, record);
  for (int v = 0; v < graph.num_destinations; ++v) {
    if (rows.degree(v) == 0) continue;
    bool const uses_whole_row = kind == gather_kind::prod || kind == gather_kind::stddev;
    double const row_terms = uses_whole_row ? rows.degree(v) : 1;
    for (int head = 0; head < heads; ++head) {
      for (int channel = 0; channel < channels; ++channel) {
        record.clear();
        std::vector<variable> messages;
        for (int k = rows.offsets[v]; k < rows.offsets[v + 1]; ++k) {
          messages.push_back(message(read, rows.neighbors[k], v, rows.edge_ids[k], head, channel));
        }
        variable const result = detail::gather_on_tape(kind, messages, epsilon);
        detail::pull_row(record, read, result, grad_out[v * width + head * channels + channel], row_terms, gradients);
      }
    }
  }
  return gradients;
}

/// d<grad_out, reference_softmax_sum(...).out> / d inputs. score(read, source, destination, edge_id, head) and
/// value(read, source, destination, edge_id, head, channel) return a `variable`. Edges of score -inf get no gradient.
template <class Score, class Value>
std::vector<expected_values> reference_softmax_gradient(test_graph const& graph, int heads, int channels,
                                                        operands const& inputs, Score&& score, Value&& value,
                                                        std::vector<double> const& grad_out) {
  auto const& rows = graph.by_destination;
  std::size_t const width = static_cast<std::size_t>(heads) * channels;
  detail::require_grad_size("reference_softmax_gradient", grad_out.size(), graph.num_destinations * width);
  auto gradients = detail::zeros_like(inputs);
  tape record;
  tape_reader const read(inputs, record);
  for (int v = 0; v < graph.num_destinations; ++v) {
    for (int head = 0; head < heads; ++head) {
      for (int channel = 0; channel < channels; ++channel) {
        record.clear();
        std::vector<variable> scores;
        std::vector<variable> values;
        double greatest = -std::numeric_limits<double>::infinity();
        for (int k = rows.offsets[v]; k < rows.offsets[v + 1]; ++k) {
          variable const s = score(read, rows.neighbors[k], v, rows.edge_ids[k], head);
          if (s.value == -std::numeric_limits<double>::infinity()) continue;
          scores.push_back(s);
          values.push_back(value(read, rows.neighbors[k], v, rows.edge_ids[k], head, channel));
          greatest = std::max(greatest, s.value);
        }
        variable total = 0.0;
        variable weighted = 0.0;
        for (std::size_t i = 0; i < scores.size(); ++i) {
          variable const e = exp(scores[i] - greatest);  // a constant shift: it cancels in the quotient
          total = total + e;
          weighted = weighted + e * values[i];
        }
        if (scores.empty()) continue;
        detail::pull_row(record, read, weighted / total, grad_out[v * width + head * channels + channel],
                         rows.degree(v), gradients);
      }
    }
  }
  return gradients;
}

}  // namespace edgewise::reference
