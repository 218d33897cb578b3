// A two-layer R-GCN for entity classification: typed graphs, the programs of its layers, and their two passes.
#pragma once

#include <edgewise/edgewise.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <edgewise/io/npy_folder.hpp>

#include "harness/random_value.hpp"

namespace edgewise::bench {

/// A graph whose edges have types, in host memory: rows by destination, ids are positions.
struct host_typed_graph {
  std::string name;
  int num_classes = 0;
  csr<> by_destination;
  typed_edges<> types;

  std::int32_t num_vertices() const { return by_destination.num_destinations(); }
};

inline host_typed_graph typed_graph_of(std::string name, int num_classes, coo<> const& edges,
                                       host_buffer<std::int32_t> const& types_by_id, int num_types) {
  auto const rows = to_csr(cpu{}, edges);
  std::vector<std::int32_t> types(types_by_id.size());
  for (std::size_t k = 0; k < types.size(); ++k) types[k] = types_by_id[static_cast<std::size_t>(rows.edge_ids()[k])];
  csr<> by_destination(rows.counts(), copy_of(std::span(rows.offsets())), copy_of(std::span(rows.neighbors())));
  auto typed = to_typed_edges(cpu{}, by_destination, types, num_types);
  return {std::move(name), num_classes, std::move(by_destination), std::move(typed)};
}

/// Which edges of a knowledge graph there are: facts, from subjects to objects, the same turned around, or both.
enum class fact_edges { facts, inverses, both };

/// 334 thousand vertices, 1.83 million edges and 206 types, as bgs has them: half of the edges are the other half
/// turned around, sizes of types fall as 1 / rank, and objects of a type are few for most types. Modelled, not real.
inline host_typed_graph generate_bgs(std::string const& name, fact_edges which) {
  constexpr int num_vertices = 333845, num_types = 206;
  constexpr std::int64_t num_edges = 1832398;
  std::int64_t const num_facts = num_edges / 2;
  double total = 0;
  for (int r = 0; r < num_types / 2; ++r) total += 1.0 / (r + 1);
  host_buffer<std::int32_t> sources(static_cast<std::size_t>(num_edges), host_memory());
  host_buffer<std::int32_t> destinations(static_cast<std::size_t>(num_edges), host_memory());
  host_buffer<std::int32_t> types(static_cast<std::size_t>(num_edges), host_memory());
  auto const draw = [](std::uint64_t seed, std::int64_t k, double below) {
    double const x = (static_cast<double>(random_value(seed, static_cast<std::uint64_t>(k))) + 1) / 2;
    return static_cast<std::int64_t>(x * below);
  };
  std::int64_t k = 0;
  double reached = 0;
  for (int r = 0; r < num_types / 2; ++r) {
    reached += 1.0 / (r + 1);
    auto const end = r + 1 == num_types / 2 ? num_facts : static_cast<std::int64_t>(num_facts * reached / total);
    std::int64_t const objects = r % 4 == 0 ? num_vertices : 32 + draw(7, r, 4000);
    for (; k < end; ++k) {
      auto const subject = static_cast<std::int32_t>(draw(8, k, num_vertices));
      auto const object =
          static_cast<std::int32_t>((draw(9, k, static_cast<double>(objects)) + 977 * r) % num_vertices);
      auto const fact = static_cast<std::size_t>(k);
      auto const inverse = static_cast<std::size_t>(num_facts + k);
      sources[fact] = destinations[inverse] = subject;
      destinations[fact] = sources[inverse] = object;
      types[fact] = 2 * r;
      types[inverse] = 2 * r + 1;
    }
  }
  if (which != fact_edges::both) {
    auto const half = [&](host_buffer<std::int32_t> const& all) {
      host_buffer<std::int32_t> part(static_cast<std::size_t>(num_facts), host_memory());
      auto const first = all.begin() + (which == fact_edges::facts ? 0 : num_facts);
      std::copy(first, first + num_facts, part.begin());
      return part;
    };
    sources = half(sources), destinations = half(destinations), types = half(types);
  }
  coo<> const edges({.sources = num_vertices, .destinations = num_vertices}, std::move(sources),
                    std::move(destinations));
  return typed_graph_of(name, 2, edges, types, num_types);
}

/// DIR/NAME of the first directory that has it, as `read_npy_folder` reads it, or one of `bgs_like`, `bgs_facts` and
/// `bgs_inverses`, which are generated.
inline host_typed_graph read_typed_graph(std::vector<std::string> const& directories, std::string const& name) {
  if (name == "bgs_like") return generate_bgs(name, fact_edges::both);
  if (name == "bgs_facts") return generate_bgs(name, fact_edges::facts);
  if (name == "bgs_inverses") return generate_bgs(name, fact_edges::inverses);
  for (std::string const& directory : directories) {
    std::filesystem::path const folder = std::filesystem::path(directory) / name;
    if (!std::filesystem::exists(folder / "edge_type.npy")) continue;
    auto const data = read_npy_folder(folder);
    std::int32_t const largest = *std::max_element(data.edge_types.begin(), data.edge_types.end());
    return typed_graph_of(name, data.num_classes, data.edges, data.edge_types, largest + 1);
  }
  throw io_error(edgewise::detail::text(
      name, ": no directory has NAME/edge_type.npy; there are bgs_like, bgs_facts and bgs_inverses besides"));
}

namespace rgcn {

inline constexpr int hidden = 16;

struct norm;         // [E]: 1 / edges of the type at the destination
struct pair_row;     // [pairs by source, 16]: the first layer's weights, a row for each type and source
struct own_row;      // [V, 16]: and of the vertex itself
struct hidden_bias;  // [16]
struct feature;      // [V, 16]: what the first layer gives
struct weights;      // [types, classes, 16]
struct own_weights;  // [classes, 16]
struct bias;         // [classes]

/// Features of vertices are one-hot, so that x W[type] is a row of W: no product is computed.
inline constexpr auto first_layer = relu(gather<sum>(edge<norm> * src<pair_row>) + dst<own_row> + param<hidden_bias>);
/// Classes are heads: W[type] x is an inner product for each.
inline constexpr auto second_layer = gather<sum>(edge<norm> * dot(relation<weights>, src<feature>)) +
                                     dot(param<own_weights>, dst<feature>) + param<bias>;

/// What the layers read, learn and give, in an order that names its arrays. T: const for operands.
enum array_name { pair_rows, own_rows, hidden_biases, class_weights, own_class_weights, class_biases, num_learned };

}  // namespace rgcn

/// Sizes of the learned arrays.
inline std::vector<std::size_t> learned_sizes(std::size_t pairs, std::size_t vertices, std::size_t types,
                                              std::size_t classes) {
  using rgcn::hidden;
  return {pairs * hidden, vertices * hidden, hidden, types * classes * hidden, classes * hidden, classes};
}

/// The bindings of both layers from pointers, of a float or double engine.
template <class T>
auto bind_first(T const* norm, std::vector<T const*> const& learned, std::int64_t edges, std::int64_t pairs,
                std::int64_t vertices) {
  using namespace rgcn;
  return bindings(bind<rgcn::norm>(constant_rows(per_row(norm, edges))),
                  bind<pair_row>(wide(learned[pair_rows], pairs, hidden)),
                  bind<own_row>(wide(learned[own_rows], vertices, hidden)),
                  bind<hidden_bias>(wide(learned[hidden_biases], 1, hidden)));
}
template <class T>
auto bind_second(T const* norm, T const* feature, std::vector<T const*> const& learned, std::int64_t edges,
                 std::int64_t vertices, std::int64_t types, int classes) {
  using namespace rgcn;
  return bindings(bind<rgcn::norm>(constant_rows(per_row(norm, edges))),
                  bind<rgcn::feature>(per_channel(feature, vertices, hidden)),
                  bind<weights>(wide(learned[class_weights], types, classes, hidden)),
                  bind<own_weights>(wide(learned[own_class_weights], 1, classes, hidden)),
                  bind<bias>(per_head(learned[class_biases], 1, classes)));
}

/// Forward and backward of the two layers on one engine. Arrays of gradients are in the order of `learned`.
template <class Exec, class First, class Second, class T>
class rgcn_layers {
public:
  rgcn_layers(Exec const& exec, First const& pairs, Second const& graph, T const* norm, std::vector<T const*> learned,
              T* feature, T* feature_gradient, T* out, T const* adjoint, std::vector<T*> gradients, std::int64_t edges,
              std::int64_t num_pairs, std::int64_t vertices, std::int64_t types, int classes)
      : first_in_(bind_first(norm, learned, edges, num_pairs, vertices)),
        second_in_(bind_second(norm, static_cast<T const*>(feature), learned, edges, vertices, types, classes)),
        first_(fuse(pairs, automatic{}, rgcn::first_layer).plan(exec, first_in_)),
        second_(fuse(graph, automatic{}, rgcn::second_layer).plan(exec, second_in_)),
        first_saved_(first_.make_saved(exec)),
        second_saved_(second_.make_saved(exec)),
        feature_(feature),
        feature_gradient_(feature_gradient),
        out_(out),
        adjoint_(adjoint),
        gradients_(std::move(gradients)),
        pairs_(num_pairs),
        vertices_(vertices),
        types_(types),
        classes_(classes) {}

  void run(Exec const& exec) {
    using namespace rgcn;
    first_.forward(exec, first_in_, edgewise::out(wide(feature_, vertices_, hidden)), first_saved_);
    second_.forward(exec, second_in_, edgewise::out(per_head(out_, vertices_, classes_)), second_saved_);
    second_.backward(exec, second_in_, second_saved_, grad_out(per_head(adjoint_, vertices_, classes_)),
                     grad<rgcn::feature>(per_channel(feature_gradient_, vertices_, hidden)),
                     grad<weights>(wide(gradients_[class_weights], types_, classes_, hidden)),
                     grad<own_weights>(wide(gradients_[own_class_weights], 1, classes_, hidden)),
                     grad<bias>(per_head(gradients_[class_biases], 1, classes_)));
    T const* const adjoint = feature_gradient_;
    first_.backward(exec, first_in_, first_saved_, grad_out(wide(adjoint, vertices_, hidden)),
                    grad<pair_row>(wide(gradients_[pair_rows], pairs_, hidden)),
                    grad<own_row>(wide(gradients_[own_rows], vertices_, hidden)),
                    grad<hidden_bias>(wide(gradients_[hidden_biases], 1, hidden)));
  }

private:
  using first_bindings = decltype(bind_first(std::declval<T const*>(), std::declval<std::vector<T const*>>(), 0, 0, 0));
  using second_bindings = decltype(bind_second(std::declval<T const*>(), std::declval<T const*>(),
                                               std::declval<std::vector<T const*>>(), 0, 0, 0, 0));
  using first_plan = decltype(fuse(std::declval<First>(), automatic{}, rgcn::first_layer)
                                  .plan(std::declval<Exec>(), std::declval<first_bindings>()));
  using second_plan = decltype(fuse(std::declval<Second>(), automatic{}, rgcn::second_layer)
                                   .plan(std::declval<Exec>(), std::declval<second_bindings>()));

  first_bindings first_in_;
  second_bindings second_in_;
  first_plan first_;
  second_plan second_;
  decltype(std::declval<first_plan>().make_saved(std::declval<Exec>())) first_saved_;
  decltype(std::declval<second_plan>().make_saved(std::declval<Exec>())) second_saved_;
  T* feature_;
  T* feature_gradient_;
  T* out_;
  T const* adjoint_;
  std::vector<T*> gradients_;
  std::int64_t pairs_, vertices_, types_;
  int classes_;
};

/// Output [V, classes] and gradients, in the order of the learned arrays, of the CPU engine in double: what
/// `random_value` gives with seed 11 + k for learned array k and 30 for the adjoint of the output. norm: [E].
std::vector<std::vector<double>> rgcn_on_host(host_typed_graph const& graph, typed_pairs<> const& pairs,
                                              double const* norm);

}  // namespace edgewise::bench
