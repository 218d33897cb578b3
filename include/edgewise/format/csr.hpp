// Compressed rows grouped by destination: row v lists the sources u of the edges u -> v.
#pragma once

#include <edgewise/format/grouping.hpp>

namespace edgewise::inline v0 {

/// Edges grouped by destination; rows are destinations, neighbors are sources. Non-owning.
template <class Index = std::int32_t, class Offset = std::int32_t>
struct csr_view : grouping_view<Index, Offset> {
  static constexpr char const* name = "csr";
  static constexpr endpoint grouped_by = endpoint::destination;

  EDGEWISE_HD Index num_destinations() const { return this->num_rows; }
  EDGEWISE_HD Index num_sources() const { return this->num_neighbors; }
};

/// Owns what a `csr_view` shows, in `Space`. Move-only; contents are fixed once it is made (format/make.hpp,
/// format/convert.hpp). It turns into its view by itself, but never as a temporary, whose view would dangle.
template <class Index = std::int32_t, class Offset = std::int32_t, class Space = host_space>
class csr : public detail::grouping_storage<csr_view<Index, Offset>, Space> {
public:
  using detail::grouping_storage<csr_view<Index, Offset>, Space>::grouping_storage;

  operator csr_view<Index, Offset>() const& noexcept { return this->view(); }
  operator csr_view<Index, Offset>() const&& = delete;
};

}  // namespace edgewise::inline v0
