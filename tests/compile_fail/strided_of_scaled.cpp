// expected-error: strided: takes an mdspan whose elements are those in memory
#include <edgewise/interop/strided_array.hpp>

/// As std::linalg::scaled(2, m).
struct scaled {
  using reference = double;
  static constexpr std::size_t rank() { return 1; }
  double const* data_handle() const;
  std::size_t extent(std::size_t) const;
  std::size_t stride(std::size_t) const;
};

auto run(scaled const& m) { return edgewise::strided(m); }
