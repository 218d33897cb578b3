// Who computes the dense products of a program: the engine, or a library of the user's choice.
#pragma once

namespace edgewise::inline v0 {

/// What `products_by` makes. A library has a `name` and a function `multiply(exec, a, b, c, adds)`, which computes
/// c = a b, or c += a b where `adds`, on the stream of `exec`. a, b and c are matrices (core/matrix.hpp), of inputs in
/// their storage types. It returns false, having done nothing, where it does not take such types.
template <class Library>
struct product_library {
  Library const* library;

  static constexpr char const* name = Library::name;
  template <class... Argument>
  bool multiply(Argument const&... arguments) const {
    return library->multiply(arguments...);
  }
};

/// An option of `fuse`: dense products of `linear` go to a library, such as `cublas_library`
/// (vendor/vendor_cublas.cuh) or `cblas_library` (vendor/cblas_library.hpp), where it takes their types. It outlives
/// the plans.
template <class Library>
product_library<Library> products_by(Library const& library) {
  return {&library};
}
template <class Library>
product_library<Library> products_by(Library const&& library) = delete;

namespace detail {

/// The default: the engine's own, which needs no library and is slower.
struct engine_products {
  static constexpr char const* name = "the engine";
  template <class... Argument>
  constexpr bool multiply(Argument const&...) const {
    return false;
  }
};

template <class Option>
inline constexpr bool is_product_option = false;
template <class Library>
inline constexpr bool is_product_option<product_library<Library>> = true;

/// The library among options of `fuse`.
inline constexpr engine_products find_library() { return {}; }
template <class First, class... Rest>
constexpr auto find_library(First const& first, Rest const&... rest) {
  if constexpr (is_product_option<First>) {
    return first;
  } else {
    return find_library(rest...);
  }
}

}  // namespace detail
}  // namespace edgewise::inline v0
