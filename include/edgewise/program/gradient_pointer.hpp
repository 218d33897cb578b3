// Where gradients are stored, and whether they are added to what is there.
#pragma once

#include <cstdint>

#include <edgewise/program/bound_leaf.hpp>
#include <edgewise/register/row_layout.hpp>

namespace edgewise::inline v0::detail {

/// The run-time half of a gradient: where it goes and whether it is added to what is there.
template <class Bound>
struct gradient_pointer {
  typename Bound::storage* data = nullptr;
  std::int64_t row_stride = 0;
  bool accumulate = false;
};

/// Where a tile stands among those of its row, if they run one after the other.
struct tile_order {
  bool after_channels = false;  ///< earlier tiles hold other channels of its heads
  bool after_heads = false;     ///< earlier tiles hold other heads

  /// Did an earlier tile store a part of the same sums of gradients of this kind?
  EDGEWISE_HD bool follows(operand_kind kind) const {
    switch (kind) {
      case operand_kind::wide:
        return false;
      case operand_kind::per_head:
        return after_channels;
      case operand_kind::per_channel:
        return after_heads;
      default:
        return after_channels || after_heads;
    }
  }
};

inline tile_order order_of(row_layout const& layout, int tile) {
  return {tile % layout.channel_tiles > 0, tile / layout.channel_tiles > 0};
}

template <class Table>
struct gradient_pointers;
template <class... Bound>
struct gradient_pointers<type_list<Bound...>> : gradient_pointer<Bound>... {
  template <class B>
  EDGEWISE_HD gradient_pointer<B> const& of() const {
    return static_cast<gradient_pointer<B> const&>(*this);
  }
  template <class B>
  gradient_pointer<B>& of() {
    return static_cast<gradient_pointer<B>&>(*this);
  }
  /// For a tile of rows cut although gradients sum over them: what earlier tiles stored is added to. Parameters' sums
  /// meet before they are stored.
  void add_to_earlier(tile_order const& order) {
    ((this->template of<Bound>().accumulate = this->template of<Bound>().accumulate ||
                                              (Bound::leaf::role_of != role::parameter && order.follows(Bound::kind))),
     ...);
  }
};

}  // namespace edgewise::inline v0::detail
