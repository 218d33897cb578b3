// What the program of a model learns, reads and drops, declared once: bindings, gradients and initial values follow.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <tuple>
#include <type_traits>
#include <vector>

#include <edgewise/edgewise.hpp>

#include "models/features_first.hpp"
#include "models/initialize.hpp"
#include "models/matrix.hpp"
#include "models/parameters.hpp"

namespace edgewise::models {

/// A learned operand, bound as `wide` [rows, heads, channels], without heads, without channels or as one number; with
/// Length > 0 as small vectors, whose components stand in the place of channels. Drawn ones start as Glorot's random
/// numbers, `fixed_unit` ones with 1 at element `first_unit` + r of row r and 0 elsewhere, the others as `initial`;
/// weight decay is for those that do not refuse it.
template <class Name, operand_kind Kind = operand_kind::wide, int Length = 0>
struct learned {
  std::int64_t rows = 1;
  std::int64_t heads = 1;
  std::int64_t channels = 1;
  bool is_drawn = false;
  double initial = 0;
  bool is_decayed = true;
  std::int64_t first_unit = -1;
  bool is_fixed = false;
  bool is_drawn_by_head = false;

  /// Each head is drawn as the matrix [rows, channels] that it is, not all as one.
  learned by_head() const {
    learned result = *this;
    result.is_drawn_by_head = true;
    return result;
  }
  /// Unit vectors that stay as they are: their gradient is 0.
  learned fixed_unit(std::int64_t first) const {
    learned result = *this;
    result.is_drawn = result.is_decayed = false;
    result.is_fixed = true;
    result.first_unit = first;
    return result;
  }
  /// Glorot's random numbers in the place of `initial`.
  learned drawn() const {
    learned result = *this;
    result.is_drawn = true;
    return result;
  }
  /// `value` in the place of `initial`.
  learned starting_at(double value) const {
    learned result = *this;
    result.initial = value;
    return result;
  }
  learned not_decayed() const {
    learned result = *this;
    result.is_decayed = false;
    return result;
  }
};
/// A matrix of `linear`, or a row of numbers for each head.
template <class Name>
learned<Name> weight(std::int64_t rows, std::int64_t heads, std::int64_t channels) {
  return {.rows = rows, .heads = heads, .channels = channels, .is_drawn = true};
}
template <class Name>
learned<Name> bias(std::int64_t heads, std::int64_t channels) {
  return {.heads = heads, .channels = channels};
}
/// Of rows without heads, such as those that `mean_heads` makes.
template <class Name>
learned<Name, operand_kind::per_channel> bias(std::int64_t channels) {
  return {.channels = channels};
}
/// Numbers [rows, heads], such as those by which types of edges combine bases.
template <class Name>
learned<Name, operand_kind::per_head> coefficients(std::int64_t rows, std::int64_t heads) {
  return {.rows = rows, .heads = heads, .is_drawn = true};
}
template <class Name>
learned<Name, operand_kind::per_row> number(double initial) {
  return {.initial = initial};
}
/// A small vector, drawn or not.
template <class Name, int Length>
learned<Name, operand_kind::per_row, Length> drawn_vector() {
  return {.channels = Length, .is_drawn = true};
}
template <class Name, int Length>
learned<Name, operand_kind::per_row, Length> vector(double initial) {
  return {.channels = Length, .initial = initial};
}
/// A small vector for each head.
template <class Name, int Length>
learned<Name, operand_kind::per_head, Length> drawn_vectors(std::int64_t heads) {
  return {.heads = heads, .channels = Length, .is_drawn = true};
}
template <class Name, int Length>
learned<Name, operand_kind::per_head, Length> vectors(std::int64_t heads, double initial) {
  return {.heads = heads, .channels = Length, .initial = initial};
}
/// The features x [V, channels] that the model is made with.
template <class Name>
struct features {
  std::int64_t channels;
};
/// The random numbers of a dropout, in a stream of their own.
template <class Name>
struct drops {};
/// What the graph has: `get(graph)` is the view that is bound.
template <class Name, class Get>
struct of_graph {
  Get get;
};
template <class Name, class Get>
of_graph<Name, Get> graph_operand(Get const& get) {
  return {get};
}

namespace detail {

template <class Operand>
inline constexpr bool is_learned = false;
template <class Name, operand_kind Kind, int Length>
inline constexpr bool is_learned<learned<Name, Kind, Length>> = true;

/// Features that a program does not read, but for their products.
template <class Operand, class Program>
inline constexpr bool is_unread = false;
template <class Name, class Program>
inline constexpr bool is_unread<features<Name>, Program> = !reads<Name, Program>;

}  // namespace detail

/// What a pass binds besides parameters: the features as the program reads them, the products of the features with the
/// packed matrices, and the state of dropouts, null where nothing is dropped. Gradients of the products come last.
template <class T, class Space>
struct pass_rows {
  matrix_view<T const, Space> features;
  matrix_view<T, Space> products;
  random_state const* state;
  matrix_view<T, Space> product_gradients;
};

/// The operands of a model: a tuple of `weight`, `bias`, `number`, `features`, `drops` and `graph_operand`. Owns
/// parameters and gradients, those that decay first, together with its copies. Matrices W of which `Program` reads
/// `product_with<W>` are packed.
template <class T, class Context, class Operands, class Program>
class model_operands {
public:
  using space = typename Context::space;
  using rows_type = pass_rows<T, space>;

  /// Parameters are 0 until `initialize`. Throws `invalid_argument` where of the packed matrices some decay and some do
  /// not.
  model_operands(Context const& context, Operands const& operands)
      : operands_(operands), parameters_(std::make_shared<parameters<T, Context>>(context, shapes())) {}

  /// Draws the parameters from `seed`, the same on every device. Synchronises.
  void initialize(Context const& context, std::uint64_t seed) {
    // Dropout draws at steps 0, 1, ...; the last step number is kept for the weights.
    random_state const state{seed, 0xFFFFFFFF};
    std::vector<T> values(static_cast<std::size_t>(parameters_->size()));
    for_each_learned([&](auto const& operand, std::size_t place) {
      auto const to = parameters_->template value_in<host_space>(values.data(), place);
      // A row for each head is drawn as the matrix [heads, channels].
      std::int64_t const rows = operand.rows == 1 ? operand.heads : operand.rows;
      auto const wide = static_cast<double>(rows + to.size() / rows),
                 of_head = static_cast<double>(rows + operand.channels);
      T const scale = operand.is_drawn_by_head ? static_cast<T>(std::sqrt(wide / of_head)) : T{1};
      auto const drawn = operand.is_drawn
                             ? glorot_numbers<T>(state, static_cast<std::uint32_t>(place), rows, to.size() / rows)
                             : std::vector<T>(static_cast<std::size_t>(to.size()), static_cast<T>(operand.initial));
      for (std::int64_t i = 0; i < to.size(); ++i)
        to.at(i / to.cols, i % to.cols) = scale * drawn[static_cast<std::size_t>(i)];
      for (std::int64_t r = 0; operand.first_unit >= 0 && r < to.rows; ++r) to.at(r, operand.first_unit + r) = 1;
    });
    context.upload(values.data(), parameters_->size(), parameters_->values());
    context.synchronize();
  }

  parameters<T, Context>& all_parameters() { return *parameters_; }
  /// How many elements, from the first of `all_parameters` on, weight decay is for.
  std::int64_t num_decayed() {
    return num_decayed_ == parameters_->count() ? parameters_->size()
                                                : parameters_->value(num_decayed_).data - parameters_->values();
  }

  /// The bindings of the program.
  template <class Graph>
  auto bind_all(Graph const& graph, rows_type const& rows) {
    return bind_each(graph, rows, positions());
  }
  /// Calls f(grad<...>(...)...) for all that is learned, and for products in place of the packed matrices.
  template <class F>
  void with_gradients(rows_type const& rows, F const& f) {
    std::apply(f, request_each(rows, positions()));
  }

  /// Sets gradients of what is fixed to 0.
  void clear_fixed_gradients(Context const& context) {
    for_each_learned([&](auto const& operand, std::size_t place) {
      auto const gradient = parameters_->gradient(place);
      if (operand.is_fixed) context.fill_zero(gradient.data, gradient.size());
    });
  }

private:
  static constexpr std::size_t num_operands = std::tuple_size_v<Operands>;
  using positions = std::make_index_sequence<num_operands>;

  /// Calls f(operand, place) for each learned operand; `place` is where `parameters_` has it.
  template <class F>
  void for_each_learned(F const& f) {
    std::size_t position = 0;
    auto const visit = [&](auto const& operand) {
      if constexpr (detail::is_learned<std::remove_cvref_t<decltype(operand)>>) f(operand, places_[position]);
      ++position;
    };
    std::apply([&](auto const&... operand) { (visit(operand), ...); }, operands_);
  }
  template <class Name, operand_kind Kind, int Length>
  static constexpr bool is_packed(learned<Name, Kind, Length> const&) {
    return reads<product_with<Name>, Program>;
  }
  /// The shapes of all learned operands, those that decay first; also finds their places.
  std::vector<parameter_shape> shapes() {
    std::vector<parameter_shape> found;
    bool has_packed = false;
    for (bool const decayed : {true, false}) {
      for_each_learned([&](auto const& operand, std::size_t& place) {
        if (operand.is_decayed != decayed) return;
        if (is_packed(operand) && has_packed && !decayed && packed_place_ < num_decayed_) {
          throw invalid_argument("model_operands: of the matrices of the features some decay and some do not");
        }
        place = found.size();
        if (is_packed(operand)) packed_place_ = place;
        has_packed = has_packed || is_packed(operand);
        found.push_back({operand.rows, operand.heads * operand.channels, is_packed(operand)});
        if (decayed) ++num_decayed_;
      });
    }
    return found;
  }

  // Values or gradients of a learned operand.
  template <class Name, operand_kind Kind, int Length, class U>
  static auto rows_as(learned<Name, Kind, Length> const& operand, U* data) {
    if constexpr (Length > 0 && Kind == operand_kind::per_head) {
      return vec_per_head<Length>(data, operand.rows, static_cast<std::int32_t>(operand.heads));
    } else if constexpr (Length > 0) {
      return vec_per_row<Length>(data, operand.rows);
    } else if constexpr (Kind == operand_kind::per_row) {
      return per_row(data, operand.rows);
    } else if constexpr (Kind == operand_kind::per_head) {
      return per_head(data, operand.rows, static_cast<std::int32_t>(operand.heads));
    } else if constexpr (Kind == operand_kind::per_channel) {
      return per_channel(data, operand.rows, static_cast<std::int32_t>(operand.channels));
    } else {
      return wide(data, operand.rows, static_cast<std::int32_t>(operand.heads),
                  static_cast<std::int32_t>(operand.channels));
    }
  }
  // The columns of products, or their gradients, that belong to one packed matrix.
  template <std::size_t I, class Name, class U>
  auto columns_of(learned<Name> const& operand, matrix_view<U, space> const& products) const {
    return wide(products.data + parameters_->packed_column(places_[I]), products.rows,
                static_cast<std::int32_t>(operand.heads), static_cast<std::int32_t>(operand.channels), products.cols);
  }

  template <std::size_t I, class Name, operand_kind Kind, int Length, class Graph>
  auto bound(learned<Name, Kind, Length> const& operand, Graph const&, rows_type const& rows) {
    if constexpr (reads<product_with<Name>, Program>) {
      static_assert(!reads_matrix<Name, Program>,
                    "model_operands: a matrix multiplies the features and other rows too; take one for each");
      return bind<product_with<Name>>(columns_of<I>(operand, matrix_view<T const, space>(rows.products)));
    } else {
      return bind<Name>(rows_as(operand, static_cast<T const*>(parameters_->value(places_[I]).data)));
    }
  }
  template <std::size_t I, class Name, class Graph>
  auto bound(features<Name> const&, Graph const&, rows_type const& rows) {
    auto const& x = rows.features;
    return bind<Name>(wide(x.data, x.rows, static_cast<std::int32_t>(x.cols)));
  }
  template <std::size_t I, class Name, class Graph>
  auto bound(drops<Name> const&, Graph const&, rows_type const& rows) {
    return bind<Name>(rows.state == nullptr ? no_dropout()
                                            : random_numbers(rows.state, static_cast<std::uint32_t>(I + 1)));
  }
  template <std::size_t I, class Name, class Get, class Graph>
  auto bound(of_graph<Name, Get> const& operand, Graph const& graph, rows_type const&) {
    return bind<Name>(operand.get(graph));
  }
  template <class Graph, std::size_t... I>
  auto bind_each(Graph const& graph, rows_type const& rows, std::index_sequence<I...>) {
    return std::apply([](auto const&... bound) { return bindings(bound...); },
                      std::tuple_cat(tuple_of<I>(std::get<I>(operands_), graph, rows)...));
  }
  // What operand I binds: nothing where the program does not read the features themselves.
  template <std::size_t I, class Operand, class Graph>
  auto tuple_of(Operand const& operand, Graph const& graph, rows_type const& rows) {
    if constexpr (detail::is_unread<Operand, Program>) {
      return std::tuple<>();
    } else {
      return std::make_tuple(bound<I>(operand, graph, rows));
    }
  }

  template <std::size_t I, class Name, operand_kind Kind, int Length>
  auto request(learned<Name, Kind, Length> const& operand, rows_type const& rows) {
    if constexpr (reads<product_with<Name>, Program>) {
      return std::make_tuple(grad<product_with<Name>>(columns_of<I>(operand, rows.product_gradients)));
    } else {
      return std::make_tuple(grad<Name>(rows_as(operand, parameters_->gradient(places_[I]).data)));
    }
  }
  template <std::size_t I, class Operand>
  auto request(Operand const&, rows_type const&) {
    return std::tuple<>();
  }
  template <std::size_t... I>
  auto request_each(rows_type const& rows, std::index_sequence<I...>) {
    return std::tuple_cat(request<I>(std::get<I>(operands_), rows)...);
  }

  Operands operands_;
  std::array<std::size_t, num_operands> places_{};  // of learned operands in `parameters_`
  std::size_t num_decayed_ = 0;                     // of parameters; they come first
  std::size_t packed_place_ = 0;                    // of the last packed matrix
  std::shared_ptr<parameters<T, Context>> parameters_;
};

}  // namespace edgewise::models
