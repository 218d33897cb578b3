// What dropout_device_test.cu runs on the device for dropout_device_test.cpp to judge.
#pragma once

#include <vector>

namespace edgewise::testing {

/// gather<sum>(dropout<drop>(src<h>, 0.5)) of ones over one self loop per vertex, whose edge ids are the vertices:
/// captured with a kernel that advances the step behind it, from step 0 of `mask_state` on stream 9, and replayed.
/// Shapes: each result [num_vertices, num_channels].
std::vector<std::vector<float>> masks_by_replay(int num_vertices, int num_channels, int num_replays);

}  // namespace edgewise::testing
