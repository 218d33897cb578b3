// expected-error: wide, per_head, per_channel, per_row: take a pointer
#include <memory>

#include <edgewise/edgewise.hpp>

auto const view = edgewise::wide(std::unique_ptr<float[]>(), 3, 2);
