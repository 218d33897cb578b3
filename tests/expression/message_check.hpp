// Checks of a message on the host engine, over widths that fill chunks, leave channels masked and span several chunks.
#pragma once

#include <cstddef>
#include <vector>

#include "support/catch.hpp"

#include "../reference/finite_difference.hpp"
#include "host_message.hpp"

namespace edgewise::testing {

/// Reads element (edge, head, channel) of operand I of a message, as its kind varies.
template <class... Bound>
class element_reader {
public:
  element_reader(host_message<Bound...> const& row, reference::operands const& inputs) : row_(row), inputs_(inputs) {}

  double operator()(std::size_t operand, int edge, int head, int channel) const {
    constexpr extent extents[] = {edgewise::detail::extent_of_kind(Bound::kind)...};
    constexpr bool varies[] = {(Bound::leaf::role_of == role::source || Bound::leaf::role_of == role::edge)...};
    extent const e = extents[operand];
    int const element = e == extent::wide ? head * row_.channels() + channel : (e == extent::narrow ? head : 0);
    return inputs_.at(operand).at((varies[operand] ? static_cast<std::size_t>(edge) * row_.row_size(e) : 0) +
                                  static_cast<std::size_t>(element));
  }
  int channels() const { return row_.channels(); }

private:
  host_message<Bound...> const& row_;
  reference::operands const& inputs_;
};

/// Checks `message` on one row: its value against formula(read, edge, head, channel), element by element, and what it
/// pulls against central differences of that formula. For values that lack channels or heads the formula gets 0 for
/// these.
template <class Message, class Formula, class... Bound>
void check_row(host_message<Bound...> const& row, Message const& message, Formula const& formula) {
  INFO(row.heads() << " heads, " << row.channels() << " channels, " << row.live() << " edges of 2");
  constexpr extent e = host_message<Bound...>::template extent_of<Message>();
  auto const expected = [&](reference::operands const& inputs) {
    element_reader<Bound...> const read(row, inputs);
    std::vector<double> result;
    for (int edge = 0; edge < row.live(); ++edge) {
      for (int head = 0; head < (e == extent::uniform ? 1 : row.heads()); ++head) {
        for (int channel = 0; channel < (e == extent::wide ? row.channels() : 1); ++channel) {
          result.push_back(formula(read, edge, head, channel));
        }
      }
    }
    return result;
  };

  random_stream random{"messages"};
  auto const inputs = row.draw(random, 0.25, 1.25);  // away from the zeros of divisors
  auto const wanted = expected(inputs);
  auto const value = row.value(message, inputs);
  REQUIRE(value.size() == wanted.size());
  for (std::size_t i = 0; i < value.size(); ++i) {
    INFO("element " << i);
    CHECK(value[i] == Approx(wanted[i]).epsilon(1e-13));
  }

  auto const adjoint = uniform_values<double>(wanted.size(), random);
  auto const gradients = row.pull(message, inputs, adjoint);
  auto const found = reference::check_gradient(expected, inputs, gradients, adjoint, random);
  INFO(found);
  CHECK(found);
  CHECK(found.num_at_kinks == 0);
}

/// `check_row` over widths and heads; operands: bound leaves in the order by which `formula` reads them.
template <class... Bound, class Message, class Formula>
void check_message(Message const& message, Formula const& formula) {
  for (int channels : {1, 3, 7, 33}) {
    for (int heads : {1, 3}) {
      for (int live : {1, 2}) check_row(host_message<Bound...>(heads, channels, live), message, formula);
    }
  }
}

}  // namespace edgewise::testing
