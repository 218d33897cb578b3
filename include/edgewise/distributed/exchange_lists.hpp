// Lists of host numbers from every rank to every rank: what partitions and halo plans are made by.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <edgewise/core/error.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/distributed/communicator.hpp>
#include <edgewise/distributed/message_lists.hpp>

namespace edgewise::inline v0::detail {

/// Messages in host memory by a communicator of Exec. For `cuda`: distributed/device.cuh.
template <class Exec>
struct host_messages;
template <>
struct host_messages<cpu> {
  template <communicator Comm>
  static void exchange(Comm& comm, cpu const& exec, std::span<outgoing const> sends,
                       std::span<incoming const> receives) {
    comm.start(exec, sends, receives);
    comm.finish(exec);
  }
};

/// result[q]: how many elements rank q sends this one, of which `sent` has how many go there. Shapes: sent [ranks].
template <communicator Comm>
std::vector<std::int64_t> exchange_counts(Comm& comm, typename Comm::exec_type const& exec,
                                          std::vector<std::int64_t> const& sent) {
  auto const num_ranks = static_cast<std::size_t>(comm.size());
  auto const own = static_cast<std::size_t>(comm.rank());
  std::vector<std::int64_t> received(num_ranks);
  std::vector<outgoing> sends;
  std::vector<incoming> receives;
  for (std::size_t q = 0; q < num_ranks; ++q) {
    if (q == own) continue;
    add_message(sends, &sent[q], 1, static_cast<int>(q));
    add_message(receives, &received[q], 1, static_cast<int>(q));
  }
  host_messages<typename Comm::exec_type>::exchange(comm, exec, sends, receives);
  received[own] = sent[own];
  for (std::size_t q = 0; q < num_ranks; ++q) {
    if (received[q] < 0) {
      throw communication_error(static_cast<int>(q), text("rank ", q, " announces ", received[q], " elements"));
    }
  }
  return received;
}

/// result[q]: what rank q has for this one in its `lists`, of as many elements as there. Shapes: lists [ranks].
template <class T, communicator Comm>
std::vector<std::vector<T>> exchange_lists(Comm& comm, typename Comm::exec_type const& exec,
                                           std::vector<std::vector<T>> const& lists) {
  auto const num_ranks = static_cast<std::size_t>(comm.size());
  auto const own = static_cast<std::size_t>(comm.rank());
  std::vector<std::int64_t> sent(num_ranks);
  for (std::size_t q = 0; q < num_ranks; ++q) sent[q] = static_cast<std::int64_t>(lists[q].size());
  auto const received = exchange_counts(comm, exec, sent);

  std::vector<std::vector<T>> result(num_ranks);
  result[own] = lists[own];
  std::vector<outgoing> sends;
  std::vector<incoming> receives;
  for (std::size_t q = 0; q < num_ranks; ++q) {
    if (q == own) continue;
    result[q].resize(static_cast<std::size_t>(received[q]));
    add_message(sends, lists[q].data(), sent[q], static_cast<int>(q));
    add_message(receives, result[q].data(), received[q], static_cast<int>(q));
  }
  host_messages<typename Comm::exec_type>::exchange(comm, exec, sends, receives);
  return result;
}

/// What every rank has, in their order.
template <class T, communicator Comm>
std::vector<std::vector<T>> gather_lists(Comm& comm, typename Comm::exec_type const& exec, std::vector<T> const& list) {
  return exchange_lists(comm, exec, std::vector<std::vector<T>>(static_cast<std::size_t>(comm.size()), list));
}

/// Throws `communication_error` where another rank does not say the same as this one. `what` names the numbers.
template <communicator Comm>
void require_agreement(Comm& comm, typename Comm::exec_type const& exec, std::vector<std::int64_t> const& numbers,
                       std::span<char const* const> what, char const* call) {
  auto const all = gather_lists(comm, exec, numbers);
  for (std::size_t q = 0; q < all.size(); ++q) {
    if (all[q].size() != numbers.size()) {
      throw communication_error(static_cast<int>(q), text(call, ": rank ", q, " is not in this call"));
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (all[q][i] == numbers[i]) continue;
      throw communication_error(static_cast<int>(q), text(call, ": rank ", q, " has ", all[q][i], " ", what[i],
                                                          ", rank ", comm.rank(), " has ", numbers[i]));
    }
  }
}

}  // namespace edgewise::inline v0::detail
