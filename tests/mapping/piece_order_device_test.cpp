// Pieces of cut rows in the place of their rows, on a device.
#include "check_mapping.hpp"
#include "gather/max_cases.hpp"
#include "plan/device_run.hpp"
#include "program/attention_cases.hpp"
#include "program/epilogue_cases.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

/// Long rows among short ones, of more than one block of rows and, in windows, more than one window.
std::vector<test_graph> graphs_with_pieces() {
  return {hub_alone(), random_skewed(), many_edges(), ascending_rows(), hubs_of_sparse_rows(), no_edges(300)};
}

/// Checks that pieces in place give the bits of pieces ahead of all rows.
template <class Case, class With>
void check_bits_of_place() {
  auto const in_place = run_on_device<mapped<Case, With>, float>;
  auto const ahead = run_on_device<mapped<Case, as_stored>, float>;
  check_same_bits<Case>(in_place, ahead, draw::uniform, graphs_with_pieces(), {{1, 3}, {1, 33}, {4, 16}, {4, 64}});
}

}  // namespace

TEMPLATE_TEST_CASE("pieces in place on a device: take every edge once", "[mapping][gpu]", pieces_in_place,
                   pieces_in_windows, pieces_in_place_of_tiles) {
  skip_without_cuda_device();
  using of = mapped<exact_sum, TestType>;
  check_every_edge_once<of>(run_on_device<of, float>);
  check_every_edge_once<of>(run_on_device<of, float>, graphs_with_pieces());
}

TEMPLATE_TEST_CASE("pieces in place on a device: references and bits", "[mapping][gpu]", max_of_differences,
                   relu_of_biased_sum, gat) {
  skip_without_cuda_device();
  check_mapping<mapped<TestType, pieces_in_windows>>(run_on_device<mapped<TestType, pieces_in_windows>, float>,
                                                     graphs_with_pieces());
  check_bits_of_place<TestType, pieces_in_place>();
  check_bits_of_place<TestType, pieces_in_windows>();
}
