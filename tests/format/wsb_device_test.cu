#include <edgewise/format/to_wsb.cuh>

#include "../support/device.cuh"
#include "wsb_device.hpp"

namespace edgewise::testing {

template <class Rows>
wsb<Rows> to_wsb_on_device(Rows const& rows, wsb_options const& options) {
  device_stream const stream;
  cuda const exec{.stream = stream.get()};
  return to_host(exec, to_wsb(exec, to_device(exec, rows), options));
}
template <class Rows>
wsb<Rows> copied_to_device(wsb<Rows> const& g) {
  device_stream const stream;
  cuda const exec{.stream = stream.get()};
  return to_host(exec, to_device(exec, g));
}

template wsb<csr<int, int>> to_wsb_on_device(csr<int, int> const&, wsb_options const&);
template wsb<csc<int, int>> to_wsb_on_device(csc<int, int> const&, wsb_options const&);
template wsb<csr<int, long>> to_wsb_on_device(csr<int, long> const&, wsb_options const&);
template wsb<csr<int, int>> copied_to_device(wsb<csr<int, int>> const&);

}  // namespace edgewise::testing
