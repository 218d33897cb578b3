// A communicator of GPUs by NCCL, for device memory. Opt-in: needs nccl.h and edgewise::nccl.
#pragma once

#include <edgewise/distributed/communicator.hpp>

#if __has_include(<nccl.h>)
#include <cuda_runtime_api.h>
#include <nccl.h>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <edgewise/core/device_memory.cuh>
#include <edgewise/core/error.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/distributed/exchange_lists.hpp>
#include <edgewise/vendor/nccl_memory.cuh>

namespace edgewise::inline v0 {

/// The id by which ranks find one another: rank 0 makes it, the others get it from there.
struct nccl_id {
  ncclUniqueId value;
  char address[64] = {};  ///< where the ranks meet, of `nccl_id_at`
};

namespace detail {

inline std::string nccl_text(ncclResult_t status, ncclComm_t comm) {
  return text(ncclGetErrorString(status), ": ", ncclGetLastError(comm));
}
inline void check_nccl(ncclResult_t status, char const* call) {
  if (status != ncclSuccess)
    throw communication_error(-1, text("nccl_communicator: ", call, ": ", nccl_text(status, nullptr)));
}

}  // namespace detail

/// A new id, of this process. Throws `communication_error`.
inline nccl_id make_nccl_id() {
  nccl_id id;
  detail::check_nccl(ncclGetUniqueId(&id.value), "ncclGetUniqueId");
  return id;
}

/// Rank 0's id, by another communicator of the same ranks, such as `mpi_communicator`. Collective.
template <communicator Comm>
nccl_id share_nccl_id(Comm& comm, typename Comm::exec_type const& exec) {
  std::vector<char> bytes(sizeof(nccl_id));
  if (comm.rank() == 0) {
    nccl_id const id = make_nccl_id();
    std::memcpy(bytes.data(), &id, sizeof(id));
  }
  auto const all = detail::gather_lists(comm, exec, bytes);
  nccl_id id;
  std::memcpy(&id, all[0].data(), sizeof(id));
  return id;
}

/// Rank 0's id, by a file that all ranks see: rank 0 writes it, the others wait until it is there. The path is one that
/// no earlier run has written. Throws `io_error` where it cannot be written, or is not there in time.
inline nccl_id share_nccl_id(std::string const& path, int rank,
                             std::chrono::duration<double> timeout = std::chrono::seconds(60)) {
  if (rank == 0) {
    nccl_id const id = make_nccl_id();
    std::string const partial = path + ".partial";
    {
      std::ofstream file(partial, std::ios::binary);
      file.write(reinterpret_cast<char const*>(&id), sizeof(id));
      if (!file) throw io_error("share_nccl_id: cannot write " + partial);
    }
    if (std::rename(partial.c_str(), path.c_str()) != 0) throw io_error("share_nccl_id: cannot write " + path);
    return id;
  }
  auto const deadline = std::chrono::steady_clock::now() + timeout;
  for (;;) {
    std::ifstream file(path, std::ios::binary);
    nccl_id id;
    if (file && file.read(reinterpret_cast<char*>(&id), sizeof(id))) return id;
    if (std::chrono::steady_clock::now() > deadline) {
      throw io_error(detail::text("share_nccl_id: rank 0 has written no ", path, " after ", timeout.count(), " s"));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

namespace detail {

/// NCCL reads the address at which ranks meet from the environment, when ids and when communicators are made.
class meeting_at {
public:
  explicit meeting_at(char const* address) : is_set_(address[0] != '\0') {
    if (!is_set_) return;
    if (char const* const users = std::getenv(name)) users_ = users;
    ::setenv(name, address, 1);
  }
  meeting_at(meeting_at const&) = delete;
  meeting_at& operator=(meeting_at const&) = delete;
  ~meeting_at() {
    if (!is_set_) return;
    users_.empty() ? ::unsetenv(name) : ::setenv(name, users_.c_str(), 1);
  }

private:
  static constexpr char const* name = "NCCL_COMM_ID";
  bool is_set_;
  std::string users_;  // what stood there before
};

}  // namespace detail

/// The id of the ranks that meet at an address of rank 0's machine, "10.0.0.1:3456", which all give. Throws
/// `invalid_argument` for one of more than 63 characters.
inline nccl_id nccl_id_at(std::string const& address) {
  nccl_id id;
  if (address.size() >= sizeof(id.address)) throw invalid_argument("nccl_id_at: " + address + " is no address");
  detail::meeting_at const meeting(address.c_str());
  id.value = make_nccl_id().value;
  std::memcpy(id.address, address.c_str(), address.size() + 1);
  return id;
}

/// How messages cross. `buffered`: through buffers of NCCL, from and to any arrays. `direct`: from array to array,
/// which takes less bandwidth and fewer multiprocessors from kernels that run meanwhile, where both are of
/// `nccl_communicator::memory()`; others are copied to and from such memory. The same on all ranks.
enum class nccl_transfer { buffered, direct };

/// One GPU for each rank: the current device of the process, or thread, that makes it. Messages run on a stream of its
/// own, of high priority, so that kernels on the caller's stream run beside them; `start` and `finish` are asynchronous
/// and may be captured. A rank that waits longer than `timeout` for others to make their communicators throws
/// `communication_error`. Later, a rank that is gone is found by `wait`, which a program calls in place of
/// cudaStreamSynchronize: it throws where the stream is not done within `timeout`, and ends the communicator, so that
/// kernels which wait for messages end too. With `nccl_transfer::direct` plans, saved states and sources are best taken
/// from `memory()`, and given back before the communicator ends; an exchange may then allocate, the first time. Ranks
/// that do not agree on the transfer throw `communication_error`.
class nccl_communicator {
public:
  using exec_type = cuda;

  nccl_communicator(nccl_id const& id, int rank, int size,
                    std::chrono::duration<double> timeout = std::chrono::seconds(60),
                    nccl_transfer transfer = nccl_transfer::buffered)
      : rank_(rank), size_(size), timeout_(timeout) {
    if (size < 1 || rank < 0 || rank >= size) {
      throw invalid_argument(detail::text("nccl_communicator: is rank ", rank, " of ", size));
    }
    try {
      open(id);
      require_same_transfer(transfer);
      is_direct_ = transfer == nccl_transfer::direct;
      if (is_direct_) messages_.resource().use(comm_);
    } catch (...) {
      close();
      throw;
    }
  }
  nccl_communicator(nccl_communicator const&) = delete;
  nccl_communicator& operator=(nccl_communicator const&) = delete;
  ~nccl_communicator() { close(); }

  int rank() const noexcept { return rank_; }
  int size() const noexcept { return size_; }
  /// What arrays are best taken from that messages are read from or written to.
  memory_resource* memory() noexcept { return is_direct_ ? &messages_.resource() : device_memory(); }
  /// Of later waits.
  void set_timeout(std::chrono::duration<double> timeout) { timeout_ = timeout; }

  void start(cuda const& exec, std::span<outgoing const> sends, std::span<incoming const> receives) {
    if (!comm_) throw communication_error(-1, "nccl_communicator: an earlier exchange failed");
    if (is_under_way_) throw invalid_argument("nccl_communicator: an exchange is under way; finish it first");
    check_cuda(cudaEventRecord(ready_, exec.stream), "nccl_communicator: start");
    check_cuda(cudaStreamWaitEvent(stream_, ready_, 0), "nccl_communicator: start");
    detail::registered_messages placed;
    if (is_direct_) placed = messages_.place(sends, receives, stream_);  // before anything is sent: it may throw
    is_under_way_ = true;
    if (is_direct_) {
      enqueue(placed.sends, placed.receives);
      messages_.take(placed, receives, stream_);
    } else {
      enqueue(sends, receives);
    }
    check_cuda(cudaEventRecord(done_, stream_), "nccl_communicator: start");
  }
  void finish(cuda const& exec) {
    if (!is_under_way_) return;
    is_under_way_ = false;
    check_cuda(cudaStreamWaitEvent(exec.stream, done_, 0), "nccl_communicator: finish");
  }

  /// Waits for the work of a stream, messages included, `timeout` at most.
  void wait(cuda const& exec) {
    auto const deadline = std::chrono::steady_clock::now() + timeout_;
    for (;;) {
      cudaError_t const status = cudaStreamQuery(exec.stream);
      if (status == cudaSuccess) return;
      if (status != cudaErrorNotReady) check_cuda(status, "nccl_communicator: wait");
      ncclResult_t state = ncclSuccess;
      if (comm_) ncclCommGetAsyncError(comm_, &state);
      if (state != ncclSuccess && state != ncclInProgress) fail(detail::nccl_text(state, comm_));
      if (std::chrono::steady_clock::now() > deadline) {
        fail(detail::text("the messages of rank ", rank_, " are not there after ", timeout_.count(), " s"));
      }
      std::this_thread::yield();
    }
  }

private:
  void open(nccl_id const& id) {
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    detail::meeting_at const meeting(id.address);
    settle(ncclCommInitRankConfig(&comm_, size_, id.value, rank_, &config), "ncclCommInitRankConfig");
    int least = 0, greatest = 0;
    check_cuda(cudaDeviceGetStreamPriorityRange(&least, &greatest), "nccl_communicator: stream priorities");
    check_cuda(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, greatest),
               "nccl_communicator: cudaStreamCreateWithPriority");
    for (cudaEvent_t* event : {&ready_, &done_}) {
      check_cuda(cudaEventCreateWithFlags(event, cudaEventDisableTiming), "nccl_communicator: cudaEventCreate");
    }
  }
  /// Throws where other ranks transfer messages in another way.
  void require_same_transfer(nccl_transfer own) {
    auto const size = static_cast<std::size_t>(size_), rank = static_cast<std::size_t>(rank_);
    std::vector<char> all(size, own == nccl_transfer::direct ? 1 : 0);
    char const own_number = all[rank];
    device_buffer<char> numbers(2 * size, device_memory(), stream_);
    check_cuda(cudaMemcpyAsync(numbers.data(), all.data(), size, cudaMemcpyHostToDevice, stream_),
               "nccl_communicator: copy");
    std::vector<outgoing> sends;
    std::vector<incoming> receives;
    for (std::size_t q = 0; q < size; ++q) {
      if (q == rank) continue;
      sends.push_back({numbers.data() + q, 1, static_cast<int>(q)});
      receives.push_back({numbers.data() + size + q, 1, static_cast<int>(q)});
    }
    enqueue(sends, receives);
    wait(cuda{.stream = stream_});
    check_cuda(cudaMemcpy(all.data(), numbers.data() + size, size, cudaMemcpyDeviceToHost), "nccl_communicator: copy");
    for (std::size_t q = 0; q < size; ++q) {
      if (q == rank || all[q] == own_number) continue;
      throw communication_error(
          static_cast<int>(q), detail::text("nccl_communicator: messages of rank ", q, " are ",
                                            all[q] != 0 ? "direct" : "buffered", ", those of rank ", rank, " are not"));
    }
  }
  void enqueue(std::span<outgoing const> sends, std::span<incoming const> receives) {
    settle(ncclGroupStart(), "ncclGroupStart");
    for (auto const& message : sends) {
      settle_in_group(ncclSend(message.data, message.bytes, ncclInt8, message.rank, comm_, stream_), "ncclSend",
                      message.rank);
    }
    for (auto const& message : receives) {
      settle_in_group(ncclRecv(message.data, message.bytes, ncclInt8, message.rank, comm_, stream_), "ncclRecv",
                      message.rank);
    }
    settle(ncclGroupEnd(), "ncclGroupEnd");
  }
  void close() noexcept {
    abort();
    messages_.give_back(stream_);
    if (ready_) cudaEventDestroy(ready_);
    if (done_) cudaEventDestroy(done_);
    if (stream_) cudaStreamDestroy(stream_);
  }
  /// To destroy a communicator in order waits for ranks that may be gone.
  void abort() noexcept {
    messages_.resource().use(nullptr);
    if (comm_) ncclCommAbort(std::exchange(comm_, nullptr));
  }

  /// Calls of a communicator that does not block are under way until they say otherwise.
  void settle(ncclResult_t status, char const* call) {
    auto const deadline = std::chrono::steady_clock::now() + timeout_;
    while (status == ncclInProgress) {
      ncclResult_t const asked = ncclCommGetAsyncError(comm_, &status);
      if (asked != ncclSuccess) status = asked;
      if (std::chrono::steady_clock::now() > deadline) {
        fail(detail::text(call, " of rank ", rank_, " is not done after ", timeout_.count(),
                          " s: other ranks are missing"));
      }
      std::this_thread::yield();
    }
    if (status != ncclSuccess) fail(detail::text(call, ": ", detail::nccl_text(status, comm_)));
  }
  void settle_in_group(ncclResult_t status, char const* call, int rank) {
    if (status == ncclSuccess || status == ncclInProgress) return;
    ncclGroupEnd();
    fail(detail::text(call, " with rank ", rank, ": ", detail::nccl_text(status, comm_)), rank);
  }
  [[noreturn]] void fail(std::string const& what, int rank = -1) {
    abort();
    throw communication_error(rank, "nccl_communicator: " + what);
  }

  int rank_;
  int size_;
  std::chrono::duration<double> timeout_;
  ncclComm_t comm_ = nullptr;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t ready_ = nullptr;
  cudaEvent_t done_ = nullptr;
  bool is_under_way_ = false;
  bool is_direct_ = false;
  detail::message_memory messages_;
};

}  // namespace edgewise::inline v0
#endif
