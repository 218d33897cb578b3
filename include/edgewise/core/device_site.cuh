// The device that a call of the library works on: made current meanwhile, and its stream and arrays are on it.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>
#include <string>

#include <edgewise/core/device_memory.cuh>
#include <edgewise/core/error.hpp>
#include <edgewise/core/release_stream.cuh>
#include <edgewise/core/resources.hpp>

namespace edgewise::inline v0::detail {

inline int current_device() {
  int device = 0;
  check_cuda(cudaGetDevice(&device), "which device");
  return device;
}

/// Makes a device current, and at its end the one that was.
class current_device_guard {
public:
  explicit current_device_guard(int device) : before_(current_device()), device_(device) {
    if (before_ != device_) check_cuda(cudaSetDevice(device_), "make the plan's device current");
  }
  current_device_guard(current_device_guard const&) = delete;
  current_device_guard& operator=(current_device_guard const&) = delete;
  ~current_device_guard() {
    if (before_ != device_) cudaSetDevice(before_);
  }

private:
  int before_;
  int device_;
};

/// Throws `invalid_argument` where a stream belongs to another device than this one. The default streams are those of
/// whichever device is current.
inline void check_stream(stream_handle stream, [[maybe_unused]] int device, [[maybe_unused]] char const* call) {
  if (stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread) return;
#if CUDART_VERSION >= 12080
  if (is_captured(stream)) return;  // a captured stream must not be asked
  int found = 0;
  check_cuda(cudaStreamGetDevice(stream, &found), call);
  if (found != device) {
    throw invalid_argument(text(call, ": the stream is one of device ", found, ", the call works on device ", device));
  }
#endif
}

/// Throws `invalid_argument` while a stream is captured: what a plan is made of cannot be.
inline void refuse_capture(stream_handle stream, char const* call) {
  if (is_captured(stream)) {
    throw invalid_argument(text(call,
                                ": the stream is being captured, or is a default stream that must not be used "
                                "during a capture of another; ",
                                call,
                                " allocates memory and may wait for the stream: call it before the capture begins"));
  }
}

/// Throws `invalid_argument` unless kernels on a device can read and write an array, where it has rows. `name`: of the
/// operand, or a function that returns it.
template <class Name>
void check_array(void const* data, int device, Name const& name) {
  relaxed_capture const relaxed;
  cudaPointerAttributes found{};
  cudaError_t const status = cudaPointerGetAttributes(&found, data);
  if (status != cudaSuccess) cudaGetLastError();
  if (status != cudaSuccess || found.type == cudaMemoryTypeUnregistered) {
    int reads_any = 0;  // some devices read all of the host's memory
    cudaDeviceGetAttribute(&reads_any, cudaDevAttrPageableMemoryAccess, device);
    if (reads_any) return;
    throw invalid_argument(text(name,
                                ": is memory of the host (or memory that was freed), the cuda engine reads "
                                "device memory; copy it, as with to_device (edgewise/format/copy.cuh)"));
  }
  if (found.type == cudaMemoryTypeHost && found.devicePointer != data) {
    throw invalid_argument(text(name, ": is memory of the host that device ", device,
                                " has at another address; pass that one (cudaHostGetDevicePointer)"));
  }
  if (found.type == cudaMemoryTypeDevice && found.device != device) {
    throw invalid_argument(text(name, ": is memory of device ", found.device, ", the call works on device ", device));
  }
}

/// The device that a plan was made on, which its calls run on.
class device_site {
public:
  device_site(cuda const& exec, char const* call) : device_(current_device()) {
    check_stream(exec.stream, device_, call);
  }
  /// Throws `invalid_argument` during a capture.
  static void refuse_capture(cuda const& exec, char const* call) { detail::refuse_capture(exec.stream, call); }

  /// Lives while a call runs. Default streams are those of the plan's device.
  class scope {
  public:
    scope(device_site& site, cuda const& exec, char const* call)
        : site_(site),
          device_(site.device_),
          work_((check_stream(exec.stream, site.device_, call), site.device_), exec.stream) {}

    /// Throws `invalid_argument` unless the array is one that the device reads. Nothing is asked during a capture: what
    /// a graph allocates is not there yet.
    template <class Name>
    void check_array(void const* data, Name const& name) {
      if (!work_.is_captured()) site_.check(data, name);
    }

  private:
    device_site& site_;
    current_device_guard device_;

  protected:
    open_call work_;
  };
  /// Lives while a call makes memory that outlives its stream.
  class making : public scope {
  public:
    making(device_site& site, cuda const& exec, char const* call) : scope(site, exec, call), arrays_(work_) {}

  private:
    relaxed_capture relaxed_;
    outliving_arrays arrays_;
  };

private:
  /// An address that was found to be right is not asked for again as long as it is among the last ones, as those of a
  /// training step are: asking takes about as long as a launch.
  template <class Name>
  void check(void const* data, Name const& name) {
    for (void const* const seen : seen_) {
      if (seen == data) return;
    }
    detail::check_array(data, device_, name);
    seen_[next_] = data;
    next_ = (next_ + 1) % seen_.size();
  }

  int device_;
  std::array<void const*, 32> seen_{};
  std::size_t next_ = 0;
};

/// Lives while a function makes containers, or fills them, on the current device. Throws `invalid_argument` where the
/// stream is of another.
class device_call {
public:
  device_call(cuda const& exec, char const* call)
      : name_(call),
        work_((check_stream(exec.stream, current_device(), call), current_device()), exec.stream),
        arrays_(work_) {}

  /// Throws `invalid_argument` unless an array of `size` elements is one that the device reads, or has none.
  template <class Size>
  void check(void const* data, Size size, char const* array) const {
    if (size > 0 && !work_.is_captured()) {
      check_array(data, work_.device(), [&] { return joined(name_, ": ", array); });
    }
  }

private:
  char const* name_;
  open_call work_;
  outliving_arrays arrays_;
};

}  // namespace edgewise::inline v0::detail
