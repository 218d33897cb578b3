// Pickles, read as whatever a file of Planetoid may hold.
#include <edgewise/io/pickled_arrays.hpp>

#include <cstdint>

#include "invariants.hpp"

namespace edgewise::testing {

void fuzz_pickle(std::string_view bytes) {
  auto const path = fuzz_folder().write("pickle", bytes);
  accepts([&] {
    edgewise::detail::pickle const file(path, edgewise::detail::array_globals);
    accepts([&] { edgewise::detail::read_integer(file, file.root(), "it"); });
    accepts([&] {
      auto const array = edgewise::detail::read_array(file, file.root());
      auto const doubles = edgewise::detail::elements_of<double>(file, array);
      std::uint64_t size = 1;
      for (auto const extent : array.shape) {
        if (extent == 0) size = 0;
        size *= static_cast<std::uint64_t>(extent);
      }
      require(doubles.size() == size, "an array has the elements of its shape");
      accepts([&] { edgewise::detail::elements_of<float>(file, array); });
      accepts([&] { edgewise::detail::elements_of<std::int64_t>(file, array); });
    });
    accepts([&] {
      auto const matrix = edgewise::detail::read_csr_matrix(file, file.root());
      if (matrix.num_columns == 0 || matrix.num_rows <= (1 << 20) / matrix.num_columns) to_dense(matrix);
    });
  });
}

}  // namespace edgewise::testing
