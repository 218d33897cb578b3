// The gradients of a part: what its two pieces write, what comes back from other ranks, and how these are added up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <edgewise/core/error.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/distributed/communicator.hpp>
#include <edgewise/distributed/local_operands.hpp>
#include <edgewise/distributed/message_lists.hpp>
#include <edgewise/distributed/row_moves.hpp>
#include <edgewise/distributed/shared_gradients.hpp>
#include <edgewise/distributed/source_tables.hpp>

namespace edgewise::inline v0::detail {

/// What the pass of a piece is asked for. OfTable: it is the remote piece's, whose sources are the table's rows. Read:
/// the leaves that its program reads. Written: those whose gradients of rows are added to what the other piece wrote.
template <bool OfTable, class Read, class Written>
struct piece_gradients {
  static constexpr bool of_table = OfTable;
  template <class L>
  static constexpr bool adds_rows = contains_type<L, Written>;
  template <class L>
  static constexpr bool reads = contains_type<L, Read>;
};

/// Gradients of sources are written by the local piece's pass to where the user wants them, and by the remote one's to
/// a table; those of the table's rows go to the ranks that own them and are pulled from there. Of an operand that is
/// both source and destination, the latter's are written apart and added. Those of parameters are written apart by both
/// passes, and summed over the ranks. A: what sums are taken in.
/// AsTheyTravel: gradients of the table's rows are written as messages are, rounded once.
/// LocalEnds: destinations that the local piece alone reads, in the same rows as sources; their gradients are formed
/// together.
template <class Graph, class Leaves, class Set, class A, class Message, bool AsTheyTravel, class LocalEnds>
class local_gradients {
  using Exec = typename Graph::exec_type;
  using Index = typename Graph::index_type;
  using Comm = typename Graph::communicator_type;
  using table_rows = halo_table<Index, typename Exec::space>;
  using sources = source_leaves<Leaves>;
  using message = message_type<A, Message>;
  using table_element = std::conditional_t<AsTheyTravel, message, A>;
  static constexpr bool converts = !std::is_same_v<table_element, message>;
  template <class L>
  struct sum_element {
    using type = A;
  };
  template <class L>
  struct element_of_table {
    using type = table_element;
  };
  template <class L>
  struct message_element {
    using type = message;
  };
  template <class L>
  struct is_also_source : std::bool_constant<L::role_of == role::destination && !is_random_leaf<L> &&
                                             contains_type<leaf<role::source, typename L::name>, Leaves>> {};
  template <class L>
  struct is_summed_apart : std::bool_constant<is_also_source<L>::value && !contains_type<L, LocalEnds>> {};
  using both_ends = filter_types<is_also_source, Leaves>;  // as destinations
  using ends_apart = filter_types<is_summed_apart, Leaves>;

  template <class Request, class L>
  static constexpr bool asks_for = targets_whole_leaf<typename Request::target, L>;
  template <class Piece, class Request, class... L>
  static consteval bool asks_of_piece(type_list<L...>) {
    return ((asks_for<Request, L> && Piece::template reads<L>) || ...);
  }

public:
  /// table: what the remote piece reads; local_has_rows: does the other one write anything?
  local_gradients(Exec const& exec, Graph const& graph, table_rows const& table, bool local_has_rows, Set const& in)
      : graph_(&graph), table_(&table), local_has_rows_(local_has_rows), shared_(exec, graph.comm(), in) {
    auto const& halo = graph.halo();
    auto const rows_of = [&](std::int64_t rows) {
      return [&in, rows]<class L>(type_tag<L>) { return rows * view_for<L>(in).row_size(); };
    };
    tables_ = {exec, rows_of(table.num_rows())};
    returned_ = {exec, rows_of(halo.num_sent_rows())};
    if constexpr (converts) returning_ = {exec, rows_of(table.num_rows())};
    by_destination_ = {exec, rows_of(graph.part().num_destinations())};
    for_each_leaf(sources{}, [&]<class L>(type_tag<L>) {
      sent_bytes_ += (table.num_rows() - table.num_own_rows()) * view_for<L>(in).row_size() *
                     static_cast<std::int64_t>(sizeof(message));
    });
  }

  std::size_t size_bytes() const {
    return tables_.size_bytes() + returned_.size_bytes() + returning_.size_bytes() + by_destination_.size_bytes() +
           shared_.size_bytes();
  }
  /// The longest array of gradients that come back, which only a backward pass uses.
  std::span<char> spare_memory() const {
    std::span<char> longest;
    for_each_leaf(sources{}, [&]<class L>(type_tag<L>) {
      std::span<char> const found{reinterpret_cast<char*>(returned_.template of<L>()),
                                  returned_.template size<L>() * sizeof(message)};
      if (found.size() > longest.size()) longest = found;
    });
    return longest;
  }
  /// The memory of a source's gradients that come back, which only a backward pass uses.
  template <class L, class T>
  T* memory_of_returned() const {
    static_assert(sizeof(T) <= sizeof(message));
    return reinterpret_cast<T*>(returned_.template of<L>());
  }
  /// The memory of a source's gradients in the table, which only a backward pass uses.
  template <class L, class T>
  T* memory_of_table() const {
    static_assert(sizeof(T) <= sizeof(table_element));
    return reinterpret_cast<T*>(tables_.template of<L>());
  }
  std::int64_t sent_bytes() const { return sent_bytes_ + shared_.sent_bytes(); }

  /// What the pass of a piece is asked for, as a tuple. Piece: a `piece_gradients`.
  template <class Piece, class... Request>
  auto requests_of(part_side const& side, Request const&... requests) const {
    return std::tuple_cat(requests_of_one<Piece>(side, requests, Leaves{})...);
  }

  /// Is the pass of a piece asked for any?
  template <class Piece, class... Request>
  static constexpr bool asks_of = (asks_of_piece<Piece, Request>(Leaves{}) || ...);

  /// Sends gradients of the table's rows to their owners, and runs `work` while they travel.
  template <class Work, class... Request>
  void run(Exec const& exec, Work const& work, Request const&... requests) const {
    std::vector<outgoing> sends;
    std::vector<incoming> receives;
    (add_messages_of(exec, requests, sends, receives), ...);
    constexpr bool has_any = (asks_for_any<Request>(sources{}) || ...);
    if constexpr (!has_any) {
      work();
    } else {
      run_beside(graph_->comm(), exec, sends, receives, work);
    }
  }

  /// Zeros for what a piece's pass does not write of parameters; before it.
  template <class Piece, class... Request>
  void clear_shared(Exec const& exec, Request const&...) const {
    shared_.template clear<Request...>(exec, Piece::of_table ? 1 : 0);
  }
  /// Adds up what both passes and the other ranks have. Where the local piece has no rows, gradients of sources are
  /// written here alone.
  template <class... Request>
  void add(Exec const& exec, Request const&... requests) const {
    (add_one(exec, requests), ...);
    shared_.add(exec, 2, requests...);
  }

private:
  template <class Request, class... L>
  static constexpr bool asks_for_any(type_list<L...>) {
    return (asks_for<Request, L> || ...);
  }
  template <class Request>
  static constexpr int num_leaves =
      []<class... L>(type_list<L...>) { return (0 + ... + (asks_for<Request, L> ? 1 : 0)); }(Leaves{});

  template <class Request, class F>
  static void for_each_source(Request const&, F const& f) {
    for_each_leaf(sources{}, [&]<class L>(type_tag<L> tag) {
      if constexpr (asks_for<Request, L>) f(tag);
    });
  }

  template <class Piece, class Request, class... L>
  auto requests_of_one(part_side const& side, Request const& request, type_list<L...>) const {
    static_assert(num_leaves<Request> > 0,
                  "grad: the program has no such operand (the first template argument of the request in this message)");
    static_assert(num_leaves<Request> == 1 || asks_for_both<Request>(),
                  "grad: over a distributed graph a gradient is of one role of an operand, or of a source that is "
                  "destination too; ask for the roles one by one, grad<src<x>>(...), grad<edge<x>>(...)");
    if constexpr (!Piece::of_table && is_formed_by_local<Request>()) {
      return std::tuple(request);
    } else {
      return std::tuple_cat(request_of_leaf<Piece, L>(side, request)...);
    }
  }
  /// Is it of a source and a destination, and both are the local piece's?
  template <class Request>
  static constexpr bool is_formed_by_local() {
    return num_leaves<Request> == 2 && asks_for_any<Request>(both_ends{}) && !asks_for_any<Request>(ends_apart{});
  }
  template <class Request>
  static constexpr bool asks_for_both() {
    return num_leaves<Request> == 2 && asks_for_any<Request>(sources{}) && asks_for_any<Request>(both_ends{});
  }

  template <class L, class View, bool Adds = false>
  static auto make_request(View const& view) {
    return std::tuple(gradient_request<L, View, Adds>{view});
  }
  template <class Piece, class L, class Request>
  auto request_of_leaf([[maybe_unused]] part_side const& side, [[maybe_unused]] Request const& request) const {
    using View = typename Request::view_type;
    constexpr bool adds_rows = Piece::template adds_rows<L>;
    if constexpr (!asks_for<Request, L> || !Piece::template reads<L>) {
      return std::tuple<>();
    } else if constexpr (is_shared_leaf<L>::value) {
      return make_request<L>(shared_.template view_of<L>(Piece::of_table ? 1 : 0, request.view));
    } else if constexpr (L::role_of == role::source && Piece::of_table) {
      auto const view = view_over(tables_.template of<L>(), table_->num_rows(), request.view);
      return make_request<L>(view);
    } else if constexpr (L::role_of == role::source) {
      return make_request<L, View, Request::accumulates>(request.view);
    } else if constexpr (L::role_of == role::destination && num_leaves<Request> == 2) {
      auto const view = view_over(by_destination_.template of<L>() + side.first_row * request.view.row_size(),
                                  side.num_rows, request.view);
      return make_request<L, std::remove_const_t<decltype(view)>, adds_rows>(view);
    } else if constexpr (L::role_of == role::destination) {
      constexpr bool adds = Request::accumulates || adds_rows;
      return make_request<L, View, adds>(rows_of_view(request.view, side.first_row, side.num_rows));
    } else {
      static_assert(L::role_of == role::edge);
      return make_request<L, View, Request::accumulates>(rows_of_view(request.view, side.first_edge, side.num_edges));
    }
  }
  template <class Request>
  void add_messages_of(Exec const& exec, Request const& request, std::vector<outgoing>& sends,
                       std::vector<incoming>& receives) const {
    for_each_source(request, [&]<class L>(type_tag<L>) { add_messages<L>(exec, request, sends, receives); });
  }
  template <class L, class Request>
  void add_messages(Exec const& exec, Request const& request, std::vector<outgoing>& sends,
                    std::vector<incoming>& receives) const {
    auto const& halo = graph_->halo();
    std::int64_t const size = request.view.row_size();
    for (int q = 0; q < graph_->comm().size(); ++q) {
      if (q == graph_->comm().rank()) continue;
      if constexpr (converts) {
        auto const r = static_cast<std::size_t>(q);
        std::int64_t const first = table_->first[r], count = table_->first[r + 1] - first;
        for_each_number(exec, count, size,
                        copy_rows_of<A, message, Index>{tables_.template of<L>() + first * size, size, nullptr,
                                                        returning_.template of<L>() + first * size, size});
        add_rows_of_rank(sends, returning_.template of<L>(), table_->first, q, size);
      } else {
        add_rows_of_rank(sends, tables_.template of<L>(), table_->first, q, size);
      }
      add_rows_of_rank(receives, returned_.template of<L>(), halo.send_first, q, size);
    }
  }

  template <class Request>
  void add_one(Exec const& exec, Request const& request) const {
    for_each_source(request, [&]<class L>(type_tag<L>) {
      using G = typename Request::view_type::value_type;
      auto const& view = request.view;
      auto const& pulled = table_->pulled;
      std::int64_t const size = view.row_size();
      bool is_written = local_has_rows_ || Request::accumulates;
      if constexpr (num_leaves<Request> == 2 && !is_formed_by_local<Request>()) {
        using both = leaf<role::destination, typename L::name>;
        for_each_number(
            exec, view.rows, size,
            store_rows<A, G>{by_destination_.template of<both>(), size, view.data, view.row_stride, is_written});
        is_written = true;
      }
      for_each_number(exec, pulled.num_rows(), size,
                      pull_rows<G, message, table_element, A, Index>{
                          view.data, view.row_stride, pulled.rows.data(), pulled.first_part.data(), pulled.parts.data(),
                          returned_.template of<L>(), tables_.template of<L>(), size, is_written});
    });
  }

  Graph const* graph_;
  table_rows const* table_;
  bool local_has_rows_;
  leaf_arrays<Exec, element_of_table, sources> tables_;    // gradients of the table's rows
  leaf_arrays<Exec, message_element, sources> returning_;  // the same as they travel, where that is another type
  leaf_arrays<Exec, message_element, sources> returned_;   // gradients that came back
  leaf_arrays<Exec, sum_element, ends_apart> by_destination_;
  std::int64_t sent_bytes_ = 0;
  shared_gradients<Exec, Comm, Leaves, Set, A> shared_;
};

}  // namespace edgewise::inline v0::detail
