#include "reorder_device.hpp"

#include <vector>

#include "support/catch.hpp"

#include <edgewise/format/reorder.hpp>

#include "../support/device.hpp"
#include "../support/random.hpp"

namespace edgewise {
namespace {

TEST_CASE("reorder: the device moves rows as the host does", "[gpu]") {
  testing::skip_without_cuda_device();
  for (int const num_rows : {0, 1, 2, 33, 1000, 70001}) {
    for (int const width : {1, 3, 33, 256}) {
      CAPTURE(num_rows, width);
      testing::random_stream random("reorder device");
      std::vector<int> names;
      for (int v = 0; v < num_rows; ++v) names.push_back(v);
      for (int k = num_rows; k > 1; --k) std::swap(names[k - 1], names[random.below(k)]);
      std::vector<float> rows(static_cast<std::size_t>(num_rows) * width);
      std::vector<double> heads(static_cast<std::size_t>(num_rows) * 3);
      for (float& x : rows) x = static_cast<float>(random.uniform());
      for (double& x : heads) x = random.uniform();

      auto const order = make_vertex_order(cpu{}, names);
      std::size_t const stride = static_cast<std::size_t>(width) + 3;
      std::vector<float> permuted(num_rows * stride, testing::between_rows);
      permute_rows(cpu{}, order, wide(rows.data(), num_rows, width),
                   wide(permuted.data(), num_rows, 1, width, static_cast<std::int64_t>(stride)));
      std::vector<double> permuted_heads(heads.size());
      permute_rows(cpu{}, order, per_head(heads.data(), num_rows, 3), per_head(permuted_heads.data(), num_rows, 3));

      auto const moved = testing::move_on_device(names, rows, width, heads);
      CHECK(moved.permuted == permuted);
      CHECK(moved.restored == rows);
      CHECK(moved.per_head == permuted_heads);
    }
  }
}

}  // namespace
}  // namespace edgewise
