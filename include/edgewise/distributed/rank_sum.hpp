// Sums over ranks in their order: gradients of what every rank has a copy of.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <edgewise/core/error.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/distributed/communicator.hpp>
#include <edgewise/distributed/message_lists.hpp>
#include <edgewise/distributed/row_moves.hpp>
#include <edgewise/engine/concept.hpp>
#include <edgewise/plan/plan_memory.hpp>

namespace edgewise::inline v0 {

/// Replaces `size` numbers by their sum over the ranks of a communicator, taken in the order of ranks, so that every
/// rank gets the same bits whatever network and library: for the gradients of weights between plans, which a trainer
/// sums before it takes a step. Each rank sums a share of the numbers, and sends about 2 (R - 1) / R x size of them
/// (`sent_bytes`) among R ranks. Memory: one more of `size`. Of T float or double. Made for one size, used as often as
/// needed.
template <communicator Comm, class T>
class rank_sum {
  using Exec = typename Comm::exec_type;

public:
  /// Throws what the memory resource of `exec` throws.
  rank_sum(Comm& comm, Exec const& exec, std::int64_t size)
      : comm_(&comm),
        size_(size),
        share_((size + comm.size() - 1) / comm.size()),
        gathered_(exec, static_cast<std::size_t>(share_ * comm.size())) {}

  std::int64_t size() const { return size_; }
  /// Bytes that a call sends to other ranks.
  std::int64_t sent_bytes() const {
    std::int64_t const own = size_of(comm_->rank());
    return (size_ - own + own * (comm_->size() - 1)) * static_cast<std::int64_t>(sizeof(T));
  }

  /// numbers[k] = the sum over ranks of what was there. Collective, asynchronous as passes are, allocates nothing on a
  /// device. Shape: numbers [size], where passes of `exec` run.
  void operator()(Exec const& exec, T* numbers) const {
    int const num_ranks = comm_->size(), own = comm_->rank();
    if (num_ranks == 1 || size_ == 0) return;
    std::vector<outgoing> sends;
    std::vector<incoming> receives;
    for (int q = 0; q < num_ranks; ++q) {
      if (q == own) continue;
      detail::add_message(sends, numbers + first_of(q), size_of(q), q);
      detail::add_message(receives, gathered_.data() + q * share_, size_of(own), q);
    }
    comm_->start(exec, sends, receives);
    detail::for_each_number(exec, size_of(own), 1,
                            copy{numbers + first_of(own), 1, nullptr, gathered_.data() + own * share_, 1});
    comm_->finish(exec);
    detail::for_each_number(exec, size_of(own), 1,
                            detail::sum_numbers<T>{gathered_.data(), share_, num_ranks, numbers + first_of(own)});
    sends.clear();
    receives.clear();
    for (int q = 0; q < num_ranks; ++q) {
      if (q == own) continue;
      detail::add_message(sends, numbers + first_of(own), size_of(own), q);
      detail::add_message(receives, numbers + first_of(q), size_of(q), q);
    }
    comm_->start(exec, sends, receives);
    comm_->finish(exec);
  }

private:
  using copy = detail::copy_rows_of<T, T, std::int32_t>;

  std::int64_t first_of(int rank) const { return std::min(size_, share_ * rank); }
  std::int64_t size_of(int rank) const { return first_of(rank + 1) - first_of(rank); }

  Comm* comm_;
  std::int64_t size_;
  std::int64_t share_;
  detail::scratch<T, typename Exec::space> gathered_;
};

}  // namespace edgewise::inline v0
