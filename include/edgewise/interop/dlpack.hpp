// DLPack tensors as arrays, and arrays as DLPack tensors: what numpy, CuPy, PyTorch and JAX exchange without a copy.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <edgewise/core/error.hpp>
#include <edgewise/core/float16.hpp>
#include <edgewise/core/operand.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/interop/strided_array.hpp>

namespace edgewise::inline v0 {

/// `DLManagedTensorVersioned` or `DLManagedTensor` of any dlpack.h that the program includes; the library includes
/// none.
template <class Managed>
concept dlpack_tensor = requires(Managed& m) {
  { m.dl_tensor.data } -> std::convertible_to<void*>;
  { m.dl_tensor.ndim } -> std::convertible_to<std::int32_t>;
  { m.dl_tensor.shape } -> std::convertible_to<std::int64_t const*>;
  { m.dl_tensor.strides } -> std::convertible_to<std::int64_t const*>;
  { m.dl_tensor.byte_offset } -> std::convertible_to<std::uint64_t>;
  m.dl_tensor.dtype.code;
  m.dl_tensor.device.device_type;
  m.manager_ctx;
  m.deleter;
};

namespace detail {

/// Codes of element types and devices, and the flag of read-only memory, as the DLPack standard numbers them.
enum dlpack_code { dlpack_int = 0, dlpack_uint = 1, dlpack_float = 2, dlpack_bfloat = 4 };
enum dlpack_device { dlpack_cpu = 1, dlpack_cuda = 2, dlpack_cuda_host = 3, dlpack_cuda_managed = 13 };
inline constexpr std::uint64_t dlpack_read_only = 1;
inline constexpr std::uint32_t dlpack_major = 1;

template <class Managed>
inline constexpr bool is_versioned = requires(Managed& m) {
  m.version.major;
  m.flags;
};

template <class T>
consteval int dlpack_code_of() {
  if constexpr (std::is_same_v<T, bfloat16>) {
    return dlpack_bfloat;
  } else if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, float16>) {
    return dlpack_float;
  } else {
    static_assert(std::is_integral_v<T>, "dlpack: takes float, double, bfloat16, float16 and integers");
    return std::is_signed_v<T> ? dlpack_int : dlpack_uint;
  }
}

inline std::string dlpack_type_name(int code, int bits, int lanes) {
  char const* const kind = code == dlpack_int      ? "int"
                           : code == dlpack_uint   ? "uint"
                           : code == dlpack_float  ? "float"
                           : code == dlpack_bfloat ? "bfloat"
                                                   : "type code ";
  std::string result = kind;
  if (*kind == 't') result += joined(code, " of bits ");
  result += std::to_string(bits);
  return lanes == 1 ? result : joined(result, " x ", lanes);
}

/// Can memory of a DLPack device be read by an execution resource?
inline bool reads_device(cpu const&, int type) {
  return type == dlpack_cpu || type == dlpack_cuda_host || type == dlpack_cuda_managed;
}
inline bool reads_device(cuda const&, int type) {
  return type == dlpack_cuda || type == dlpack_cuda_host || type == dlpack_cuda_managed;
}
inline char const* device_wanted(cpu const&) { return "memory of the host"; }
inline char const* device_wanted(cuda const&) { return "memory of a CUDA device"; }

}  // namespace detail

/// A tensor as an array of T, non-owning: `wide(read_dlpack<float const>(cpu{}, *tensor))`. Its element type must be
/// T's, its memory one that `exec` reads; which CUDA device it is on a plan checks. T without const: the memory is
/// written, and the tensor must not be read-only. The tensor stays the caller's, who calls its deleter behind the last
/// use. Throws `invalid_argument`, which names types, devices or axes.
template <class T, class Exec, dlpack_tensor Managed>
strided_array<T> read_dlpack(Exec const& exec, Managed const& tensor) {
  using value = std::remove_const_t<T>;
  auto const& t = tensor.dl_tensor;
  if constexpr (detail::is_versioned<Managed>) {
    if (static_cast<std::uint32_t>(tensor.version.major) != detail::dlpack_major) {
      throw invalid_argument(detail::text("read_dlpack: the tensor is of version ", tensor.version.major, ".",
                                          tensor.version.minor, " of DLPack, this library reads version 1"));
    }
    if (!std::is_const_v<T> && (static_cast<std::uint64_t>(tensor.flags) & detail::dlpack_read_only) != 0) {
      throw invalid_argument("read_dlpack: the tensor is read-only, and would be written; read it as T const");
    }
  }
  int const code = static_cast<int>(t.dtype.code), bits = static_cast<int>(t.dtype.bits);
  int const lanes = static_cast<int>(t.dtype.lanes);
  constexpr int wanted_code = detail::dlpack_code_of<value>();
  constexpr int wanted_bits = 8 * static_cast<int>(sizeof(value));
  if (code != wanted_code || bits != wanted_bits || lanes != 1) {
    throw invalid_argument(detail::text("read_dlpack: the tensor holds ", detail::dlpack_type_name(code, bits, lanes),
                                        ", is read as ", detail::dlpack_type_name(wanted_code, wanted_bits, 1)));
  }
  if (!detail::reads_device(exec, static_cast<int>(t.device.device_type))) {
    throw invalid_argument(detail::text("read_dlpack: the tensor is on DLPack device type ",
                                        static_cast<int>(t.device.device_type), ", number ", t.device.device_id,
                                        ", wanted is ", detail::device_wanted(exec)));
  }
  int const axes = static_cast<int>(t.ndim);
  if (axes < 0 || axes > strided_array<T>::most_axes) {
    throw invalid_argument(detail::text("read_dlpack: the tensor has ", axes, " axes, at most four are read"));
  }
  strided_array<T> array{nullptr, axes, {}, {}};
  std::int64_t elements = 1;
  for (int axis = axes - 1; axis >= 0; --axis) {
    auto const a = static_cast<std::size_t>(axis);
    array.extents[a] = t.shape[axis];
    if (array.extents[a] < 0) {
      throw invalid_argument(detail::text("read_dlpack: axis ", axis, " has ", array.extents[a], " elements"));
    }
    array.strides[a] = t.strides ? t.strides[axis] : elements;
    elements *= array.extents[a];
  }
  auto* const bytes = static_cast<char*>(t.data);
  if (bytes == nullptr && elements > 0) throw invalid_argument("read_dlpack: the tensor has no memory");
  if (bytes != nullptr) array.address = reinterpret_cast<T*>(bytes + t.byte_offset);
  if (reinterpret_cast<std::uintptr_t>(array.address) % alignof(value) != 0) {
    throw invalid_argument(
        detail::text("read_dlpack: the tensor's elements of ", sizeof(value), " bytes are not aligned; copy it first"));
  }
  return array;
}

namespace detail {

template <dlpack_tensor Managed, class T, operand_kind Kind>
Managed* make_dlpack_on(dlpack_device type, int device, operand_view<T, Kind> const& view,
                        std::shared_ptr<void const> owner) {
  static_assert(
      !std::is_const_v<T> || is_versioned<Managed>,
      "make_dlpack: a DLManagedTensor cannot say that memory is read-only; take DLManagedTensorVersioned, or a "
      "view without const (interop/dlpack.hpp)");
  struct held {
    Managed tensor{};
    std::array<std::int64_t, 3> shape{};
    std::array<std::int64_t, 3> strides{};
    std::shared_ptr<void const> owner;
  };
  auto made = std::make_unique<held>();
  made->owner = std::move(owner);
  constexpr bool has_heads = Kind == operand_kind::wide || Kind == operand_kind::per_head;
  constexpr bool has_channels = Kind == operand_kind::wide || Kind == operand_kind::per_channel;
  std::size_t axes = 0;
  auto const add = [&](std::int64_t extent, std::int64_t stride) {
    made->shape[axes] = extent;
    made->strides[axes++] = stride;
  };
  add(view.rows, view.row_stride);
  if (has_heads) add(view.heads, has_channels ? view.channels : 1);
  if (has_channels) add(view.channels, 1);
  Managed& tensor = made->tensor;
  auto& t = tensor.dl_tensor;
  using value = std::remove_const_t<T>;
  t.data = const_cast<value*>(view.data);
  t.ndim = static_cast<std::int32_t>(axes);
  t.shape = made->shape.data();
  t.strides = made->strides.data();
  t.byte_offset = 0;
  t.dtype.code = static_cast<decltype(t.dtype.code)>(dlpack_code_of<value>());
  t.dtype.bits = static_cast<decltype(t.dtype.bits)>(8 * sizeof(value));
  t.dtype.lanes = 1;
  t.device.device_type = static_cast<decltype(t.device.device_type)>(type);
  t.device.device_id = device;
  if constexpr (is_versioned<Managed>) {
    tensor.version.major = dlpack_major;
    tensor.version.minor = 0;
    tensor.flags = std::is_const_v<T> ? dlpack_read_only : 0;
  }
  tensor.manager_ctx = made.get();
  tensor.deleter = [](Managed* self) { delete static_cast<held*>(self->manager_ctx); };
  return &made.release()->tensor;
}

}  // namespace detail

/// An operand, output or gradient as a new tensor, for other libraries to read or, of a T without const, to write:
/// [rows, heads, channels], [rows, heads], [rows, channels] or [rows]. `owner` keeps its memory alive until the
/// tensor's deleter is called; null where the caller sees to that. With `cuda`, `device` is the number of the device
/// that the memory is on. Managed: `DLManagedTensorVersioned`, or `DLManagedTensor`, which cannot say that memory is
/// read-only.
template <dlpack_tensor Managed, class T, operand_kind Kind>
Managed* make_dlpack(cpu const&, operand_view<T, Kind> const& view, std::shared_ptr<void const> owner = {}) {
  return detail::make_dlpack_on<Managed>(detail::dlpack_cpu, 0, view, std::move(owner));
}
template <dlpack_tensor Managed, class T, operand_kind Kind>
Managed* make_dlpack(cuda const&, int device, operand_view<T, Kind> const& view,
                     std::shared_ptr<void const> owner = {}) {
  return detail::make_dlpack_on<Managed>(detail::dlpack_cuda, device, view, std::move(owner));
}

}  // namespace edgewise::inline v0
