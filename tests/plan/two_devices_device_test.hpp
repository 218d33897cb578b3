// What two_devices_device_test.cu does on the first of two devices while the other is current, for
// two_devices_device_test.cpp to judge.
#pragma once

#include <string>

namespace edgewise::testing {

int num_devices();

/// Messages, empty where nothing was wrong.
struct calls_from_another_device {
  std::string results;        ///< of forward and backward of a plan of device 0 while device 1 is current
  std::string current;        ///< is device 1 still current after each call?
  std::string other_stream;   ///< the message where the stream is of device 1
  std::string other_output;   ///< where out is
  std::string other_operand;  ///< where a plan's operand is
  std::string other_edges;    ///< where edges that are converted are
  std::string afterwards;     ///< a run on device 0, and one on device 1
};
calls_from_another_device call_from_another_device();

}  // namespace edgewise::testing
