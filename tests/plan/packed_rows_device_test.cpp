// Operands that are parts of a larger array: row strides beyond the row, bases and strides that allow 16-byte words and
// such that do not.
#include "packed_rows_device_test.hpp"

#include "check_case.hpp"
#include "program/attention_cases.hpp"
#include "support/device.hpp"
#include "support/guarded_output.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEST_CASE("packed rows on a device: queries, keys and values in one array", "[plan][gpu]") {
  skip_without_cuda_device();
  struct layout {
    int heads, channels, offset, padding;
  };
  random_stream random("packed rows");
  for (auto const& edges : {directed(), one_hub()}) {
    for (auto const& [heads, channels, offset, padding] :
         {layout{4, 16, 0, 0}, layout{4, 16, 4, 8}, layout{4, 16, 1, 0}, layout{4, 16, 0, 2}, layout{2, 7, 3, 1},
          layout{1, 64, 2, 0}}) {
      INFO(edges.name << ": " << heads << " heads x " << channels << " channels, offset " << offset << ", padding "
                      << padding);
      auto request = draw_request<transformer, float>(edges, {heads, channels}, random);
      auto const expected = reference_of<transformer>(request);
      int const size = heads * channels, stride = 3 * size + padding, n = edges.num_sources;
      std::vector<float> packed(static_cast<std::size_t>(offset + n * stride), std::numeric_limits<float>::quiet_NaN());
      for (int row = 0; row < n; ++row) {
        for (int i = 0; i < 3 * size; ++i) {
          packed[offset + row * stride + i] = request.operands[i / size][row * size + i % size];
        }
      }
      auto const result = run_packed_on_device(edges, heads, channels, offset, stride, packed, request.grad_out);
      CHECK(compare(result.out, expected.out, rule_for<transformer, float>()));
      std::vector<float> parts[3];
      for (int row = 0; row < n; ++row) {
        for (int i = 0; i < 3 * size; ++i) parts[i / size].push_back(result.gradients[offset + row * stride + i]);
      }
      for (int part = 0; part < 3; ++part) {
        CHECK(compare(parts[part], expected.whole(part), rule_for<transformer, float>()));
      }
      CHECK(count_poison(result.gradients) ==
            static_cast<std::size_t>(offset + n * padding));  // gaps stay as they were
    }
  }
}
