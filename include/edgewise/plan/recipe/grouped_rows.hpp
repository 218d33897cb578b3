// What recipes over grouped edges have in common: the graph, its schedules, and how passes run on them.
#pragma once

#include <algorithm>
#include <string>
#include <type_traits>

#include <edgewise/core/extents.hpp>
#include <edgewise/engine/concept.hpp>
#include <edgewise/expression/roles.hpp>
#include <edgewise/format/graph.hpp>
#include <edgewise/format/graph_traits.hpp>
#include <edgewise/mapping/concept.hpp>
#include <edgewise/pass/pass_traits.hpp>
#include <edgewise/plan/recipe/recipe_base.hpp>
#include <edgewise/plan/same_edges.hpp>
#include <edgewise/plan/split_groupings.hpp>
#include <edgewise/program/bindings.hpp>
#include <edgewise/program/shapes.hpp>
#include <edgewise/program/static_extents.hpp>
#include <edgewise/schedule/sizing.hpp>

namespace edgewise::inline v0::detail {

/// A pass ready to run, and the channels of the longest chunk that all its rows allow.
template <class Pass>
struct ready_pass {
  Pass pass{};
  int chunk = longest_chunk;
  bool reads_in_order = false;  ///< operands of edges lie in the order of the grouping: ids are not needed
};
struct no_pass {};

/// A pass ready to run over scores alone, which may be of fewer heads and channels than the program's rows.
template <class Pass, class RowExtents>
struct score_pass {
  Pass pass{};
  int chunk = longest_chunk;
  row_extents extents{};
};

/// The base of recipes whose passes traverse the rows of a graph's groupings.
template <class Exec, class Graph, class Mapping, class Bindings, class Extents>
class grouped_rows : public recipe_base<Exec, Graph, Bindings> {
  using base = recipe_base<Exec, Graph, Bindings>;

protected:
  using of_graph = graph_traits<Graph>;
  using engine = detail::engine<Exec>;
  using base::extents_;
  using base::graph_;
  using base::size_;

public:
  using policy_type = schedule_policy<split_of<Mapping>>;

  policy_type const& policy() const { return policy_; }
  static void check_graph(Graph const& graph) { require_same_counts(graph); }

  /// Takes another graph; only in a recipe for a capacity.
  void rebuild(Exec const& exec, Graph const& graph) {
    this->take(graph);
    engine::rebuild(exec, by_destination_, destinations());
    if constexpr (of_graph::has_source) engine::rebuild(exec, by_source_, sources());
    if constexpr (of_graph::has_types) {
      if (walks_types_) engine::rebuild(exec, by_type_, types());
    }
  }

protected:
  /// The graph is one that the program can run on. Schedules are made by `make_schedules`, after all else was checked.
  grouped_rows(Graph const& graph, row_extents extents, sizing size) : base(graph, extents, size) {}

  /// Checks that all groupings hold the same edges, where passes over several would be wrong otherwise. Leaves: those
  /// of messages. A plan for a capacity has no graph yet, and takes others without waiting.
  template <class Leaves>
  void check_edges(Exec const& exec, same_edges edges, edge_identity identity) const {
    if constexpr (of_graph::has_source && reads_role<role::source, Leaves>) {
      if (edges == same_edges::checked && size_ == sizing::exact) require_same_edges(exec, graph_, identity);
    }
    if constexpr (of_graph::has_types && reads_role<role::relation, Leaves>) {
      if (edges == same_edges::checked && size_ == sizing::exact) require_edges_of_types(exec, graph_);
    }
  }

  void make_schedules(Exec const& exec, Mapping const& mapping, policy_type const* policy, workloads const& work) {
    counted_splits<split_of<Mapping>> const splits =
        policy ? counted_splits<split_of<Mapping>>{*policy} : split_groupings(exec, mapping, graph_, size_, work);
    policy_ = splits.policy;
    by_destination_ = engine::make_schedule(exec, policy_.by_destination, destinations(), size_,
                                            work.by_destination.most_slots, splits.destination_pieces);
    if constexpr (of_graph::has_source) {
      by_source_ = engine::make_schedule(exec, policy_.by_source, sources(), size_, work.by_source.most_slots,
                                         splits.source_pieces);
    }
  }
  /// The schedule of gradients by type, which have few rows of many edges each: shares of edges, whatever the mapping.
  void make_type_schedule([[maybe_unused]] Exec const& exec) {
    if constexpr (of_graph::has_types) {
      walks_types_ = true;
      by_type_ = engine::make_schedule(exec, split_by_type(this->counts()), types(), size_, 0, unknown_pieces);
    }
  }

  decltype(auto) destinations() const { return of_graph::by_destination(graph_); }
  decltype(auto) sources() const { return of_graph::by_source(graph_); }
  decltype(auto) types() const { return of_graph::by_type(graph_); }
  /// Elements of aligned rows that a pass by destination takes at a time; `no_bound`: whole rows.
  template <class Pass>
  std::int64_t tile_of_pass() const {
    if constexpr (std::is_same_v<split_of<Mapping>, row_split> && !is_static_extents<Extents>) {
      std::int64_t const tile = tile_of<Pass>(policy_.by_destination);
      if (may_take_tiles<Pass>(extents_) && takes_tiles(tile, extents_)) return tile;
    }
    return no_bound;
  }
  /// The schedule as text. tile: as `tile_of_pass` says.
  std::string schedule_text(std::int64_t tile) const {
    if constexpr (requires { by_destination_.text(tile); }) {
      return by_destination_.text(tile);
    } else {
      return by_destination_.text();
    }
  }
  /// Launches of a traversal by destination. tile: as `tile_of_pass` says.
  int traversal_launches(bool) const = delete;  // would be a tile
  int traversal_launches(std::int64_t tile) const {
    bool const is_tiled = tile < no_bound;
    if constexpr (requires { by_destination_.num_parts(is_tiled); }) {
      return by_destination_.num_parts(is_tiled);
    } else {
      return 1;
    }
  }
  /// Does a pass whose rows are of role Fixed take tiles? Those do not read the output on the way.
  template <role Fixed, class Pass>
  bool walks_tiles() const {
    auto const& schedule = [&]() -> auto const& {
      if constexpr (Fixed == role::destination) {
        return by_destination_;
      } else {
        return by_source_;
      }
    }
    ();
    if constexpr (requires { engine::template walks_tiles<Pass>(schedule); }) {
      return engine::template walks_tiles<Pass>(schedule);
    } else {
      return false;
    }
  }
  /// May passes take tiles of a grouping?
  bool has_tiles() const {
    if constexpr (!requires { by_destination_.has_tiles(); }) {
      return false;
    } else if constexpr (of_graph::has_source) {
      return by_destination_.has_tiles() || by_source_.has_tiles();
    } else {
      return by_destination_.has_tiles();
    }
  }
  std::string policy_text() const { return "policy: " + to_string(policy_) + "\n"; }
  /// The most sums of parameters that a pass of this plan leaves.
  std::size_t num_partials() const {
    auto const& most = this->capacity_;
    std::int64_t const rows = most.destinations > most.sources ? most.destinations : most.sources;
    return static_cast<std::size_t>(engine::num_partials(rows, most.edges));
  }
  /// Bytes for rows that passes over a grouping of the graph stage.
  template <class T>
  std::size_t staged_bytes(Exec const& exec) const {
    auto const& most = this->capacity_;
    std::int64_t const channels = std::int64_t{extents_.heads} * extents_.channels;
    return static_cast<std::size_t>(
        std::max(engine::template staged_bytes<T>(exec, most.sources, most.edges, channels),
                 engine::template staged_bytes<T>(exec, most.destinations, most.edges, channels)));
  }
  /// Rows of scratch memory that the schedules ask for.
  std::size_t destination_slots() const { return by_destination_.num_slots; }
  std::size_t source_slots() const {
    if constexpr (of_graph::has_source) return by_source_.num_slots;
    return 0;
  }
  std::size_t type_slots() const {
    if constexpr (of_graph::has_types) return by_type_.num_slots;
    return 0;
  }

  template <class Pass>
  void check_width(ready_pass<Pass> const& ready) const {
    engine::template check_width<Pass, Extents>(extents_, ready.chunk);
  }
  template <class Pass, class RowExtents>
  void check_width(score_pass<Pass, RowExtents> const& ready) const {
    engine::template check_width<Pass, RowExtents>(ready.extents, ready.chunk);
  }
  void check_width(no_pass) const {}

  template <class Pass>
  void run_by_destination(Exec const& exec, ready_pass<Pass> const& ready, workspace_view const& workspace) const {
    engine::template run<Extents>(exec, ready.pass, as_read(destinations(), ready.reads_in_order), by_destination_,
                                  extents_, ready.chunk, workspace);
  }
  template <class Pass, class RowExtents>
  void run_by_destination(Exec const& exec, score_pass<Pass, RowExtents> const& ready,
                          workspace_view const& workspace) const {
    engine::template run<RowExtents>(exec, ready.pass, destinations(), by_destination_, ready.extents, ready.chunk,
                                     workspace);
  }
  void run_by_destination(Exec const&, no_pass, workspace_view const&) const {}
  template <class Pass>
  void run_by_source(Exec const& exec, ready_pass<Pass> const& ready, workspace_view const& workspace) const {
    engine::template run<Extents>(exec, ready.pass, as_read(sources(), ready.reads_in_order), by_source_, extents_,
                                  ready.chunk, workspace);
  }
  void run_by_source(Exec const&, no_pass, workspace_view const&) const {}
  template <class Pass>
  void run_by_type(Exec const& exec, ready_pass<Pass> const& ready, workspace_view const& workspace) const {
    engine::template run<Extents>(exec, ready.pass, types(), by_type_, extents_, ready.chunk, workspace);
  }
  void run_by_type(Exec const&, no_pass, workspace_view const&) const {}

private:
  /// Some thousands of shares, of which one has 32 edges at least.
  static edge_split split_by_type(graph_counts counts) {
    std::int64_t const length = (counts.edges + counts.types) / 4096;
    return {.length = length < 32 ? 32 : length};
  }
  /// A grouping as a pass reads it: without ids where it needs none.
  template <class Grouping>
  static Grouping as_read(Grouping grouping, bool in_order) {
    if (in_order) grouping.edge_ids = nullptr;
    return grouping;
  }

  using schedule_type = typename engine::template schedule<split_of<Mapping>, typename of_graph::index_type,
                                                           typename of_graph::offset_type>;
  policy_type policy_;
  schedule_type by_destination_;
  schedule_type by_source_;
  struct no_schedule {};
  template <class E, bool HasTypes>
  struct type_schedule {
    using type = no_schedule;
  };
  template <class E>
  struct type_schedule<E, true> {
    using type =
        typename E::template schedule<edge_split, typename of_graph::index_type, typename of_graph::offset_type>;
  };
  typename type_schedule<engine, of_graph::has_types>::type by_type_;
  bool walks_types_ = false;  ///< was a schedule made of them?
};

}  // namespace edgewise::inline v0::detail
