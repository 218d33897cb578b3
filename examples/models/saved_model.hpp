// A model's kind, sizes and parameters in host memory, and as arrays of a checkpoint.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <edgewise/core/error.hpp>

#include "models/checkpoint.hpp"
#include "models/node_options.hpp"
#include "models/parameters.hpp"

namespace edgewise::models {

/// What a model is made of again. Shapes: `shapes` [parameters], `values` as `parameters` has them, with what lies
/// between two of them.
template <class T>
struct saved_model {
  std::string architecture;
  node_options options{.num_features = 0, .num_classes = 0};
  std::vector<parameter_shape> shapes;
  std::vector<T> values;
};

namespace detail {

inline std::string text_of(std::vector<parameter_shape> const& shapes) {
  std::string text;
  for (auto const& shape : shapes) text += edgewise::detail::text(" [", shape.rows, ", ", shape.cols, "]");
  return text;
}

template <class T, class Context>
std::vector<parameter_shape> shapes_of(parameters<T, Context>& parameters) {
  std::vector<parameter_shape> shapes;
  for (std::size_t k = 0; k < parameters.count(); ++k) {
    shapes.push_back({parameters.value(k).rows, parameters.value(k).cols});
  }
  return shapes;
}

}  // namespace detail

/// Copies parameters of a model, made with `options`, to the host. Synchronises.
template <class T, class Context>
saved_model<T> save_model(Context const& context, std::string architecture, node_options const& options,
                          parameters<T, Context>& parameters) {
  saved_model<T> saved{std::move(architecture), options, detail::shapes_of(parameters), {}};
  saved.values.resize(static_cast<std::size_t>(parameters.size()));
  context.download(parameters.values(), parameters.size(), saved.values.data());
  return saved;
}

/// Throws `invalid_argument` unless a model's parameters have the number and shapes of the saved ones.
template <class T, class Context>
void require_shapes(saved_model<T> const& saved, parameters<T, Context>& parameters) {
  std::string const own = detail::text_of(detail::shapes_of(parameters)), others = detail::text_of(saved.shapes);
  if (own == others && static_cast<std::int64_t>(saved.values.size()) == parameters.size()) return;
  throw invalid_argument(edgewise::detail::text(saved.architecture, ": the model has parameters", own, ", ",
                                                parameters.size(), " elements; the saved ones are", others, ", ",
                                                saved.values.size(), " elements"));
}

/// Copies saved parameters into a model's. Synchronises. Throws what `require_shapes` does; then nothing has changed.
template <class T, class Context>
void load_model(Context const& context, saved_model<T> const& saved, parameters<T, Context>& parameters) {
  require_shapes(saved, parameters);
  context.upload(saved.values.data(), parameters.size(), parameters.values());
  context.synchronize();
}

/// Adds the arrays "model.architecture", "model.shapes" (rows and columns of each parameter), "model.values" and one
/// for each field of the options, such as "model.num_hidden".
template <class T>
void write_model(saved_model<T> const& saved, checkpoint& file) {
  file.set("model.architecture", saved.architecture);
  for_each_field(saved.options, [&](std::string const& name, auto field) {
    file.set("model." + name, std::vector<decltype(field)>{field});
  });
  std::vector<std::int64_t> extents;
  for (auto const& shape : saved.shapes) extents.insert(extents.end(), {shape.rows, shape.cols});
  file.set("model.shapes", extents);
  file.set("model.values", saved.values);
}

/// What `write_model` wrote. Throws `io_error` naming the file and the array that is missing, or has other elements.
template <class T>
saved_model<T> read_model(checkpoint const& file) {
  saved_model<T> saved;
  saved.architecture = file.get_text("model.architecture");
  for_each_field(saved.options, [&]<class Field>(std::string const& name, Field& field) {
    field = file.get<Field>("model." + name, 1).front();
  });
  auto const extents = file.get<std::int64_t>("model.shapes");
  if (extents.size() % 2 != 0) file.fail("array 'model.shapes' does not have two numbers for each parameter");
  for (std::size_t k = 0; k < extents.size(); k += 2) saved.shapes.push_back({extents[k], extents[k + 1]});
  saved.values = file.get<T>("model.values");
  return saved;
}

}  // namespace edgewise::models
