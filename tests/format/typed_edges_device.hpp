// Edges by type and their pairs as a device makes them, returned in host memory for a host compiler to check.
#pragma once

#include <vector>

#include <edgewise/format/coo.hpp>
#include <edgewise/format/csr.hpp>
#include <edgewise/format/typed_edges.hpp>
#include <edgewise/format/typed_pairs.hpp>

namespace edgewise::testing {

struct device_types {
  typed_edges<> from_csr;
  typed_edges<> from_coo;
  typed_edges<> copied;  // to the device and back
  typed_pairs<> by_source;
  typed_pairs<> by_destination;
};

/// `types`: by edge id. Checks the graph of csr and types on the device, too.
device_types types_on_device(csr<> const& rows, coo<> const& edges, std::vector<int> const& types, int num_types);

}  // namespace edgewise::testing
