// Compressed rows grouped by source: row u lists the destinations v of the edges u -> v.
#pragma once

#include <edgewise/format/grouping.hpp>

namespace edgewise::inline v0 {

/// Edges grouped by source; rows are sources, neighbors are destinations. Non-owning.
template <class Index = std::int32_t, class Offset = std::int32_t>
struct csc_view : grouping_view<Index, Offset> {
  static constexpr char const* name = "csc";
  static constexpr endpoint grouped_by = endpoint::source;

  EDGEWISE_HD Index num_destinations() const { return this->num_neighbors; }
  EDGEWISE_HD Index num_sources() const { return this->num_rows; }
};

/// Owns what a `csc_view` shows, in `Space`. Move-only; contents are fixed once it is made (format/make.hpp,
/// format/convert.hpp). It turns into its view by itself, but never as a temporary, whose view would dangle.
template <class Index = std::int32_t, class Offset = std::int32_t, class Space = host_space>
class csc : public detail::grouping_storage<csc_view<Index, Offset>, Space> {
public:
  using detail::grouping_storage<csc_view<Index, Offset>, Space>::grouping_storage;

  operator csc_view<Index, Offset>() const& noexcept { return this->view(); }
  operator csc_view<Index, Offset>() const&& = delete;
};

}  // namespace edgewise::inline v0
