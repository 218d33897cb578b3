// Runs of the device's to_wsb and of copies, returned in host memory for a host compiler to check.
#pragma once

#include <edgewise/format/csc.hpp>
#include <edgewise/format/csr.hpp>
#include <edgewise/format/to_wsb.hpp>

namespace edgewise::testing {

/// Of rows and options as the host takes them.
template <class Rows>
wsb<Rows> to_wsb_on_device(Rows const& rows, wsb_options const& options);

/// To the device and back.
template <class Rows>
wsb<Rows> copied_to_device(wsb<Rows> const& g);

}  // namespace edgewise::testing
