// Plans over a distributed graph: two plans of today, the rows that cross between ranks, and sums in their order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <edgewise/core/error.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/distributed/communicator.hpp>
#include <edgewise/distributed/distributed_graph.hpp>
#include <edgewise/distributed/local_gradients.hpp>
#include <edgewise/distributed/local_operands.hpp>
#include <edgewise/distributed/rank_sum.hpp>
#include <edgewise/distributed/row_moves.hpp>
#include <edgewise/distributed/source_tables.hpp>
#include <edgewise/plan/plan.hpp>
#include <edgewise/program/bindings.hpp>

namespace edgewise::inline v0 {

/// What a forward pass keeps for its backward pass, made by `make_saved` of its plan: that of both plans of the part,
/// and the rows of sources that were received.
template <class Saved, class Tables>
struct distributed_saved {
  Saved interior;
  Saved boundary;
  Tables tables;

  std::size_t size_bytes() const { return interior.size_bytes() + boundary.size_bytes() + tables.size_bytes(); }
};

/// A program planned for this rank's part of a graph. Its calls are those of `plan`, with operands, outputs and
/// gradients of the part's rows (`graph_part`), and the values are those of a plan over the whole graph, summed in
/// another order. Calls are collective: every rank makes the same ones in the same order.
/// Forward: rows that other ranks read are packed and sent, the interior runs while they travel, then the boundary.
/// Backward: the boundary first, whose gradients of sources travel back while the interior runs; each rank then adds
/// what came of its rows, in the order of ranks. Gradients of parameters are summed over the ranks in their order
/// (`rank_sum`), and are the same on all.
/// Determinism: the same bits again for the same parts, without atomics. Dropout drops the same elements whatever the
/// parts. Throws as `plan` does, before anything is sent, and `communication_error`.
template <class Graph, class Kernel, class Bindings, class Message>
class distributed_plan {
  using Comm = typename Graph::communicator_type;
  using Exec = typename Graph::exec_type;
  using Space = typename Graph::space;
  using Program = decltype(Kernel::program);
  using leaves = detail::leaves_to_bind<Program>;
  using local_set = typename detail::local_bindings<leaves, Bindings>::type;
  using local_plan =
      decltype(std::declval<Kernel const&>().plan(std::declval<Exec const&>(), std::declval<local_set const&>()));
  using accumulator = typename local_plan::recipe_type::accumulator;
  using tables_type = detail::source_tables<Exec, leaves, Bindings>;
  using exchange_type = detail::source_exchange<Graph, leaves, Bindings, Message>;
  using gradients_type = detail::local_gradients<Graph, leaves, Bindings, accumulator, Message>;

public:
  using recipe_type = typename local_plan::recipe_type;
  using saved_type = distributed_saved<typename local_plan::saved_type, tables_type>;

  /// Made by `plan` of what `fuse` returns.
  distributed_plan(Graph const& graph, Kernel const& kernel, Exec const& exec, Bindings const& in)
      : mark_(detail::place_plan(exec)), graph_(&graph) {
    detail::check_part_rows(leaves{}, in, counts());
    detail::making_call<Exec> const call(mark_, exec, "plan");
    number(exec);
    exchange_ = exchange_type(exec, graph, in);
    tables_ = tables_type(exec, graph.halo().num_table_rows(), in);
    gradients_ = gradients_type(exec, graph, in);
    auto const make = [&](typename Graph::local_graph const& rows, detail::part_side const& side) {
      return Kernel{rows, kernel.mapping, kernel.program}.plan(exec, local(in, side, tables_));
    };
    interior_.emplace(make(graph.interior(), interior_side()));
    boundary_.emplace(make(graph.boundary(), boundary_side()));
  }

  /// Memory for what `forward` keeps for `backward`, from the resource of `exec`.
  saved_type make_saved(Exec const& exec) const {
    detail::making_call<Exec> const call(mark_, exec, "make_saved");
    return {interior_->make_saved(exec), boundary_->make_saved(exec), tables_type(exec, tables_)};
  }
  /// Bytes of scratch memory: of both plans, of rows that are sent and received, and of their gradients.
  std::size_t workspace_bytes() const {
    return interior_->workspace_bytes() + boundary_->workspace_bytes() + tables_.size_bytes() + exchange_.size_bytes() +
           gradients_.size_bytes();
  }
  /// Bytes that a forward pass sends to other ranks, and a backward pass for the gradients of all sources.
  std::int64_t forward_bytes() const { return exchange_.sent_bytes(); }
  std::int64_t backward_bytes() const { return gradients_.sent_bytes(); }

  /// Both plans, and what is exchanged.
  std::string explain() const {
    auto const& part = graph_->part();
    return detail::text("rank ", part.rank, " of ", part.num_ranks, ": ", part.num_destinations(), " of ",
                        part.whole.destinations, " rows, ", part.interior.num_destinations(),
                        " of them interior; reads ", part.num_halo_rows(), " rows of other ranks, sends ",
                        graph_->halo().num_sent_rows(), "\nforward sends ", forward_bytes(), " bytes, backward ",
                        backward_bytes(), "\n\ninterior\n", interior_->explain(), "\n\nboundary\n",
                        boundary_->explain());
  }

  /// out = the program's value for the rows of this part: [destinations of the part, ...], of a program of edges [edges
  /// of the part, ...]. Nothing is kept.
  template <class OutView>
  void forward(Exec const& exec, Bindings const& in, output<OutView> const& result) const {
    run_forward(exec, in, result.view, nullptr);
  }
  /// Also keeps in `saved` what `backward` needs.
  template <class OutView>
  void forward(Exec const& exec, Bindings const& in, output<OutView> const& result, saved_type& saved) const {
    run_forward(exec, in, result.view, &saved);
  }

  /// Gradients of the operands asked for, of the part's rows, as `plan::backward`. A gradient of an operand that is
  /// both source and destination is one sum. Two gradients may not share an array.
  template <class GradView, detail::gradient_argument... Request>
  void backward(Exec const& exec, Bindings const& in, saved_type const& saved,
                output_gradient<GradView> const& gradient, Request const&... requests) const {
    check_call(in, gradient.view, "grad_out");
    detail::check_gradients<leaves>(gradient.view, in, requests...);
    auto const run = [&](local_plan const& plan, detail::part_side const& side, auto const& kept, auto const& of_side) {
      std::apply(
          [&](auto const&... local_requests) {
            plan.backward(exec, local(in, side, saved.tables), kept,
                          output_gradient<GradView>{rows_of_result(gradient.view, side)}, local_requests...);
          },
          of_side);
    };
    detail::plan_call<Exec> const call(mark_, exec, "backward");
    auto const boundary_rows = boundary_side(), interior_rows = interior_side();
    run(*boundary_, boundary_rows, saved.boundary, gradients_.template requests_of<true>(boundary_rows, requests...));
    gradients_.run(
        exec,
        [&] {
          run(*interior_, interior_rows, saved.interior,
              gradients_.template requests_of<false>(interior_rows, requests...));
        },
        requests...);
    gradients_.add(exec, requests...);
  }

private:
  detail::graph_counts counts() const {
    auto const& part = graph_->part();
    return {part.num_destinations(), part.num_sources(), static_cast<std::int64_t>(part.num_edges())};
  }
  static bool is_of_edges() { return std::string_view(local_plan::recipe_type::out_rows_are) == "edges"; }

  detail::part_side interior_side() const {
    auto const& part = graph_->part();
    return {false,
            0,
            part.interior.num_destinations(),
            0,
            static_cast<std::int64_t>(part.interior.num_edges()),
            edge_numbers_.data(),
            row_numbers_.data()};
  }
  detail::part_side boundary_side() const {
    auto const& part = graph_->part();
    std::int64_t const rows = part.interior.num_destinations();
    std::int64_t const edges = part.interior.num_edges();
    return {true,
            rows,
            part.boundary.num_destinations(),
            edges,
            static_cast<std::int64_t>(part.boundary.num_edges()),
            edge_numbers_.data() ? edge_numbers_.data() + edges + rows : nullptr,
            row_numbers_.data() ? row_numbers_.data() + rows : nullptr};
  }
  template <class View>
  static View rows_of_result(View const& view, detail::part_side const& side) {
    return is_of_edges() ? detail::rows_of_view(view, side.first_edge, side.num_edges)
                         : detail::rows_of_view(view, side.first_row, side.num_rows);
  }

  /// The numbers of edges, self edges and rows in the whole graph, for masks.
  void number(Exec const& exec) {
    constexpr bool draws = []<class... L>(type_list<L...>) { return (detail::is_random_leaf<L> || ...); }(leaves{});
    if constexpr (draws) {
      auto const& part = graph_->part();
      std::vector<std::int64_t> numbers;
      auto const add = [&](std::int64_t first_edge, std::int64_t edges, std::int64_t first_row, std::int64_t rows) {
        numbers.insert(numbers.end(), part.edges.begin() + first_edge, part.edges.begin() + first_edge + edges);
        for (std::int64_t v = first_row; v < first_row + rows; ++v) {
          numbers.push_back(part.whole_edges + part.destinations[static_cast<std::size_t>(v)]);
        }
      };
      std::int64_t const rows = part.interior.num_destinations(), edges = part.interior.num_edges();
      add(0, edges, 0, rows);
      add(edges, part.boundary.num_edges(), rows, part.boundary.num_destinations());
      edge_numbers_ = detail::part_memory<Exec>::place(exec, detail::buffer_of(numbers));
      row_numbers_ = detail::part_memory<Exec>::place(exec, copy_of(std::span<std::int64_t const>(part.destinations)));
    }
  }

  template <class Tables>
  local_set local(Bindings const& in, detail::part_side const& side, Tables const& tables) const {
    auto const table = [&]<class L, class View>(type_tag<L>, View const& view) {
      return detail::view_over<typename View::value_type>(tables.template of<L>(), graph_->halo().num_table_rows(),
                                                          view);
    };
    return [&]<class... L>(type_list<L...>) {
      return local_set{make_pack(binding<L, typename detail::local_view<detail::view_bound_to<L, Bindings>>::type>{
          detail::local_operand<L>(detail::view_for<L>(in), side, table)}...)};
    }(leaves{});
  }

  template <class View>
  void check_call(Bindings const& in, View const& view, char const* name) const {
    detail::check_part_rows(leaves{}, in, counts());
    exchange_.check_rows(in);
    detail::check_view(view, is_of_edges() ? counts().edges : counts().destinations,
                       is_of_edges() ? "edges" : "destinations", [&] { return std::string(name); });
  }

  template <class View>
  void run_forward(Exec const& exec, Bindings const& in, View const& view, saved_type* saved) const {
    check_call(in, view, "out");
    detail::check_not_operand<leaves, detail::writes::after_its_row>(view, in);
    detail::plan_call<Exec> const call(mark_, exec, "forward");
    auto const& tables = saved ? saved->tables : tables_;
    auto const run = [&](local_plan const& plan, detail::part_side const& side, auto* kept) {
      output<View> const result{rows_of_result(view, side)};
      if (kept) {
        plan.forward(exec, local(in, side, tables), result, *kept);
      } else {
        plan.forward(exec, local(in, side, tables), result);
      }
    };
    exchange_.run(exec, in, tables, [&] { run(*interior_, interior_side(), saved ? &saved->interior : nullptr); });
    run(*boundary_, boundary_side(), saved ? &saved->boundary : nullptr);
  }

  detail::shared_place<Exec> mark_;
  Graph const* graph_;
  buffer<std::int64_t, Space> edge_numbers_;  // the interior's edges, its rows' self edges, then the boundary's
  buffer<std::int64_t, Space> row_numbers_;
  exchange_type exchange_;
  tables_type tables_;  // of forward passes that keep nothing
  gradients_type gradients_;
  std::optional<local_plan> interior_, boundary_;
};

}  // namespace edgewise::inline v0
