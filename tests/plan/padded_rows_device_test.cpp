// Rows of odd widths whose gaps are padding move as words: padding is written, and other gaps are not.
#include "gather/sum_cases.hpp"

#include "plan/check_case.hpp"
#include "plan/device_run.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

using sum_of_rows = weighted_sum<operand_kind::per_row>;

/// Whose padding a sum of rows of 7 channels and the gradient of its features write; both are checked.
std::set<std::string> written_padding(array_layout layout, laid_out lays_out = {}) {
  random_stream random("padded rows");
  static auto const edges = directed();
  auto request = draw_request<sum_of_rows, float>(edges, {1, 7}, random);
  request.layout = layout;
  request.lays_out = lays_out;
  request.asked_set = 0;
  auto const result = run_on_device<sum_of_rows, float>(request);
  check_result<sum_of_rows>(request, result, reference_of<sum_of_rows>(request));
  return result.padding;
}

}  // namespace

TEST_CASE("padded rows on a device: padding behind rows of 7 channels is written", "[plan][gpu]") {
  skip_without_cuda_device();
  std::set<std::string> const none, all{"out", "gradient 0"};
  CHECK(written_padding({.row_padding = 1, .is_padded = true}) == all);
  CHECK(written_padding({.row_padding = 1}) == none);
  CHECK(written_padding({.row_padding = 5, .is_padded = true}) == all);
  CHECK(written_padding({.row_padding = 2, .is_padded = true}) == none);               // rows begin anywhere
  CHECK(written_padding({.row_padding = 1, .offset = 1, .is_padded = true}) == none);  // in the middle of words
  CHECK(written_padding({.row_padding = 0, .is_padded = true}) == none);               // without gaps
  // One array without gaps keeps passes over it from moving words.
  CHECK(written_padding({.row_padding = 1, .is_padded = true}, {.operands = false}) == none);
  CHECK(written_padding({.row_padding = 1, .is_padded = true}, {.gradients = false}) == std::set<std::string>{"out"});
}
