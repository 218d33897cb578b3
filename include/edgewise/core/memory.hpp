// Memory spaces, the memory-resource interface, and the owning array that every container and plan is built from.
#pragma once

#include <cstddef>
#include <cstring>
#include <limits>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include <edgewise/core/error.hpp>
#include <edgewise/core/huge_pages.hpp>

struct CUstream_st;  // the driver's stream; naming it needs no CUDA header

namespace edgewise::inline v0 {

/// A CUDA stream (`cudaStream_t`), nameable without the toolkit; null is the legacy default stream.
using stream_handle = CUstream_st*;

/// Where an array lives; part of the type of owning containers.
struct host_space {
  static constexpr char const* name = "host";
};
struct device_space {
  static constexpr char const* name = "device";
};

/// Where memory comes from. `allocate` returns 256-byte aligned memory usable by work on `stream` from then on;
/// `deallocate` may be called while earlier work on `stream` still runs. That is the stream of `allocate`, which has to
/// live until then, or for what outlives it, the memory of plans, saved states and containers, one of the library's own
/// that waits for the library's work (core/release_stream.cuh). Throws `std::bad_alloc` or `cuda_error`.
class memory_resource {
public:
  virtual ~memory_resource() = default;
  virtual void* allocate(std::size_t bytes, stream_handle stream) = 0;
  virtual void deallocate(void* pointer, std::size_t bytes, stream_handle stream) noexcept = 0;
};

namespace detail {

class new_resource final : public memory_resource {
public:
  void* allocate(std::size_t bytes, stream_handle) override {
    void* const result = ::operator new (bytes, alignment_of(bytes));
    if (bytes >= 2 * huge_page_bytes) advise_huge_pages(result, bytes);
    return result;
  }
  void deallocate(void* pointer, std::size_t bytes, stream_handle) noexcept override {
    ::operator delete (pointer, alignment_of(bytes));
  }

private:
  static std::align_val_t alignment_of(std::size_t bytes) {
    return std::align_val_t{bytes >= 2 * huge_page_bytes ? huge_page_bytes : 256};
  }
};

/// On which stream memory of a device is given back that may outlive the stream it was taken on; by default on that
/// one.
struct release_order {
  stream_handle (*stream)(int device) noexcept = nullptr;
  int device = 0;
};

/// What device arrays take that this thread makes now: set while plans, saved states and containers are made.
inline release_order& current_release_order() {
  static thread_local release_order order;
  return order;
}

/// Bytes of `size` elements. Throws `invalid_argument` where they are more than addresses reach.
template <class T>
std::size_t bytes_of_array(std::size_t size) {
  if (size > std::numeric_limits<std::size_t>::max() / 2 / sizeof(T)) {
    throw invalid_argument(text("buffer: ", size, " elements of ", sizeof(T), " bytes are more than memory can have"));
  }
  return size * sizeof(T);
}

}  // namespace detail

/// The default host resource: aligned `operator new`, in huge pages from 4 MiB on.
inline memory_resource* host_memory() {
  static detail::new_resource resource;
  return &resource;
}

/// Forwards to another resource and counts what is live, what was live at most, and how often memory was asked for.
class counting_resource final : public memory_resource {
public:
  explicit counting_resource(memory_resource* upstream) : upstream_(upstream) {}

  void* allocate(std::size_t bytes, stream_handle stream) override {
    void* pointer = upstream_->allocate(bytes, stream);
    live_bytes_ += bytes;
    peak_bytes_ = live_bytes_ > peak_bytes_ ? live_bytes_ : peak_bytes_;
    ++num_allocations_;
    return pointer;
  }
  void deallocate(void* pointer, std::size_t bytes, stream_handle stream) noexcept override {
    live_bytes_ -= bytes;
    upstream_->deallocate(pointer, bytes, stream);
  }

  std::size_t live_bytes() const noexcept { return live_bytes_; }
  std::size_t peak_bytes() const noexcept { return peak_bytes_; }
  std::size_t num_allocations() const noexcept { return num_allocations_; }

private:
  memory_resource* upstream_;
  std::size_t live_bytes_ = 0;
  std::size_t peak_bytes_ = 0;
  std::size_t num_allocations_ = 0;
};

/// An owning, move-only, uninitialised array of `size()` trivially copyable elements in `Space`.
/// Memory comes from and returns to the given resource on the given stream, which has to live as long; no constructor
/// touches the elements. Throws `invalid_argument` where bytes of the elements are more than can be counted.
template <class T, class Space>
class buffer {
public:
  using value_type = T;
  using space = Space;

  /// No elements, no memory.
  buffer() = default;

  /// `size` elements from `memory`, for work on `stream`; 0 elements take no memory. Also throws what `memory` does.
  buffer(std::size_t size, memory_resource* memory, stream_handle stream = nullptr)
      : size_(size), memory_(memory), stream_(stream) {
    std::size_t const bytes = detail::bytes_of_array<T>(size);
    if constexpr (std::is_same_v<Space, device_space>) release_ = detail::current_release_order();
    if (size_ > 0) data_ = static_cast<T*>(memory_->allocate(bytes, stream_));
  }

  /// Takes the array of `other`, which has none then; what this one had goes back.
  buffer(buffer&& other) noexcept { swap(other); }
  buffer& operator=(buffer&& other) noexcept {
    buffer taken(std::move(other));
    swap(taken);
    return *this;
  }
  ~buffer() {
    if (data_)
      memory_->deallocate(data_, size_ * sizeof(T), release_.stream ? release_.stream(release_.device) : stream_);
  }

  /// The first element, in memory of `Space`; null where there is none.
  T* data() noexcept { return data_; }
  T const* data() const noexcept { return data_; }

  /// The number of elements.
  std::size_t size() const noexcept { return size_; }
  /// The bytes of all elements.
  std::size_t size_bytes() const noexcept { return size_ * sizeof(T); }
  /// Are there no elements?
  bool empty() const noexcept { return size_ == 0; }
  /// The resource and the stream that it was made with; null where it was made with none.
  memory_resource* memory() const noexcept { return memory_; }
  stream_handle stream() const noexcept { return stream_; }

  /// Element access exists for host arrays alone, so that a host loop over device memory does not compile.
  T& operator[](std::size_t position) noexcept requires std::is_same_v<Space, host_space> { return data_[position]; }
  T const& operator[](std::size_t position) const noexcept requires std::is_same_v<Space, host_space> {
    return data_[position];
  }
  T* begin() noexcept requires std::is_same_v<Space, host_space> { return data_; }
  T* end() noexcept requires std::is_same_v<Space, host_space> { return data_ + size_; }
  T const* begin() const noexcept requires std::is_same_v<Space, host_space> { return data_; }
  T const* end() const noexcept requires std::is_same_v<Space, host_space> { return data_ + size_; }

  /// Exchanges the arrays; no element moves.
  void swap(buffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(memory_, other.memory_);
    std::swap(stream_, other.stream_);
    std::swap(release_, other.release_);
  }

private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
  memory_resource* memory_ = nullptr;
  stream_handle stream_ = nullptr;
  detail::release_order release_;
};

/// A `buffer` in host memory, whose elements the program reads and writes.
template <class T>
using host_buffer = buffer<T, host_space>;
/// A `buffer` in device memory.
template <class T>
using device_buffer = buffer<T, device_space>;

/// A host array that holds copies of `values`.
template <class T>
host_buffer<T> copy_of(std::span<T const> values, memory_resource* memory = host_memory()) {
  host_buffer<T> copy(values.size(), memory);
  if (!values.empty()) std::memcpy(copy.data(), values.data(), values.size_bytes());
  return copy;
}

}  // namespace edgewise::inline v0
