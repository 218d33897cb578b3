// Ranks that are threads of one process: what a test needs where there is one device, and no launcher.
#pragma once

#include <barrier>
#include <cstring>
#include <exception>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include <edgewise/core/error.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/distributed/communicator.hpp>

namespace edgewise::testing {

/// How bytes get from one rank's memory to another's. For `cuda`: thread_ranks.cuh.
template <class Exec>
struct rank_copies;
template <>
struct rank_copies<cpu> {
  static void synchronize(cpu const&) {}
  static void copy(cpu const&, void* to, void const* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
};

/// What all ranks see.
struct thread_group {
  explicit thread_group(int ranks) : sends(static_cast<std::size_t>(ranks)), meeting(ranks) {}

  std::vector<std::vector<outgoing>> sends;  // of each rank, in the exchange under way
  std::barrier<> meeting;
};

/// One of them. Ranks meet when an exchange finishes and take from each other what was sent to them.
template <class Exec>
class thread_communicator {
public:
  using exec_type = Exec;

  thread_communicator(thread_group& group, int rank) : group_(&group), rank_(rank) {}
  int rank() const { return rank_; }
  int size() const { return static_cast<int>(group_->sends.size()); }

  void start(Exec const& exec, std::span<outgoing const> sends, std::span<incoming const> receives) {
    rank_copies<Exec>::synchronize(exec);
    group_->sends[static_cast<std::size_t>(rank_)].assign(sends.begin(), sends.end());
    receives_.assign(receives.begin(), receives.end());
  }
  void finish(Exec const& exec) {
    group_->meeting.arrive_and_wait();
    std::vector<std::size_t> next(group_->sends.size(), 0);
    for (incoming const& wanted : receives_) {
      auto const& sends = group_->sends[static_cast<std::size_t>(wanted.rank)];
      std::size_t& k = next[static_cast<std::size_t>(wanted.rank)];
      while (k < sends.size() && sends[k].rank != rank_) ++k;
      if (k == sends.size() || sends[k].bytes != wanted.bytes) {
        throw communication_error(wanted.rank, "thread_communicator: a message is missing or of another length");
      }
      rank_copies<Exec>::copy(exec, wanted.data, sends[k++].data, wanted.bytes);
    }
    rank_copies<Exec>::synchronize(exec);
    group_->meeting.arrive_and_wait();
  }
  void wait(Exec const& exec) { rank_copies<Exec>::synchronize(exec); }

private:
  thread_group* group_;
  int rank_;
  std::vector<incoming> receives_;
};

/// Calls work(rank, group) on a thread for each rank. Throws what the first of them threw; as others would then wait
/// for that one, the process ends where it does not throw on all.
template <class Work>
void run_ranks(int ranks, Work const& work) {
  thread_group group(ranks);
  std::exception_ptr thrown;
  std::mutex mutex;
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      try {
        work(rank, group);
      } catch (...) {
        std::lock_guard const lock(mutex);
        if (!thrown) thrown = std::current_exception();
        group.meeting.arrive_and_drop();
      }
    });
  }
  for (auto& thread : threads) thread.join();
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace edgewise::testing
