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

#include "models/context.hpp"
#include "models/square_graph.hpp"

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

/// The part that a rank has of a square graph. Edges keep their ids, by which messages are dropped.
template <communicator Comm>
class square_graph<ranked_context<Comm>> {
public:
  using space = typename ranked_context<Comm>::space;

  /// Takes the rank's part of a whole graph, which every rank has: collective. Synchronises. Throws as the graph of one
  /// process does, and what parts and halo plans throw.
  square_graph(ranked_context<Comm> const& context, csr_view<> const& by_destination, csc_view<> const& by_source)
      : parts_(context.comm(), context.resource(),
               make_part(host_of(context.resource()), detail::checked_square(by_destination, by_source),
                         context.owners(), context.rank())) {
    context.synchronize();
  }

  /// Of the part.
  std::int64_t num_vertices() const { return parts_.part().num_destinations(); }
  distributed_graph<Comm> const& view() const { return parts_; }

  /// Which vertices of the whole graph they are.
  std::span<std::int64_t const> vertices() const {
    auto const& ids = parts_.part().destinations;
    return {ids.data(), ids.size()};
  }
  /// Of numbers of the vertices of the whole graph those of the part's.
  template <class Numbers>
  auto own_rows(Numbers const& numbers) const {
    std::vector<std::remove_cvref_t<decltype(*numbers.data())>> own;
    for (auto const v : vertices()) own.push_back(numbers.data()[v]);
    return own;
  }

private:
  /// Where the part lies, which is in host memory in any case.
  template <class Resource>
  static cpu host_of(Resource const& resource) {
    if constexpr (std::is_same_v<Resource, cpu>) {
      return resource;
    } else {
      return {};
    }
  }

  distributed_graph<Comm> parts_;
};

}  // namespace edgewise::models
