#include "models/saved_model.hpp"

#include <vector>

#include "support/catch.hpp"

#include "../format/message.hpp"
#include "../io/temporary_folder.hpp"
#include "host_matrix.hpp"

namespace edgewise::models {
namespace {

using parameters_type = parameters<float, testing::host_context>;
using testing::message_of;

std::vector<float> values_of(parameters_type& p) { return {p.values(), p.values() + p.size()}; }

TEST_CASE("saved model: a file gives back kind, sizes and parameters", "[models]") {
  testing::host_context const context;
  testing::temporary_folder const folder;
  node_options const options{.num_features = 7,
                             .num_heads = 2,
                             .num_hidden = 5,
                             .num_classes = 3,
                             .dropout = 0.1,
                             .attention_dropout = 0.2,
                             .num_output_heads = 4};
  parameters_type trained(context, {{2, 3}, {1, 20}}), fresh(context, {{2, 3}, {1, 20}});
  for (std::int64_t i = 0; i < trained.size(); ++i) trained.values()[i] = 0.1f * static_cast<float>(i);
  checkpoint file;
  write_model(save_model(context, "gat", options, trained), file);
  file.save(folder.file("gat"));

  auto const saved = read_model<float>(checkpoint::load(folder.file("gat")));
  CHECK(saved.architecture == "gat");
  CHECK(saved.options.num_features == 7);
  CHECK(saved.options.num_heads == 2);
  CHECK(saved.options.num_hidden == 5);
  CHECK(saved.options.num_classes == 3);
  CHECK(saved.options.dropout == 0.1);
  CHECK(saved.options.attention_dropout == 0.2);
  CHECK(saved.options.num_output_heads == 4);
  load_model(context, saved, fresh);
  CHECK(values_of(fresh) == values_of(trained));
}

TEST_CASE("saved model: parameters of other shapes or elements are refused and stay", "[models]") {
  testing::host_context const context;
  parameters_type trained(context, {{2, 3}, {1, 20}}), turned(context, {{3, 2}, {1, 20}}), fewer(context, {{2, 3}});
  trained.values()[0] = 1;
  turned.values()[0] = 2;
  auto const saved = save_model(context, "gat", {.num_features = 7, .num_classes = 3}, trained);
  CHECK(message_of<invalid_argument>([&] { load_model(context, saved, turned); }) ==
        "gat: the model has parameters [3, 2] [1, 20], 48 elements; the saved ones are [2, 3] [1, 20], 48 elements");
  CHECK(turned.values()[0] == 2);
  CHECK(message_of<invalid_argument>([&] { load_model(context, saved, fewer); }) ==
        "gat: the model has parameters [2, 3], 16 elements; the saved ones are [2, 3] [1, 20], 48 elements");

  checkpoint file;
  write_model(saved, file);
  CHECK(message_of<io_error>([&] { read_model<double>(file); }) ==
        ": array 'model.values' has elements of float32, must have float64");
  auto cut = saved;
  cut.values.pop_back();
  CHECK_THROWS_AS(load_model(context, cut, trained), invalid_argument);
  file.set("model.shapes", std::vector<std::int64_t>{2, 3, 1});
  CHECK(message_of<io_error>([&] { read_model<float>(file); }) ==
        ": array 'model.shapes' does not have two numbers for each parameter");
}

}  // namespace
}  // namespace edgewise::models
