// expected-error: wide, per_head, per_channel, per_row: take a pointer
#include <edgewise/edgewise.hpp>

#include <vector>

namespace ew = edgewise;

void run(std::vector<float>& data) { auto const view = ew::wide(data, 3, 2); }
