// The other way to deal work out: every rank has the whole graph and some heads or lanes of all rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <edgewise/core/error.hpp>
#include <edgewise/core/operand.hpp>
#include <edgewise/distributed/communicator.hpp>
#include <edgewise/distributed/exchange_lists.hpp>
#include <edgewise/distributed/graph_part.hpp>
#include <edgewise/distributed/message_lists.hpp>
#include <edgewise/distributed/ownership.hpp>
#include <edgewise/distributed/row_moves.hpp>
#include <edgewise/plan/plan_memory.hpp>

namespace edgewise::inline v0 {

/// Turns rows with all heads, of the vertices that a rank owns, into all rows with the rank's heads, and back: two
/// all-to-alls around an ordinary plan over the whole graph, whose kernels then have heads / ranks heads (of one head:
/// channels / ranks channels) and are balanced whatever the graph. For programs whose heads, or channels, do not mix:
/// sums, extrema and attention do not; `sum_channels` of one head does. Nothing is rounded on the way. Backward: the
/// adjoint goes `to_heads`, gradients come back `to_rows`; gradients of edges and parameters that heads share are
/// summed with `rank_sum`. Source: tensor parallelism as of NeutronTP (Ai et al., VLDB 2024), on the gathers of
/// fuseGNN.
template <communicator Comm, class T>
class feature_split {
  using Exec = typename Comm::exec_type;

public:
  /// For operands [rows that this rank owns, heads, channels] of vertices that are owned in ranges, as `by_edges` gives
  /// them; T is their type. Where there is one head its channels are dealt out, else heads. Throws `invalid_argument`
  /// where these are no multiple of the number of ranks, and where owners are a list.
  feature_split(Comm& comm, Exec const& exec, vertex_owners const& owners, std::int32_t heads, std::int32_t channels)
      : comm_(&comm), first_(owners.first_of_ranges()), heads_(heads), channels_(channels) {
    std::int32_t const dealt = heads > 1 ? heads : channels;
    if (heads < 1 || channels < 1) {
      throw invalid_argument(
          detail::text("feature_split: is of ", heads, " heads x ", channels, " channels, must be of at least 1 x 1"));
    }
    if (owners.num_ranks() != comm.size()) {
      throw invalid_argument(
          detail::text("feature_split: owners of ", owners.num_ranks(), " ranks are given, there are ", comm.size()));
    }
    if (dealt % comm.size() != 0) {
      throw invalid_argument(detail::text("feature_split: ", dealt, heads > 1 ? " heads" : " channels",
                                          " cannot be dealt out to ", comm.size(), " ranks"));
    }
    packed_ = {exec, static_cast<std::size_t>(num_own_rows() * row_size())};
  }

  std::int64_t num_rows() const { return first_.back(); }
  std::int64_t num_own_rows() const { return first_[at(comm_->rank() + 1)] - first_[at(comm_->rank())]; }
  /// Of a row of `to_heads`.
  std::int32_t own_heads() const { return heads_ > 1 ? heads_ / comm_->size() : 1; }
  std::int32_t own_channels() const { return heads_ > 1 ? channels_ : channels_ / comm_->size(); }
  /// Bytes that one call sends to other ranks.
  std::int64_t sent_bytes() const {
    return num_own_rows() * (row_size() - slice()) * static_cast<std::int64_t>(sizeof(T));
  }

  /// to [num_rows(), own_heads(), own_channels()] = this rank's heads of all rows; from [num_own_rows(), heads,
  /// channels], its rows. `to` is dense. Collective, asynchronous as passes are, allocates nothing on a device.
  template <class U>
  void to_heads(Exec const& exec, operand_view<U, operand_kind::wide> const& from,
                operand_view<T, operand_kind::wide> const& to) const {
    check("to_heads: from", from, num_own_rows(), heads_, channels_);
    check("to_heads: to", to, num_rows(), own_heads(), own_channels());
    check_dense("to_heads: to", to);
    std::vector<outgoing> sends;
    std::vector<incoming> receives;
    int const own = comm_->rank();
    for (int q = 0; q < comm_->size(); ++q) {
      T* const into = q == own ? to.data + first_[at(own)] * slice() : packed_.data() + q * num_own_rows() * slice();
      detail::for_each_number(exec, num_own_rows(), slice(),
                              copy<U const, T>{from.data + q * slice(), from.row_stride, nullptr, into, slice()});
      if (q == own) continue;
      detail::add_message(sends, into, num_own_rows() * slice(), q);
      detail::add_rows_of_rank(receives, to.data, first_, q, slice());
    }
    comm_->start(exec, sends, receives);
    comm_->finish(exec);
  }

  /// The way back: to [num_own_rows(), heads, channels], from [num_rows(), own_heads(), own_channels()], dense.
  template <class U>
  void to_rows(Exec const& exec, operand_view<U, operand_kind::wide> const& from,
               operand_view<T, operand_kind::wide> const& to) const {
    check("to_rows: from", from, num_rows(), own_heads(), own_channels());
    check_dense("to_rows: from", from);
    check("to_rows: to", to, num_own_rows(), heads_, channels_);
    std::vector<outgoing> sends;
    std::vector<incoming> receives;
    int const own = comm_->rank();
    for (int q = 0; q < comm_->size(); ++q) {
      if (q == own) continue;
      detail::add_rows_of_rank(sends, from.data, first_, q, slice());
      detail::add_message(receives, packed_.data() + q * num_own_rows() * slice(), num_own_rows() * slice(), q);
    }
    comm_->start(exec, sends, receives);
    comm_->finish(exec);
    for (int q = 0; q < comm_->size(); ++q) {
      T const* const found =
          q == own ? from.data + first_[at(own)] * slice() : packed_.data() + q * num_own_rows() * slice();
      detail::for_each_number(exec, num_own_rows(), slice(),
                              copy<T const, T>{found, slice(), nullptr, to.data + q * slice(), to.row_stride});
    }
  }

private:
  template <class From, class To>
  using copy = detail::copy_rows_of<std::remove_const_t<From>, To, std::int32_t>;

  static std::size_t at(int rank) { return static_cast<std::size_t>(rank); }
  std::int64_t row_size() const { return std::int64_t{heads_} * channels_; }
  std::int64_t slice() const { return row_size() / comm_->size(); }
  template <class View>
  static void check(char const* name, View const& view, std::int64_t rows, std::int32_t heads, std::int32_t channels) {
    static_assert(std::is_same_v<std::remove_const_t<typename View::value_type>, T>,
                  "feature_split: views are of the type that it was made for (distributed/feature_split.hpp)");
    if (view.rows != rows || view.heads != heads || view.channels != channels) {
      throw invalid_argument(detail::text("feature_split: ", name, " has shape [", view.rows, ", ", view.heads, ", ",
                                          view.channels, "], must have [", rows, ", ", heads, ", ", channels, "]"));
    }
  }
  template <class View>
  static void check_dense(char const* name, View const& view) {
    if (view.rows > 1 && view.row_stride != view.row_size()) {
      throw invalid_argument(detail::text("feature_split: rows of ", name, " are ", view.row_stride,
                                          " elements apart, must lie one after the other, ", view.row_size()));
    }
  }

  Comm* comm_;
  std::vector<std::int64_t> first_;  // rows of each rank
  std::int32_t heads_, channels_;
  detail::scratch<T, typename Exec::space> packed_;
};

/// How work is dealt out to ranks.
enum class rank_split { rows, features };

/// Which way moves less in a layer, forward: rows of other ranks that a rank's boundary reads (`distributed_graph`), or
/// its own rows out and back (`feature_split`). The rank for which that is most decides. Collective: the same on every
/// rank. Where both are equal, rows. `features` needs the whole graph on each rank.
template <communicator Comm, class Index, class Offset>
rank_split recommend_split(Comm& comm, typename Comm::exec_type const& exec, graph_part<Index, Offset> const& part) {
  std::int64_t const others = comm.size() - 1;
  std::vector<std::int64_t> const own{part.num_halo_rows() * comm.size(),
                                      2 * static_cast<std::int64_t>(part.num_destinations()) * others};
  std::int64_t of_rows = 0, of_features = 0;
  for (auto const& moved : detail::gather_lists(comm, exec, own)) {
    of_rows = std::max(of_rows, moved[0]);
    of_features = std::max(of_features, moved[1]);
  }
  return of_features < of_rows ? rank_split::features : rank_split::rows;
}

}  // namespace edgewise::inline v0
