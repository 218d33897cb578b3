// What bench_distributed switches off, and what it times by itself: the messages between ranks.
#pragma once

#include <edgewise/distributed.cuh>
#include <edgewise/vendor/nccl.cuh>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "harness/device_array.cuh"

namespace edgewise::bench {

/// A communicator whose messages can be left out: receivers then find what an earlier exchange left there.
class switched_communicator {
public:
  using exec_type = cuda;

  explicit switched_communicator(nccl_communicator& comm) : comm_(&comm) {}

  void send_messages(bool are_sent) { are_sent_ = are_sent; }
  int rank() const { return comm_->rank(); }
  int size() const { return comm_->size(); }
  void start(cuda const& exec, std::span<outgoing const> sends, std::span<incoming const> receives) {
    if (are_sent_) comm_->start(exec, sends, receives);
  }
  void finish(cuda const& exec) {
    if (are_sent_) comm_->finish(exec);
  }
  void wait(cuda const& exec) { comm_->wait(exec); }

private:
  nccl_communicator* comm_;
  bool are_sent_ = true;
};

/// The messages of a step alone: rows of each source operand forward, their gradients back. Rows have the sizes of a
/// halo plan and mean nothing.
class step_messages {
public:
  /// row_bytes: of each source operand, as it travels.
  template <class Halo>
  step_messages(nccl_communicator& comm, cuda const& exec, Halo const& halo, std::vector<std::int64_t> const& row_bytes)
      : comm_(&comm) {
    for (std::int64_t const bytes : row_bytes) {
      auto own = make_array<char>(static_cast<std::size_t>(halo.num_sent_rows() * bytes), exec.stream, comm.memory());
      auto table =
          make_array<char>(static_cast<std::size_t>(halo.of_boundary.num_rows() * bytes), exec.stream, comm.memory());
      poison(own, exec.stream);
      poison(table, exec.stream);
      for (int q = 0; q < comm.size(); ++q) {
        if (q == comm.rank()) continue;
        auto const sent = rows_of_rank(own.data(), halo.send_first, q, bytes);
        auto const read = rows_of_rank(table.data(), halo.of_boundary.first, q, bytes);
        add(forward_, sent, read, q);
        add(backward_, read, sent, q);
      }
      buffers_.push_back(std::move(own));
      buffers_.push_back(std::move(table));
    }
  }

  std::int64_t forward_bytes() const { return bytes_of(forward_); }
  std::int64_t backward_bytes() const { return bytes_of(backward_); }
  void run(cuda const& exec) const {
    for (auto const* messages : {&forward_, &backward_}) {
      if (messages->sends.empty() && messages->receives.empty()) continue;
      comm_->start(exec, messages->sends, messages->receives);
      comm_->finish(exec);
    }
  }

private:
  struct exchange {
    std::vector<outgoing> sends;
    std::vector<incoming> receives;
  };
  static std::span<char> rows_of_rank(char* data, std::vector<std::int64_t> const& first, int rank,
                                      std::int64_t bytes) {
    auto const r = static_cast<std::size_t>(rank);
    return {data + first[r] * bytes, static_cast<std::size_t>((first[r + 1] - first[r]) * bytes)};
  }
  static void add(exchange& to, std::span<char> sent, std::span<char> received, int rank) {
    if (!sent.empty()) to.sends.push_back({sent.data(), sent.size(), rank});
    if (!received.empty()) to.receives.push_back({received.data(), received.size(), rank});
  }
  static std::int64_t bytes_of(exchange const& messages) {
    std::size_t bytes = 0;
    for (auto const& message : messages.sends) bytes += message.bytes;
    return static_cast<std::int64_t>(bytes);
  }

  nccl_communicator* comm_;
  std::vector<device_buffer<char>> buffers_;
  exchange forward_, backward_;
};

}  // namespace edgewise::bench
