// Processes that run one model together: a context of each, and the graphs of which each has a part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <edgewise/core/error.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/distributed.hpp>
#include <edgewise/format/csc.hpp>
#include <edgewise/format/csr.hpp>
#include <edgewise/format/graph.hpp>
#include <edgewise/format/typed_edges.hpp>

#include "models/context.hpp"
#include "models/square_graph.hpp"
#include "models/typed_groupings.hpp"

namespace edgewise::models {

/// The context of one rank. Each has the rows of the vertices that `owners` gives it, and a copy of all parameters;
/// what is made of a whole graph keeps the rank's part of it. Every rank makes the same calls in the same order.
template <communicator Comm>
class ranked_context : public context<typename Comm::exec_type> {
  using base = context<typename Comm::exec_type>;

public:
  using communicator_type = Comm;
  using resource_type = typename base::resource_type;
  static constexpr bool is_ranked = true;

  /// The communicator must outlive the context. Throws `invalid_argument` where the owners are of another number of
  /// ranks, or one of them owns nothing.
  ranked_context(resource_type const& resource, Comm& comm, ownership owners)
      : base(resource), comm_(&comm), owners_(std::move(owners)) {
    if (owners_.num_ranks() != comm.size()) {
      throw invalid_argument(edgewise::detail::text("ranked_context: vertices are owned by ", owners_.num_ranks(),
                                                    " ranks, there are ", comm.size()));
    }
    for (int rank = 0; rank < comm.size(); ++rank) {
      if (owners_.destinations.size_of(rank) > 0) continue;
      throw invalid_argument(edgewise::detail::text("ranked_context: rank ", rank, " of ", comm.size(),
                                                    " gets none of ", owners_.destinations.num_vertices(),
                                                    " vertices"));
    }
  }

  Comm& comm() const { return *comm_; }
  ownership const& owners() const { return owners_; }

  int rank() const { return comm_->rank(); }
  int num_ranks() const { return comm_->size(); }

  /// As in one process, but messages that do not come throw `communication_error` in place of a wait without end.
  void synchronize() const { comm_->wait(this->resource()); }
  template <class T>
  void download(T const* data, std::int64_t size, T* host) const {
    synchronize();
    base::download(data, size, host);
  }

  template <class Number>
  Number sum_over_ranks(Number number) const {
    Number sum{};
    for (auto const& of_rank : edgewise::detail::gather_lists(*comm_, this->resource(), std::vector<Number>{number})) {
      sum += of_rank.at(0);
    }
    return sum;
  }
  template <class T>
  rank_sum<Comm, T> make_rank_sum(std::int64_t size) const {
    return {*comm_, this->resource(), size};
  }

private:
  Comm* comm_;
  ownership owners_;
};

/// A rank's part of a square graph, by which its graphs are made.
template <class Comm, class Part>
class part_of_rank {
public:
  using space = typename ranked_context<Comm>::space;
  using graph_type = distributed_graph<Comm, std::int32_t, std::int32_t, Part>;

  part_of_rank(ranked_context<Comm> const& context, Part part)
      : parts_(context.comm(), context.resource(), std::move(part)) {
    context.synchronize();
  }

  /// Of the part.
  std::int64_t num_vertices() const { return parts_.part().num_destinations(); }
  std::int64_t num_edges() const { return parts_.part().num_edges(); }
  graph_type const& view() const { return parts_; }

  /// Which vertices of the whole graph they are.
  std::span<std::int64_t const> vertices() const { return ids(parts_.part().destinations); }
  /// Of numbers of the vertices, or edges, of the whole graph those of the part's.
  template <class Numbers>
  auto own_rows(Numbers const& numbers) const {
    return numbers_at(vertices(), numbers);
  }
  template <class Numbers>
  auto own_edges(Numbers const& numbers) const {
    return numbers_at(ids(parts_.part().edges), numbers);
  }

protected:
  /// Where the part lies, which is in host memory in any case.
  template <class Resource>
  static cpu host_of(Resource const& resource) {
    if constexpr (std::is_same_v<Resource, cpu>) {
      return resource;
    } else {
      return {};
    }
  }

private:
  static std::span<std::int64_t const> ids(host_buffer<std::int64_t> const& of) { return {of.data(), of.size()}; }
  template <class Numbers>
  static auto numbers_at(std::span<std::int64_t const> ids, Numbers const& numbers) {
    std::vector<std::remove_cvref_t<decltype(*numbers.data())>> own;
    for (auto const id : ids) own.push_back(numbers.data()[id]);
    return own;
  }

  graph_type parts_;
};

/// The part that a rank has of a square graph. Edges keep their ids, by which messages are dropped.
template <communicator Comm>
class square_graph<ranked_context<Comm>> : public part_of_rank<Comm, graph_part<>> {
  using base = part_of_rank<Comm, graph_part<>>;

public:
  /// Takes the rank's part of a whole graph, which every rank has: collective. Synchronises. Throws as the graph of one
  /// process does, and what parts and halo plans throw.
  square_graph(ranked_context<Comm> const& context, csr_view<> const& by_destination, csc_view<> const& by_source)
      : base(context, make_part(base::host_of(context.resource()), detail::checked_square(by_destination, by_source),
                                context.owners(), context.rank())) {}
};

/// The same with types of edges.
template <communicator Comm>
class typed_groupings<ranked_context<Comm>> : public part_of_rank<Comm, typed_graph_part<>> {
  using base = part_of_rank<Comm, typed_graph_part<>>;

public:
  typed_groupings(ranked_context<Comm> const& context, csr_view<> const& by_destination, csc_view<> const& by_source,
                  typed_edges<> const& by_type)
      : base(context, make_part(base::host_of(context.resource()),
                                graph{detail::checked_square(by_destination, by_source), by_type.view()},
                                context.owners(), context.rank())) {}

  std::int64_t num_types() const { return this->view().part().num_types; }
};

}  // namespace edgewise::models
