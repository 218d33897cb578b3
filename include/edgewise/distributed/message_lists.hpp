// The lists of messages that an exchange is given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace edgewise::inline v0::detail {

/// Lists the message of `count` elements for, or from, a rank, unless it is empty. AnyMessage: `outgoing`, `incoming`.
template <class AnyMessage, class T>
void add_message(std::vector<AnyMessage>& messages, T* data, std::int64_t count, int rank) {
  if (count > 0) messages.push_back({data, static_cast<std::size_t>(count) * sizeof(T), rank});
}

/// Adds the message of a rank's rows, dense rows of `row_size` numbers of which rank r's begin at first[r].
template <class AnyMessage, class T>
void add_rows_of_rank(std::vector<AnyMessage>& messages, T* rows, std::vector<std::int64_t> const& first, int rank,
                      std::int64_t row_size) {
  auto const r = static_cast<std::size_t>(rank);
  add_message(messages, rows + first[r] * row_size, (first[r + 1] - first[r]) * row_size, rank);
}

}  // namespace edgewise::inline v0::detail
