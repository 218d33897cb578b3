#include "models/accuracy.hpp"

#include <cmath>
#include <vector>

#include "support/catch.hpp"

#include "host_matrix.hpp"

namespace edgewise::models {
namespace {

using rows_type = labelled_rows<testing::host_context>;
using accuracy_type = accuracy<float, testing::host_context>;

TEST_CASE("accuracy counts listed rows whose first largest logit is the label's") {
  testing::host_context const context;
  std::vector<std::int32_t> const labels{0, 1, 2, 0, 2};
  std::vector<std::int32_t> const rows{0, 1, 2, 4};
  auto const logits = testing::make_host_matrix<float>(context, 5, 3,
                                                       {5, 5, 5,       // a tie: class 0 wins, right
                                                        0, -1, -2,     // wrong
                                                        -3, -2, -1,    // right
                                                        0, 9, 0,       // not listed
                                                        7, 0, 6.9F});  // wrong
  accuracy_type scored(context, rows_type(context, labels, rows, 3));
  scored(context, logits.view());
  CHECK(scored.value(context) == 0.5);
}

TEST_CASE("accuracy over no rows is NaN") {
  testing::host_context const context;
  std::vector<std::int32_t> const labels{0, 1};
  accuracy_type scored(context, rows_type(context, labels, {}, 2));
  auto const logits = testing::make_host_matrix<float>(context, 2, 2, {0, 1, 1, 0});
  scored(context, logits.view());
  CHECK(std::isnan(scored.value(context)));
}

TEST_CASE("accuracy names logits of another shape") {
  testing::host_context const context;
  std::vector<std::int32_t> const labels{0, 1};
  accuracy_type scored(context, rows_type(context, labels, {}, 2));
  auto const logits = testing::make_host_matrix<float>(context, 1, 2, {0, 1});
  CHECK_THROWS_WITH(scored(context, logits.view()), "accuracy: logits is [1, 2], expected [2, 2]");
}

}  // namespace
}  // namespace edgewise::models
