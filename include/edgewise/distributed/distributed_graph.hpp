// A graph of which this process has a part: what programs are fused over.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include <edgewise/core/memory.hpp>
#include <edgewise/distributed/communicator.hpp>
#include <edgewise/distributed/exchange_lists.hpp>
#include <edgewise/distributed/graph_part.hpp>
#include <edgewise/distributed/halo_plan.hpp>
#include <edgewise/distributed/part_pieces.hpp>
#include <edgewise/format/graph.hpp>
#include <edgewise/format/typed_edges.hpp>

namespace edgewise::inline v0 {

/// A graph over the ranks of a communicator, which must outlive it: this rank's part in the memory where passes run,
/// in both groupings, and the rows that are exchanged. Making one is collective: every rank makes its own at the same
/// point of its program. Throws as `make_halo_plan` does.
/// The part is placed there, on the stream of `exec`, when a plan first needs it, divided in two pieces by rows or by
/// edges; where plans need both there are both. Part: with a `typed_graph_part`, programs may read operands by type.
template <communicator Comm, class Index = std::int32_t, class Offset = std::int32_t,
          class Part = graph_part<Index, Offset>>
class distributed_graph {
public:
  using communicator_type = Comm;
  using exec_type = typename Comm::exec_type;
  using space = typename exec_type::space;
  using index_type = Index;
  using offset_type = Offset;
  using halo_type = halo_plan<Index, space>;
  using part_type = Part;
  using pieces_type = detail::part_pieces<exec_type, Part>;
  using piece_type = detail::piece_of<exec_type, Part>;
  static constexpr bool has_types = detail::has_edge_types<Part>;

  /// Takes the part, whose numbers stay to be asked for. Of types it throws `invalid_argument` naming the first edge
  /// with a wrong one, and `communication_error` where ranks do not agree how many there are.
  distributed_graph(Comm& comm, exec_type const& exec, Part part)
      : comm_(&comm), exec_(exec), part_(with_right_types(std::move(part))), halo_(make_halo_plan(comm, exec, part_)) {
    if constexpr (has_types) {
      std::array<char const*, 1> const what{"types of edges"};
      detail::require_agreement(comm, exec, {static_cast<std::int64_t>(part_.num_types)}, what, "distributed_graph");
    }
  }

  distributed_graph(distributed_graph const&) = delete;  // plans hold its address
  distributed_graph& operator=(distributed_graph const&) = delete;

  Comm& comm() const { return *comm_; }
  /// Which vertices and edges this rank has, and how they are numbered here. Its rows are in host memory.
  Part const& part() const { return part_; }
  halo_type const& halo() const { return halo_; }

  /// The part in two pieces; the first call for a division allocates, and waits for the stream.
  pieces_type const& pieces(part_division division) const {
    auto& made = pieces_[division == part_division::by_rows ? 0 : 1];
    std::call_once(made.once, [&] { made.pieces.emplace(detail::divide_part(exec_, part_, halo_, division)); });
    return *made.pieces;
  }

private:
  static Part with_right_types(Part part) {
    if constexpr (has_types) {
      detail::check_edge_types(static_cast<std::int64_t>(part.num_edges()),
                               std::span<Index const>(part.edge_types.data(), part.edge_types.size()),
                               static_cast<std::int64_t>(part.num_types));
    }
    return part;
  }
  struct made_once {
    std::once_flag once;
    std::optional<pieces_type> pieces;
  };

  Comm* comm_;
  exec_type exec_;
  Part part_;
  halo_type halo_;
  mutable std::array<made_once, 2> pieces_;
};
template <communicator Comm, class Index, class Offset>
distributed_graph(Comm&, typename Comm::exec_type const&, graph_part<Index, Offset>)
    -> distributed_graph<Comm, Index, Offset>;
template <communicator Comm, class Index, class Offset>
distributed_graph(Comm&, typename Comm::exec_type const&, typed_graph_part<Index, Offset>)
    -> distributed_graph<Comm, Index, Offset, typed_graph_part<Index, Offset>>;

}  // namespace edgewise::inline v0
