// When memory may be given back that outlives the stream it was taken on: behind all work of the library on its device.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <vector>

#include <edgewise/core/device_memory.cuh>
#include <edgewise/core/memory.hpp>

namespace edgewise::inline v0::detail {

/// While it lives, this thread may do what a capture of another stream forbids, such as making an event.
class relaxed_capture {
public:
  relaxed_capture() { cudaThreadExchangeStreamCaptureMode(&mode_); }
  relaxed_capture(relaxed_capture const&) = delete;
  relaxed_capture& operator=(relaxed_capture const&) = delete;
  ~relaxed_capture() { cudaThreadExchangeStreamCaptureMode(&mode_); }

private:
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

/// Is a stream being captured, or one whose capture would end by work on this default stream?
inline bool is_captured(stream_handle stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  if (cudaStreamIsCapturing(stream, &status) == cudaSuccess) return status != cudaStreamCaptureStatusNone;
  cudaGetLastError();  // clears the error of this query
  return true;
}

/// The stream on which a device's memory is given back, and an event behind the last work of the library on each
/// stream that it was given. Streams themselves are not kept: they may be gone. Work that was captured is not known:
/// who replays a graph keeps what it uses. There is one per device, never destroyed, as the runtime may be gone before.
class release_queue {
public:
  static release_queue& of(int device) {
    static std::mutex guard;
    static auto& all = *new std::vector<release_queue*>;
    std::lock_guard const lock(guard);
    if (all.size() <= static_cast<std::size_t>(device)) all.resize(static_cast<std::size_t>(device) + 1);
    release_queue*& queue = all[static_cast<std::size_t>(device)];
    if (!queue) queue = new release_queue;
    return *queue;
  }

  /// Remembers what is in a stream, not captured, of this queue's device, the current one. Waits for it where that
  /// cannot be.
  void note(stream_handle stream) noexcept {
    relaxed_capture const relaxed;
    std::lock_guard const lock(guard_);
    if (!record(stream)) {
      cudaGetLastError();
      cudaStreamSynchronize(stream);
    }
  }

  /// A stream that waits for all that was noted.
  stream_handle wait() noexcept {
    std::lock_guard const lock(guard_);
    for (noted const& work : noted_) {
      if (cudaStreamWaitEvent(stream_, work.event, 0) != cudaSuccess) cudaGetLastError();
    }
    return stream_;
  }

private:
  struct noted {
    unsigned long long stream_id;
    cudaEvent_t event;
  };
  static constexpr std::size_t most_streams = 64;

  bool record(stream_handle stream) noexcept {
    unsigned long long id = 0;
    if (!stream_ && cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking) != cudaSuccess) return false;
    if (cudaStreamGetId(stream, &id) != cudaSuccess) return false;
    auto found = std::find_if(noted_.begin(), noted_.end(), [&](noted const& work) { return work.stream_id == id; });
    if (found == noted_.end() && noted_.size() < most_streams) {
      noted made{id, nullptr};
      if (cudaEventCreateWithFlags(&made.event, cudaEventDisableTiming) != cudaSuccess) return false;
      try {
        noted_.push_back(made);
      } catch (...) {
        cudaEventDestroy(made.event);
        return false;
      }
      found = noted_.end() - 1;
    } else if (found == noted_.end()) {  // that of the stream that has not been used for longest is waited for instead
      found = noted_.begin();
      if (cudaStreamWaitEvent(stream_, found->event, 0) != cudaSuccess) return false;
      found->stream_id = id;
    }
    std::rotate(found, found + 1, noted_.end());
    return cudaEventRecord(noted_.back().event, stream) == cudaSuccess;
  }

  std::mutex guard_;
  cudaStream_t stream_ = nullptr;
  std::vector<noted> noted_;
};

/// Lives while a call of the library works on a stream of the current device: what it leaves running is noted behind
/// it.
class open_call {
public:
  open_call(int device, stream_handle stream)
      : device_(device), stream_(stream), is_captured_(detail::is_captured(stream)), queue_(release_queue::of(device)) {
    outer_ = innermost();
    innermost() = this;
  }
  open_call(open_call const&) = delete;
  open_call& operator=(open_call const&) = delete;
  ~open_call() {
    innermost() = outer_;
    note();
  }

  int device() const { return device_; }
  bool is_captured() const { return is_captured_; }
  open_call const* outer() const { return outer_; }
  void note() const noexcept {
    if (!is_captured_) queue_.note(stream_);
  }
  /// The innermost call that this thread is in; null where it is in none.
  static open_call*& innermost() {
    static thread_local open_call* call = nullptr;
    return call;
  }

private:
  int device_;
  stream_handle stream_;
  bool is_captured_;
  release_queue& queue_;
  open_call* outer_ = nullptr;
};

/// What `release_order` takes: notes what calls on the device have left running, and returns the stream that waits for
/// it.
inline stream_handle stream_for_release(int device) noexcept {
  release_queue& queue = release_queue::of(device);
  for (open_call const* call = open_call::innermost(); call; call = call->outer()) {
    if (call->device() == device) call->note();
  }
  return queue.wait();
}

/// Device arrays that this thread makes while it lives may outlive their streams; not those of a capture, which a graph
/// owns.
class outliving_arrays {
public:
  explicit outliving_arrays(open_call const& call) : before_(current_release_order()) {
    if (!call.is_captured()) current_release_order() = {stream_for_release, call.device()};
  }
  outliving_arrays(outliving_arrays const&) = delete;
  outliving_arrays& operator=(outliving_arrays const&) = delete;
  ~outliving_arrays() { current_release_order() = before_; }

private:
  release_order before_;
};

/// What make() returns, of arrays that go before the call ends: given back on the stream that they were taken on.
template <class Make>
auto make_passing(Make const& make) {
  struct restore {
    release_order before = current_release_order();
    ~restore() { current_release_order() = before; }
  } const at_end;
  current_release_order() = {};
  return make();
}

}  // namespace edgewise::inline v0::detail
