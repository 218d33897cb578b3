#include "ranked_training_device_test.hpp"

#include <cstddef>

#include "distributed/thread_ranks.cuh"
#include "models/context.cuh"
#include "models/gcn.hpp"
#include "support/device.cuh"
#include "train/ranked_training.hpp"

namespace edgewise::testing {

std::vector<train::run_record> train_on_device_ranks(train::task const& data, train::options const& options,
                                                     int num_ranks) {
  auto const owners = partition(data.by_destination, num_ranks, by_edges{});
  std::vector<train::run_record> runs(static_cast<std::size_t>(num_ranks));
  run_ranks(num_ranks, [&](int rank, thread_group& group) {
    thread_communicator<cuda> comm(group, rank);
    device_stream const stream;
    runs[static_cast<std::size_t>(rank)] = train::run_on_ranks<models::gcn_architecture>(
        cuda{.stream = stream.get(), .memory = device_memory()}, comm, owners, data, options, options.seed,
        [](int, train::epoch_record const&) {});
  });
  return runs;
}

}  // namespace edgewise::testing
