// A communicator of processes by MPI, for host memory. Opt-in: needs mpi.h and edgewise::mpi.
#pragma once

#include <edgewise/distributed/communicator.hpp>

#if __has_include(<mpi.h>)
// The C++ bindings that old headers bring along are not needed, and want a library of their own.
#if !defined(OMPI_SKIP_MPICXX)
#define OMPI_SKIP_MPICXX 1
#endif
#if !defined(MPICH_SKIP_MPICXX)
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <edgewise/core/error.hpp>
#include <edgewise/core/resources.hpp>

namespace edgewise::inline v0 {

/// The ranks of an MPI communicator, of which it makes a copy: its messages meet no others. One thread at a time calls
/// it; MPI is initialised before and finalised after its life. `timeout`: a rank to which for so long no message comes,
/// of those that it waits for, throws `communication_error`, which names one that is late; so does a message of another
/// length than was expected. What has begun to arrive is given 10 s more, since it cannot be called back; where its
/// sender stopped for good, its memory must stay. To make a communicator waits without a limit.
/// Where a process dies, most launchers (`mpirun`) end all others, sooner than that.
/// Most MPI libraries move large messages inside of their calls alone: `finish` then takes them, not what runs before.
class mpi_communicator {
public:
  using exec_type = cpu;

  explicit mpi_communicator(MPI_Comm comm, std::chrono::duration<double> timeout = std::chrono::seconds(60))
      : timeout_(timeout) {
    int is_initialised = 0;
    MPI_Initialized(&is_initialised);
    if (!is_initialised) throw invalid_argument("mpi_communicator: MPI is not initialised; call MPI_Init first");
    check(MPI_Comm_dup(comm, &comm_), -1, "MPI_Comm_dup");
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
  }
  mpi_communicator(mpi_communicator const&) = delete;
  mpi_communicator& operator=(mpi_communicator const&) = delete;
  ~mpi_communicator() {
    int is_finalised = 0;
    MPI_Finalized(&is_finalised);
    // What is freed by all ranks together would wait for those that are gone.
    if (!is_finalised && !is_broken_) MPI_Comm_free(&comm_);
  }

  int rank() const noexcept { return rank_; }
  int size() const noexcept { return size_; }

  void start(cpu const&, std::span<outgoing const> sends, std::span<incoming const> receives) {
    if (is_broken_) throw communication_error(-1, "mpi_communicator: an earlier exchange failed");
    if (!requests_.empty()) throw invalid_argument("mpi_communicator: an exchange is under way; finish it first");
    for (auto const& message : receives) {
      for_each_piece(message.bytes, [&](std::size_t first, int bytes) {
        check(MPI_Irecv(static_cast<char*>(message.data) + first, bytes, MPI_BYTE, message.rank, tag, comm_,
                        add(message.rank, bytes)),
              message.rank, "MPI_Irecv");
      });
    }
    num_receives_ = requests_.size();
    for (auto const& message : sends) {
      for_each_piece(message.bytes, [&](std::size_t first, int bytes) {
        check(MPI_Isend(static_cast<char const*>(message.data) + first, bytes, MPI_BYTE, message.rank, tag, comm_,
                        add(message.rank, bytes)),
              message.rank, "MPI_Isend");
      });
    }
  }

  void finish(cpu const&) {
    auto deadline = std::chrono::steady_clock::now() + timeout_;
    std::size_t num_open = requests_.size();
    done_.resize(requests_.size());
    statuses_.resize(requests_.size());
    for (int round = 0; num_open > 0; ++round) {
      int num_done = 0;
      int const status =
          MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &num_done, done_.data(), statuses_.data());
      for (int i = 0; i < num_done; ++i) check_message(static_cast<std::size_t>(done_[i]), statuses_[i], status);
      if (status != MPI_SUCCESS && status != MPI_ERR_IN_STATUS) fail(-1, "MPI_Testsome", status);
      num_open -= static_cast<std::size_t>(num_done);
      if (num_done > 0) {
        round = 0;
        deadline = std::chrono::steady_clock::now() + timeout_;
      } else if (round > 100) {  // other processes may need this core
        std::this_thread::yield();
        if (std::chrono::steady_clock::now() > deadline) time_out();
      }
    }
    requests_.clear();
    expected_.clear();
  }

  /// Nothing is under way after `finish`.
  void wait(cpu const&) const noexcept {}

private:
  static constexpr int tag = 0;
  static constexpr std::chrono::seconds grace{10};
  static constexpr std::size_t largest_piece = std::size_t{1} << 26;  // so that progress is seen; counts are ints

  template <class F>
  static void for_each_piece(std::size_t bytes, F const& f) {
    for (std::size_t first = 0; first < bytes; first += largest_piece) {
      f(first, static_cast<int>(std::min(largest_piece, bytes - first)));
    }
  }

  MPI_Request* add(int rank, int bytes) {
    requests_.push_back(MPI_REQUEST_NULL);
    expected_.push_back({rank, bytes});
    return &requests_.back();
  }

  void check_message(std::size_t i, MPI_Status const& message, int status) {
    auto const& expected = expected_[i];
    if (status == MPI_ERR_IN_STATUS && message.MPI_ERROR != MPI_SUCCESS && message.MPI_ERROR != MPI_ERR_PENDING) {
      int kind = 0;
      MPI_Error_class(message.MPI_ERROR, &kind);
      if (kind == MPI_ERR_TRUNCATE) {
        fail(expected.rank, detail::text("rank ", expected.rank, " sent more than the ", expected.bytes,
                                         " bytes that rank ", rank_, " expects of it"));
      }
      fail(expected.rank, i < num_receives_ ? "receive" : "send", message.MPI_ERROR);
    }
    if (i >= num_receives_) return;
    int bytes = 0;
    MPI_Get_count(&message, MPI_BYTE, &bytes);
    if (bytes != expected.bytes) {
      fail(expected.rank, detail::text("rank ", expected.rank, " sent ", bytes, " bytes, rank ", rank_, " expects ",
                                       expected.bytes, " of it"));
    }
  }

  [[noreturn]] void time_out() {
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      if (requests_[i] == MPI_REQUEST_NULL) continue;
      auto const& late = expected_[i];
      fail(late.rank,
           detail::text("rank ", late.rank, i < num_receives_ ? " has not sent " : " has not taken ", late.bytes,
                        " bytes that rank ", rank_, i < num_receives_ ? " expects of it" : " has for it", " after ",
                        timeout_.count(), " s"));
    }
    fail(-1, "no message is missing");
  }

  void check(int status, int rank, char const* call) {
    if (status != MPI_SUCCESS) fail(rank, call, status);
  }
  [[noreturn]] void fail(int rank, char const* call, int status) {
    char message[MPI_MAX_ERROR_STRING];
    int length = 0;
    MPI_Error_string(status, message, &length);
    fail(rank, detail::text(call, " of rank ", rank_, ": ", std::string(message, static_cast<std::size_t>(length))));
  }
  [[noreturn]] void fail(int rank, std::string const& what) {
    is_broken_ = true;
    for (MPI_Request& request : requests_) {
      if (request != MPI_REQUEST_NULL) MPI_Cancel(&request);
    }
    // A message that has begun to arrive is not to be cancelled: until it is there, its memory must stay.
    auto const deadline = std::chrono::steady_clock::now() + grace;
    int are_done = 0;
    do {
      MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &are_done, MPI_STATUSES_IGNORE);
    } while (!are_done && std::chrono::steady_clock::now() < deadline);
    requests_.clear();
    expected_.clear();
    throw communication_error(rank, "mpi_communicator: " + what);
  }

  struct expected_message {
    int rank;
    int bytes;
  };

  MPI_Comm comm_ = MPI_COMM_NULL;
  std::chrono::duration<double> timeout_;
  int rank_ = 0;
  int size_ = 1;
  bool is_broken_ = false;
  std::size_t num_receives_ = 0;
  std::vector<MPI_Request> requests_;
  std::vector<expected_message> expected_;
  std::vector<int> done_;
  std::vector<MPI_Status> statuses_;
};

}  // namespace edgewise::inline v0
#endif
