// Dense products on the device, without CUDA headers.
#pragma once

#include "multiply_check.hpp"

namespace edgewise::testing {

/// The memory of c afterwards; multiplied by the engine.
template <class T>
std::vector<T> multiply_on_device(product_request const& request, stored_matrix<T> const& a, stored_matrix<T> const& b,
                                  stored_matrix<T> const& c);
/// The same by cuBLAS; empty where it does not take them.
template <class T>
std::vector<T> multiply_by_cublas(product_request const& request, stored_matrix<T> const& a, stored_matrix<T> const& b,
                                  stored_matrix<T> const& c);

}  // namespace edgewise::testing
