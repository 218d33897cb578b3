// Programs in float64, as their definitions read: a case's `reference(row)` says what one element of one destination
// (or of one edge) is, and a tape gives the gradients.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "program_case.hpp"
#include "reference/gradient.hpp"

namespace edgewise::reference {

using testing::rows_of;
using testing::width;

/// Where an operand lies among the reference's arrays: array 2 * k is operand k; 2 * k + 1 is operand k as destination
/// where it is a vertex operand, so that the gradients of both roles can be told apart.
struct operand_place {
  rows_of rows;
  operand_kind kind;
  int length = 0;  // of the small vectors that it holds, if it does
};

/// What all elements of one evaluation share.
struct program_state {
  test_graph const& graph;
  width extents;
  std::vector<operand_place> const& places;
  tape_reader const& read;
  bool has_self = false;  // rows end with an edge from the vertex to itself
  bool sums_channels = false;
  bool sums_heads = false;
  bool uses_whole_row = false;
  double num_messages = 1;
};

/// Reads operands at one edge, head and channel: what a message is a function of.
class edge_reader {
public:
  edge_reader(program_state& state, int source, int destination, int edge, int head, int channel)
      : state_(state), source_(source), destination_(destination), edge_(edge), head_(head), channel_(channel) {}

  /// The operand in its only role.
  variable operator()(int operand) const { return read(operand, state_.places.at(operand).rows); }
  /// Component `index` of an operand of small vectors in its only role, or in one.
  variable component(int operand, int index) const { return component(operand, index, state_.places.at(operand).rows); }
  variable component(int operand, int index, rows_of rows) const { return read(operand, rows, index); }
  /// An edge operand; on the self edge another operand, which has a row for every vertex.
  variable or_self(int operand, int self_operand) const {
    return edge_ < 0 ? read(self_operand, rows_of::destination) : read(operand, rows_of::edge);
  }
  /// An operand by type; on the self edge another operand, which has one row.
  variable type_or_self(int operand, int self_operand) const {
    return edge_ < 0 ? read(self_operand, rows_of::parameter) : read(operand, rows_of::type);
  }
  variable component_or_self(int operand, int self_operand, int index) const {
    return edge_ < 0 ? read(self_operand, rows_of::destination, index) : read(operand, rows_of::edge, index);
  }
  /// A vertex operand in one role.
  variable source(int operand) const { return read(operand, rows_of::source); }
  variable destination(int operand) const { return read(operand, rows_of::destination); }

  /// f(row) of the edge's source or destination: values of vertices that messages read.
  template <class F>
  variable at_source(F const& f) const;
  template <class F>
  variable at_destination(F const& f) const;

  /// Whose mask a dropout draws: the edge's id, the number of edges plus the row on a self edge.
  std::uint64_t number() const {
    return static_cast<std::uint64_t>(edge_ < 0 ? state_.graph.num_edges() + destination_ : edge_);
  }
  /// The element of the row, [heads, channels].
  int element() const { return head_ * state_.extents.channels + channel_; }
  int head() const { return head_; }
  int channel() const { return channel_; }

  /// f(reader) summed over the channels of the head.
  template <class F>
  variable sum_channels(F const& f) const {
    state_.sums_channels = true;
    variable total = 0.0;
    for (int channel = 0; channel < state_.extents.channels; ++channel) {
      total = total + f(edge_reader(state_, source_, destination_, edge_, head_, channel));
    }
    return total;
  }

private:
  variable read(int operand, rows_of rows, int index = 0) const {
    auto const& place = state_.places.at(operand);
    int const row = rows == rows_of::source        ? source_
                    : rows == rows_of::destination ? destination_
                    : rows == rows_of::edge        ? edge_
                    : rows == rows_of::type        ? state_.graph.type_of(edge_)
                                                   : 0;
    std::size_t element = static_cast<std::size_t>(row);
    if (testing::has_heads(place.kind)) element = element * state_.extents.heads + head_;
    if (testing::has_channels(place.kind)) element = element * state_.extents.channels + channel_;
    if (place.length > 0) element = element * place.length + index;
    bool const second = place.rows == rows_of::vertex && rows == rows_of::destination;
    return state_.read(2 * operand + (second ? 1 : 0), element);
  }

  program_state& state_;
  int source_, destination_, edge_, head_, channel_;
};

/// One element of one destination: what `reference(row)` combines.
class row_reader {
public:
  row_reader(program_state& state, int destination, int head, int channel)
      : state_(state), destination_(destination), head_(head), channel_(channel) {}

  /// An operand of the destination, or a parameter.
  variable operator()(int operand) const { return edge_reader(state_, -1, destination_, -1, head_, channel_)(operand); }
  variable destination(int operand) const {
    return edge_reader(state_, -1, destination_, -1, head_, channel_).destination(operand);
  }
  variable component(int operand, int index) const {
    return edge_reader(state_, -1, destination_, -1, head_, channel_).component(operand, index, rows_of::destination);
  }

  /// f(reader) summed over the channels of the head: of operands of the destination, and parameters.
  template <class F>
  variable sum_channels(F const& f) const {
    return edge_reader(state_, -1, destination_, -1, head_, channel_).sum_channels(f);
  }
  /// f(reader) summed over heads.
  template <class F>
  variable sum_heads(F const& f) const {
    state_.sums_heads = true;
    variable total = 0.0;
    for (int head = 0; head < state_.extents.heads; ++head) {
      total = total + f(row_reader(state_, destination_, head, channel_));
    }
    return total;
  }
  int heads() const { return state_.extents.heads; }

  std::uint64_t number() const { return static_cast<std::uint64_t>(destination_); }
  int element() const { return head_ * state_.extents.channels + channel_; }
  int channel() const { return channel_; }

  template <class Message>
  variable sum(Message const& message) const {
    return gather(gather_kind::sum, message);
  }
  template <class Message>
  variable mean(Message const& message) const {
    return gather(gather_kind::mean, message);
  }
  template <class Message>
  variable max(Message const& message) const {
    return gather(gather_kind::max, message);
  }
  template <class Message>
  variable min(Message const& message) const {
    return gather(gather_kind::min, message);
  }
  template <class Message>
  variable prod(Message const& message) const {
    return gather(gather_kind::prod, message);
  }
  template <class Message>
  variable stddev(Message const& message) const {
    return gather(gather_kind::stddev, message);
  }

  /// sum over edges of softmax(score) * value; edges of score -inf are left out.
  template <class Score, class Value>
  variable softmax_sum(Score const& score, Value const& value) const {
    auto const edges = edges_of_row();
    state_.uses_whole_row = true;
    note(edges.size());
    std::vector<variable> scores, values;
    double greatest = -std::numeric_limits<double>::infinity();
    for (auto const& edge : edges) {
      variable const s = score(edge);
      if (s.value == -std::numeric_limits<double>::infinity()) continue;
      scores.push_back(s);
      values.push_back(value(edge));
      greatest = std::max(greatest, s.value);
    }
    if (scores.empty()) return 0.0;
    variable total = 0.0, weighted = 0.0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      variable const e = exp(scores[i] - greatest);
      total = total + e;
      weighted = weighted + e * values[i];
    }
    return weighted / total;
  }

private:
  template <class Message>
  variable gather(gather_kind kind, Message const& message) const {
    auto const edges = edges_of_row();
    bool const chooses = kind == gather_kind::max || kind == gather_kind::min;
    state_.uses_whole_row |= kind == gather_kind::prod || kind == gather_kind::stddev;
    if (!chooses) note(edges.size());
    if (edges.empty()) return 0.0;
    std::vector<variable> messages;
    for (auto const& edge : edges) messages.push_back(message(edge));
    return detail::gather_on_tape(kind, messages, 1e-5);
  }
  void note(std::size_t num_messages) const {
    state_.num_messages = std::max(state_.num_messages, static_cast<double>(num_messages));
  }
  std::vector<edge_reader> edges_of_row() const {
    auto const& rows = state_.graph.by_destination;
    std::vector<edge_reader> edges;
    for (int k = rows.offsets[destination_]; k < rows.offsets[destination_ + 1]; ++k) {
      edges.emplace_back(state_, rows.neighbors[k], destination_, rows.edge_ids[k], head_, channel_);
    }
    if (state_.has_self) edges.emplace_back(state_, destination_, destination_, -1, head_, channel_);
    return edges;
  }

  program_state& state_;
  int destination_, head_, channel_;
};

template <class F>
variable edge_reader::at_source(F const& f) const {
  return f(row_reader(state_, source_, head_, channel_));
}
template <class F>
variable edge_reader::at_destination(F const& f) const {
  return f(row_reader(state_, destination_, head_, channel_));
}

/// One element of one edge: what `reference(edge)` of an edge program combines.
class out_edge_reader : public edge_reader {
public:
  out_edge_reader(program_state& state, int edge, int head, int channel)
      : edge_reader(state, state.graph.sources[edge], state.graph.destinations[edge], edge, head, channel),
        row_(state, state.graph.destinations[edge], head, channel) {}

  /// softmax(score) over the edges of the edge's destination.
  template <class Score>
  variable softmax(Score const& score) const {
    auto const is_this = [this](edge_reader const& e) { return variable(e.number() == number() ? 1.0 : 0.0); };
    return row_.softmax_sum(score, is_this);
  }

private:
  row_reader row_;
};

/// A program's value and its gradients. Shapes: value as the output; `by_role` two arrays per operand (operand_place).
struct program_values {
  testing::expected_values out;
  std::vector<testing::expected_values> by_role;

  /// The gradient of an operand over all its roles.
  testing::expected_values whole(int operand) const {
    auto total = by_role.at(2 * operand);
    auto const& other = by_role.at(2 * operand + 1);
    for (std::size_t i = 0; i < other.size(); ++i) {
      total.value[i] += other.value[i];
      total.scale[i] += other.scale[i];
      total.terms[i] += other.terms[i];
    }
    return total;
  }
};

/// What one evaluation of a case depends on, without the case's type. `element(state, row, head, channel)`: one element
/// of the output, which has `rows` rows of `row` elements.
struct evaluation {
  std::vector<operand_place> places;
  bool has_self;
  int rows;
  width row;
  std::function<variable(program_state&, int row, int head, int channel)> element;
};

/// Evaluates a case, element by element, and pulls `grad_out` back to its operands.
inline program_values evaluate(evaluation const& of, test_graph const& graph, width extents, operands const& inputs,
                               std::vector<double> const& grad_out) {
  operands by_role;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    by_role.push_back(inputs[k]);
    by_role.push_back(of.places[k].rows == rows_of::vertex ? inputs[k] : std::vector<double>{});
  }
  tape record;
  tape_reader const read(by_role, record);
  program_values result{
      .out = testing::expected_values(of.rows, static_cast<std::size_t>(of.row.heads) * of.row.channels),
      .by_role = detail::zeros_like(by_role)};
  std::size_t element = 0;
  for (int row = 0; row < of.rows; ++row) {
    for (int head = 0; head < of.row.heads; ++head) {
      for (int channel = 0; channel < of.row.channels; ++channel, ++element) {
        record.clear();
        program_state state{
            .graph = graph, .extents = extents, .places = of.places, .read = read, .has_self = of.has_self};
        variable const value = of.element(state, row, head, channel);
        double const channel_terms =
            (state.sums_channels ? extents.channels : 0) + (state.sums_heads ? extents.heads : 0);
        result.out.value[element] = value.value;
        result.out.scale[element] = value.magnitude;
        result.out.terms[element] = state.num_messages + channel_terms;
        double const pulled_terms = (state.uses_whole_row ? state.num_messages : 1) + channel_terms;
        if (!grad_out.empty())
          detail::pull_row(record, read, value, grad_out.at(element), pulled_terms, result.by_role);
      }
    }
  }
  return result;
}

template <class Case>
program_values evaluate(test_graph const& graph, width extents, operands const& inputs,
                        std::vector<double> const& grad_out) {
  constexpr bool has_self = requires { Case::has_self; };
  width const out = testing::out_extents<Case>(extents);
  int const heads = testing::has_heads(Case::out_kind) ? out.heads : 1;
  int const channels = testing::has_channels(Case::out_kind) ? out.channels : 1;
  int const heads_of_part = out.heads / testing::parts_of_output<Case>();
  auto const places = []<class... O>(std::tuple<O...>*) {
    return std::vector<operand_place>{{O::rows, O::kind, O::length}...};
  }(static_cast<typename Case::operands*>(nullptr));
  auto const element = [heads_of_part](program_state& state, int row, int head, int channel) -> variable {
    [[maybe_unused]] int const part = head / heads_of_part;
    if constexpr (requires { Case::is_of_edges; }) {
      return Case::reference(out_edge_reader(state, row, head, channel));
    } else if constexpr (requires { Case::num_parts; }) {
      return Case::reference(row_reader(state, row, head % heads_of_part, channel), part);
    } else {
      return Case::reference(row_reader(state, row, head, channel));
    }
  };
  evaluation const of{places, has_self, testing::num_out_rows<Case>(graph), {heads, channels}, element};
  return evaluate(of, graph, extents, inputs, grad_out);
}

}  // namespace edgewise::reference
