#include "models/replay.hpp"

#include "support/catch.hpp"

#include "models/context.hpp"

TEST_CASE("replay: on the CPU runs the work each time", "[models]") {
  edgewise::models::context<edgewise::cpu> const context;
  edgewise::models::replay<edgewise::models::context<edgewise::cpu>> runs;
  int count = 0;
  for (int k = 0; k < 5; ++k) runs.run(context, [&] { ++count; });
  CHECK(count == 5);
}
