// What distributed graphs ask of the library that moves bytes between processes. Models: vendor/mpi.hpp for hosts,
// vendor/nccl.cuh for GPUs.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <string>

#include <edgewise/core/error.hpp>

namespace edgewise::inline v0 {

/// Bytes for a rank, and bytes from one. A message of no bytes is not sent. Where several go from one rank to another
/// in one exchange, they arrive in the order in which they are listed, which both ranks keep.
struct outgoing {
  void const* data;
  std::size_t bytes;
  int rank;
};
struct incoming {
  void* data;
  std::size_t bytes;
  int rank;
};

/// Processes did not find together: a rank is gone, late, or sent something else than was expected of it. `rank()` is
/// that rank, -1 where it is not known which. The communicator is of no use afterwards.
class communication_error : public error {
public:
  communication_error(int rank, std::string const& what) : error(what), rank_(rank) {}
  int rank() const noexcept { return rank_; }

private:
  int rank_;
};

/// A group of processes of which this one is `rank()` of `size()`. One exchange at a time:
///   start(exec, sends, receives)   what was enqueued on exec before has written what is sent
///   finish(exec)                   what is enqueued on exec after finds what was received; sends may be overwritten
///   wait(exec)                     returns when all that was enqueued on exec is done, messages included
/// Between the two, work on exec may run beside the messages, and neither buffer may be touched. No rank waits for
/// another but where it needs its bytes, or the other has to take some. Throws `communication_error` where a rank does
/// not answer within the time that the model documents.
template <class C>
concept communicator = requires(C& comm, C const& seen, typename C::exec_type const& exec,
                                std::span<outgoing const> sends, std::span<incoming const> receives) {
  { seen.rank() } -> std::convertible_to<int>;
  { seen.size() } -> std::convertible_to<int>;
  comm.start(exec, sends, receives);
  comm.finish(exec);
  comm.wait(exec);
};

}  // namespace edgewise::inline v0
