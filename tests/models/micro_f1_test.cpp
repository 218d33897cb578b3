#include "models/micro_f1.hpp"

#include <cmath>
#include <vector>

#include "support/catch.hpp"

#include "host_matrix.hpp"

namespace edgewise::models {
namespace {

using rows_type = multi_labelled_rows<testing::host_context>;
using score_type = micro_f1<float, testing::host_context>;

TEST_CASE("micro-F1: counts labels of the listed rows, a positive logit being one", "[models]") {
  testing::host_context const context;
  std::vector<std::uint8_t> const labels{1, 0, 1,   // found: the first; missed: the last
                                         0, 0, 1,   // not listed
                                         0, 1, 0};  // found: the middle; wrong: the last
  auto const logits = testing::make_host_matrix<float>(context, 3, 3, {2, -1, 0, 5, 5, 5, -3, 0.5F, 1});
  std::vector<std::int32_t> const rows{2, 0};
  score_type score(context, rows_type(context, labels, rows, 3));
  score(context, logits.view());
  // Precision 2/3 and recall 2/3.
  CHECK(score.value(context) == Approx(2.0 / 3.0));

  // Precision 1/2 and recall 1/3 together are 2/5; the second count does not see the first.
  auto const others = testing::make_host_matrix<float>(context, 3, 3, {1, 1, -1, 0, 0, 0, -1, -1, -1});
  score(context, others.view());
  CHECK(score.value(context) == Approx(0.4));
  auto const all = testing::make_host_matrix<float>(context, 3, 3, {1, -1, 1, 0, 0, 0, -1, 1, -1});
  score(context, all.view());
  CHECK(score.value(context) == 1.0);
  auto const wrong = testing::make_host_matrix<float>(context, 3, 3, {-1, 1, -1, 0, 0, 0, 1, -1, 1});
  score(context, wrong.view());
  CHECK(score.value(context) == 0.0);
}

TEST_CASE("micro-F1: without labels it is 0, without rows not a number", "[models]") {
  testing::host_context const context;
  std::vector<std::uint8_t> const labels{0, 0};
  std::vector<std::int32_t> const rows{0};
  auto const logits = testing::make_host_matrix<float>(context, 1, 2, {-1, -1});
  score_type score(context, rows_type(context, labels, rows, 2));
  score(context, logits.view());
  CHECK(score.value(context) == 0.0);
  score_type none(context, rows_type(context, labels, {}, 2));
  none(context, logits.view());
  CHECK(std::isnan(none.value(context)));
}

TEST_CASE("micro-F1: refuses logits of another shape", "[models]") {
  testing::host_context const context;
  std::vector<std::uint8_t> const labels{0, 0};
  std::vector<std::int32_t> const rows{0};
  score_type score(context, rows_type(context, labels, rows, 2));
  auto const logits = testing::make_host_matrix<float>(context, 1, 3, {1, 1, 1});
  CHECK_THROWS_WITH(score(context, logits.view()), "micro_f1: logits is [1, 3], expected [1, 2]");
}

}  // namespace
}  // namespace edgewise::models
