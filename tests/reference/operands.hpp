// Operands of a reference program: arrays of numbers that a message reads, plainly or on a tape.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "tape.hpp"

namespace edgewise::reference {

/// Several arrays in float64, in the order by which a message names them.
using operands = std::vector<std::vector<double>>;

/// Reads operands as constants; called as read(operand, element). Throws std::out_of_range outside of an operand.
class constant_reader {
public:
  explicit constant_reader(operands const& inputs) : inputs_(&inputs) {}
  variable operator()(std::size_t operand, std::size_t element) const { return inputs_->at(operand).at(element); }

private:
  operands const* inputs_;
};

/// Reads operands as leaves of a tape; a leaf's id counts through the operands in order.
class tape_reader {
public:
  tape_reader(operands const& inputs, tape& record) : inputs_(&inputs), record_(&record) {
    std::size_t first = 0;
    for (auto const& input : inputs) {
      first_id_.push_back(first);
      first += input.size();
    }
  }

  variable operator()(std::size_t operand, std::size_t element) const {
    return record_->leaf(inputs_->at(operand).at(element), first_id_.at(operand) + element);
  }

  /// (operand, element) of a leaf id.
  std::pair<std::size_t, std::size_t> place(std::size_t id) const {
    std::size_t operand = first_id_.size() - 1;
    while (id < first_id_[operand]) --operand;
    return {operand, id - first_id_[operand]};
  }

private:
  operands const* inputs_;
  tape* record_;
  std::vector<std::size_t> first_id_;
};

/// A message(read, source, destination, edge_id, head, channel) -> variable as the forward references want it: without
/// `read` and without a tape. A score, which has no channel, works the same way.
template <class Message>
auto with_values(operands const& inputs, Message message) {
  return [&inputs, message](auto... place) -> term { return message(constant_reader(inputs), place...); };
}

}  // namespace edgewise::reference
