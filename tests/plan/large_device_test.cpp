// More than 2^31 feature elements: addresses must not be 32-bit element numbers.
#include "large_device.hpp"

#include "support/catch.hpp"

#include "../support/device.hpp"

namespace edgewise::testing {

// Rows of 256 channels are one tile; those of 512 are two, taken row by row, since of so many rows a cache keeps
// nothing.
TEST_CASE("rows beyond 2^31 elements are read and written where they are") {
  int const channels = GENERATE(256, 512);
  std::int32_t const n = 9'000'000 / (channels / 256);
  auto const border = static_cast<std::int32_t>((std::int64_t{1} << 31) / channels);
  REQUIRE(n > border + 1);
  skip_without_device_bytes(std::size_t{2} * n * channels * sizeof(float) + (std::size_t{4} << 30));
  std::vector<std::int64_t> const rows{0, 1, 17, n / 2 - 1, n / 2, border - 1, border, border + 1, n - 2, n - 1};
  auto const r = run_large(n, channels, rows);
  std::int64_t bad = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::int64_t const v = rows[i];
    for (int channel = 0; channel < channels; ++channel) {
      auto const at = i * static_cast<std::size_t>(channels) + static_cast<std::size_t>(channel);
      bad += r.out[at] != 2 * large_value((v + n - 1) % n, channel) + 3 * large_value((v + n / 2) % n, channel);
      bad += r.gradient[at] != 2 * large_value((v + 1) % n, channel) + 3 * large_value((v + n - n / 2) % n, channel);
    }
  }
  CHECK(bad == 0);
}

}  // namespace edgewise::testing
