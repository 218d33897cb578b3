// Ranks that are threads of one process: what a test needs where there is one device, and no launcher.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <deque>
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

/// What all ranks see: messages that are not taken yet, of each rank to each.
class thread_group {
public:
  explicit thread_group(int ranks) : size_(ranks), letters_(static_cast<std::size_t>(ranks * ranks)) {}
  int size() const { return size_; }

  void put(int from, outgoing const& letter) {
    std::lock_guard const lock(mutex_);
    queue(from, letter.rank).push_back(letter);
    changed_.notify_all();
  }
  /// The next message of a pair, which stays until `take`. Throws where a rank has failed.
  outgoing next(int from, int to) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !queue(from, to).empty() || has_failed_; });
    require_all(from);
    return queue(from, to).front();
  }
  void take(int from, int to) {
    std::lock_guard const lock(mutex_);
    queue(from, to).pop_front();
    changed_.notify_all();
  }
  /// Returns when all that a rank sent was taken.
  void wait_for_taken(int from) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] {
      if (has_failed_) return true;
      for (int to = 0; to < size_; ++to) {
        if (!queue(from, to).empty()) return false;
      }
      return true;
    });
    require_all(from);
  }
  void fail() {
    std::lock_guard const lock(mutex_);
    has_failed_ = true;
    changed_.notify_all();
  }

private:
  std::deque<outgoing>& queue(int from, int to) { return letters_[static_cast<std::size_t>(from * size_ + to)]; }
  void require_all(int rank) const {
    if (has_failed_) throw communication_error(rank, "thread_communicator: a rank has failed");
  }

  int size_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool has_failed_ = false;
  std::vector<std::deque<outgoing>> letters_;
};

/// One of the ranks.
template <class Exec>
class thread_communicator {
public:
  using exec_type = Exec;

  thread_communicator(thread_group& group, int rank) : group_(&group), rank_(rank) {}
  int rank() const { return rank_; }
  int size() const { return group_->size(); }

  void start(Exec const& exec, std::span<outgoing const> sends, std::span<incoming const> receives) {
    rank_copies<Exec>::synchronize(exec);
    for (outgoing const& letter : sends) group_->put(rank_, letter);
    receives_.assign(receives.begin(), receives.end());
  }
  void finish(Exec const& exec) {
    for (incoming const& wanted : receives_) {
      outgoing const letter = group_->next(wanted.rank, rank_);
      if (letter.bytes != wanted.bytes) {
        throw communication_error(wanted.rank, "thread_communicator: a message is of another length");
      }
      rank_copies<Exec>::copy(exec, wanted.data, letter.data, wanted.bytes);
      rank_copies<Exec>::synchronize(exec);
      group_->take(wanted.rank, rank_);
    }
    group_->wait_for_taken(rank_);
  }
  void wait(Exec const& exec) { rank_copies<Exec>::synchronize(exec); }

private:
  thread_group* group_;
  int rank_;
  std::vector<incoming> receives_;
};

/// Calls work(rank, group) on a thread for each rank. Throws what the first of them threw.
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
        {
          std::lock_guard const lock(mutex);
          if (!thrown) thrown = std::current_exception();
        }
        group.fail();
      }
    });
  }
  for (auto& thread : threads) thread.join();
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace edgewise::testing
