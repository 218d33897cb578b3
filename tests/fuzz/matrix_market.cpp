// Matrix Market files.
#include <edgewise/io/matrix_market.hpp>

#include "invariants.hpp"

namespace edgewise::testing {

void fuzz_matrix_market(std::string_view bytes) {
  auto const path = fuzz_folder().write("a.mtx", bytes);
  for (auto const non_finite : {non_finite_numbers::refuse, non_finite_numbers::accept}) {
    check_reader([&](auto index) {
      return read_matrix_market<decltype(index), decltype(index)>(path, {.non_finite = non_finite});
    });
  }
}

}  // namespace edgewise::testing
