// What must hold of every graph that was accepted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <edgewise/format/convert.hpp>
#include <edgewise/format/graph.hpp>
#include <edgewise/format/validate.hpp>
#include <edgewise/io/dataset.hpp>
#include <edgewise/io/weighted_edges.hpp>

#include "../format/edges.hpp"
#include "target.hpp"

namespace edgewise::testing {

template <class Left, class Right>
bool same_numbers(Left const& left, Right const& right) {
  if (left.size() != right.size()) return false;
  for (std::size_t k = 0; k < left.size(); ++k) {
    if (static_cast<std::int64_t>(left[k]) != static_cast<std::int64_t>(right[k])) return false;
  }
  return true;
}

/// Compares bytes, by which a NaN equals itself.
template <class T>
bool same_bytes(host_buffer<T> const& left, host_buffer<T> const& right) {
  return left.size() == right.size() &&
         (left.empty() || std::memcmp(left.data(), right.data(), left.size_bytes()) == 0);
}

/// Every conversion of a valid graph is valid and holds the same edges under the same ids.
template <class Index, class Offset>
void check_graph(coo<Index, Offset> const& edges) {
  validate(edges);
  constexpr std::int64_t largest = 1 << 12;  // offsets of more vertices take longer than they teach
  if (edges.num_sources() > largest || edges.num_destinations() > largest) return;
  cpu const exec;
  auto const by_destination = to_csr(exec, edges);
  auto const by_source = to_csc(exec, by_destination);
  auto const pairs = to_coo(exec, by_source);
  validate(by_destination);
  validate(by_source);
  validate(pairs);
  validate(graph{by_destination, by_source});
  auto const expected = edges_by_id(edges.view());
  require(edges_by_id(by_destination.view()) == expected, "a csr has the edges of its coo");
  require(edges_by_id(by_source.view()) == expected, "a csc has the edges of its csr");
  require(edges_by_id(pairs.view()) == expected, "a coo has the edges of its csc");
  require(pairs.counts() == edges.counts(), "conversions keep the vertices");
}

/// Two graphs, of any index types.
template <class Left, class Right>
void check_same(Left const& left, Right const& right) {
  require(left.edges.counts() == right.edges.counts(), "readers of two index types agree on the vertices");
  require(same_numbers(left.edges.sources(), right.edges.sources()), "readers of two index types agree on the sources");
  require(same_numbers(left.edges.destinations(), right.edges.destinations()),
          "readers of two index types agree on the destinations");
  require(same_bytes(left.weights, right.weights), "readers of two index types agree on the weights");
}

/// `read(Index{})` reads a file as graphs of 32 and 64 bits. What the first takes, the second takes too.
template <class Read>
void check_reader(Read read) {
  weighted_edges<> first;
  if (accepts([&] { first = read(std::int32_t{}); })) {
    check_graph(first.edges);
    require(first.weights.empty() || first.weights.size() == first.edges.sources().size(), "every edge has a weight");
    check_same(first, read(std::int32_t{}));
    auto const wide = read(std::int64_t{});
    check_graph(wide.edges);
    check_same(first, wide);
  } else {
    accepts([&] { check_graph(read(std::int64_t{}).edges); });
  }
}

/// What readers of tasks promise about the arrays of a dataset.
inline void check_dataset(dataset const& data) {
  check_graph(data.edges);
  auto const num_vertices = static_cast<std::size_t>(data.edges.num_sources());
  auto const in_range = [](auto const& values, std::int64_t first, std::int64_t last) {
    for (auto const value : values) {
      if (value < first || value >= last) return false;
    }
    return true;
  };
  require(data.num_classes >= 0, "classes are counted");
  require(data.labels.empty() || data.labels.size() == num_vertices, "every vertex has a label");
  require(in_range(data.labels, -1, data.num_classes), "labels are classes");
  require(in_range(data.multi_labels, 0, 2), "a vertex has a label or not");
  require(data.multi_labels.empty() ||
              data.multi_labels.size() == num_vertices * static_cast<std::size_t>(data.num_classes),
          "every vertex has or has not each label");
  for (auto const* const list : {&data.train, &data.validation, &data.test}) {
    require(in_range(*list, 0, static_cast<std::int64_t>(num_vertices)), "lists are of vertices");
  }
  require(data.edge_types.empty() || data.edge_types.size() == data.edges.sources().size(), "every edge has a type");
  require(data.node_types.empty() || data.node_types.size() == num_vertices, "every vertex has a type");
  auto num_columns = std::int64_t{0}, num_rows = std::int64_t{data.edges.num_sources()};
  if (auto const* const sparse = std::get_if<sparse_features>(&data.features)) {
    num_rows = sparse->num_rows, num_columns = sparse->num_columns;
  } else if (auto const* const dense = std::get_if<dense_features>(&data.features)) {
    num_rows = dense->num_rows, num_columns = dense->num_columns;
  }
  require(num_rows == data.edges.num_sources() && num_columns >= 0, "every vertex has features");
  if (num_columns > 0 && num_rows > (1 << 20) / num_columns) return;
  auto const features = dense_features_of(data);
  require(features.values.size() == static_cast<std::size_t>(num_rows * num_columns), "features have a shape");
}

/// Two readings of one file.
inline void check_same(dataset const& left, dataset const& right) {
  require(left.edges.counts() == right.edges.counts() && same_bytes(left.edges.sources(), right.edges.sources()) &&
              same_bytes(left.edges.destinations(), right.edges.destinations()) &&
              same_bytes(left.labels, right.labels) && same_bytes(left.multi_labels, right.multi_labels) &&
              same_bytes(left.train, right.train) && same_bytes(left.validation, right.validation) &&
              same_bytes(left.test, right.test) && same_bytes(left.edge_types, right.edge_types) &&
              same_bytes(left.node_types, right.node_types) && left.num_classes == right.num_classes &&
              left.class_names == right.class_names,
          "reading twice agrees");
}

}  // namespace edgewise::testing
