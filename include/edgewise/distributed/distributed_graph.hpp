// A graph of which this process has a part: what programs are fused over.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>

#include <edgewise/core/memory.hpp>
#include <edgewise/distributed/communicator.hpp>
#include <edgewise/distributed/graph_part.hpp>
#include <edgewise/distributed/halo_plan.hpp>
#include <edgewise/distributed/part_pieces.hpp>
#include <edgewise/format/graph.hpp>

namespace edgewise::inline v0 {

/// A graph over the ranks of a communicator, which must outlive it: this rank's part in the memory where passes run,
/// in both groupings, and the rows that are exchanged. Making one is collective: every rank makes its own at the same
/// point of its program. Throws as `make_halo_plan` does.
/// The part is placed there, on the stream of `exec`, when a plan first needs it, divided in two pieces by rows or by
/// edges; where plans need both there are both.
template <communicator Comm, class Index = std::int32_t, class Offset = std::int32_t>
class distributed_graph {
public:
  using communicator_type = Comm;
  using exec_type = typename Comm::exec_type;
  using space = typename exec_type::space;
  using index_type = Index;
  using offset_type = Offset;
  using halo_type = halo_plan<Index, space>;
  using pieces_type = detail::part_pieces<exec_type, Index, Offset>;
  using piece_type = detail::part_piece<exec_type, Index, Offset>;

  /// Takes the part, whose numbers stay to be asked for.
  distributed_graph(Comm& comm, exec_type const& exec, graph_part<Index, Offset> part)
      : comm_(&comm), exec_(exec), part_(std::move(part)), halo_(make_halo_plan(comm, exec, part_)) {}

  distributed_graph(distributed_graph const&) = delete;  // plans hold its address
  distributed_graph& operator=(distributed_graph const&) = delete;

  Comm& comm() const { return *comm_; }
  /// Which vertices and edges this rank has, and how they are numbered here. Its rows are in host memory.
  graph_part<Index, Offset> const& part() const { return part_; }
  halo_type const& halo() const { return halo_; }

  /// The part in two pieces; the first call for a division allocates, and waits for the stream.
  pieces_type const& pieces(part_division division) const {
    auto& made = pieces_[division == part_division::by_rows ? 0 : 1];
    std::call_once(made.once, [&] { made.pieces.emplace(detail::divide_part(exec_, part_, halo_, division)); });
    return *made.pieces;
  }

private:
  struct made_once {
    std::once_flag once;
    std::optional<pieces_type> pieces;
  };

  Comm* comm_;
  exec_type exec_;
  graph_part<Index, Offset> part_;
  halo_type halo_;
  mutable std::array<made_once, 2> pieces_;
};
template <communicator Comm, class Index, class Offset>
distributed_graph(Comm&, typename Comm::exec_type const&, graph_part<Index, Offset>)
    -> distributed_graph<Comm, Index, Offset>;

}  // namespace edgewise::inline v0
