// Softmax sums whose rows are taken by half the threads, on a device: 33 to 128 floats, or 129 to 256 numbers of 16
// bits.
#include "check_half_groups.hpp"
#include "softmax_threads_cases.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

constexpr width widths[] = {{1, 36}, {1, 64}, {4, 16}, {1, 100}, {2, 64}, {8, 16}, {3, 16}, {1, 132}};
constexpr width float16_widths[] = {{1, 136}, {4, 64}, {2, 128}, {16, 16}, {1, 128}, {4, 128}};

/// Do outputs differ in their last bits from those of groups of all threads?
template <class Case>
bool rounds_otherwise(test_graph const& graph, width w) {
  random_stream random(std::string(Case::name) + ", half the threads, roundings");
  auto const request = draw_request<Case, float>(graph, w, random);
  return !same_bits(run_on_device<mapped<Case, half_groups>, float>(request).out,
                    run_on_device<mapped<Case, as_stored>, float>(request).out);
}

}  // namespace

TEMPLATE_TEST_CASE("half groups on a device: a softmax over floats, its sums and gradients", "[mapping][gpu]",
                   transformer EDGEWISE_MORE_CASES(gat, gatv2)) {
  skip_without_cuda_device();
  check_half_groups<TestType, half_groups, true>(widths);
}

TEMPLATE_TEST_CASE("half groups on a device: a softmax over 16 bits, its sums and gradients", "[mapping][gpu]",
                   float_transformer_of_bfloat16 EDGEWISE_MORE_CASES(gat_in_float16)) {
  skip_without_cuda_device();
  check_half_groups<TestType, half_groups, true>(float16_widths);
}

TEST_CASE("half groups on a device: a softmax's run, by their roundings", "[mapping][gpu]") {
  skip_without_cuda_device();
  CHECK(rounds_otherwise<transformer>(many_edges(), {1, 128}));
#if !defined(EDGEWISE_QUICK_BUILD)
  CHECK(rounds_otherwise<gat>(many_edges(), {2, 64}));
#endif
  CHECK(rounds_otherwise<float_transformer_of_bfloat16>(many_edges(), {4, 64}));
  CHECK_FALSE(rounds_otherwise<transformer>(many_edges(), {1, 132}));  // two words per thread as it is
}

TEST_CASE("half groups on a device: a softmax's sums of up to 64 floats leave rows that are cut to all threads",
          "[mapping][gpu]") {
  skip_without_cuda_device();
  CHECK_FALSE(rounds_otherwise<transformer>(hub_alone(), {1, 64}));
  CHECK(rounds_otherwise<transformer>(hub_alone(), {1, 128}));
}
