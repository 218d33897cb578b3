// expected-error: make_dlpack: a DLManagedTensor cannot say that memory is read-only
#include <edgewise/interop/dlpack.hpp>

#include "../interop/dlpack_tensors.hpp"

auto* run(float const* p) { return edgewise::make_dlpack<DLManagedTensor>(edgewise::cpu{}, edgewise::per_row(p, 3)); }
