// A graph of which this process has a part: what programs are fused over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include <edgewise/core/memory.hpp>
#include <edgewise/distributed/communicator.hpp>
#include <edgewise/distributed/graph_part.hpp>
#include <edgewise/distributed/halo_plan.hpp>
#include <edgewise/distributed/part_rows.hpp>
#include <edgewise/format/convert.hpp>
#include <edgewise/format/csc.hpp>
#include <edgewise/format/graph.hpp>

namespace edgewise::inline v0 {

/// A graph over the ranks of a communicator, which must outlive it: this rank's part in the memory where passes run,
/// in both groupings, and the rows that are exchanged. Making one is collective: every rank makes its own at the same
/// point of its program. Throws as `make_halo_plan` does.
template <communicator Comm, class Index = std::int32_t, class Offset = std::int32_t>
class distributed_graph {
public:
  using communicator_type = Comm;
  using exec_type = typename Comm::exec_type;
  using space = typename exec_type::space;
  using index_type = Index;
  using offset_type = Offset;
  using halo_type = halo_plan<Index, space>;
  using local_graph = graph<part_rows_view<Index, Offset>, csc_view<Index, Offset>>;

  /// Takes the part, whose numbers stay to be asked for.
  distributed_graph(Comm& comm, exec_type const& exec, graph_part<Index, Offset> part)
      : comm_(&comm), part_(std::move(part)), halo_(make_halo_plan(comm, exec, part_)) {
    if constexpr (!is_on_host) {
      interior_ = detail::part_memory<exec_type>::place(exec, part_.interior);
      boundary_ = detail::part_memory<exec_type>::place(exec, part_.boundary);
    }
    interior_by_source_ = to_csc(exec, interior_rows());
    boundary_by_source_ = to_csc(exec, boundary_rows());
  }

  distributed_graph(distributed_graph const&) = delete;  // plans hold its address
  distributed_graph& operator=(distributed_graph const&) = delete;

  Comm& comm() const { return *comm_; }
  /// Which vertices and edges this rank has, and how they are numbered here. Its rows are in host memory.
  graph_part<Index, Offset> const& part() const { return part_; }
  halo_type const& halo() const { return halo_; }

  /// Rows that read this rank's sources alone; the sources are those of the part.
  local_graph interior() const { return {part_rows_view<Index, Offset>{interior_rows()}, interior_by_source_.view()}; }
  /// The others; their sources are the rows of a table (`halo_plan`).
  local_graph boundary() const { return {part_rows_view<Index, Offset>{boundary_rows()}, boundary_by_source_.view()}; }

private:
  static constexpr bool is_on_host = std::is_same_v<space, host_space>;

  csr_view<Index, Offset> interior_rows() const { return (is_on_host ? part_.interior.view() : interior_.view()); }
  csr_view<Index, Offset> boundary_rows() const { return (is_on_host ? part_.boundary.view() : boundary_.view()); }

  Comm* comm_;
  graph_part<Index, Offset> part_;
  halo_type halo_;
  csr<Index, Offset, space> interior_;  // where passes run elsewhere than the part is
  csr<Index, Offset, space> boundary_;
  csc<Index, Offset, space> interior_by_source_;
  csc<Index, Offset, space> boundary_by_source_;
};
template <communicator Comm, class Index, class Offset>
distributed_graph(Comm&, typename Comm::exec_type const&, graph_part<Index, Offset>)
    -> distributed_graph<Comm, Index, Offset>;

}  // namespace edgewise::inline v0
