// The loss and the score of a task, whose vertices have one class each or any number of labels.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <variant>

#include "models/accuracy.hpp"
#include "models/cross_entropy.hpp"
#include "models/labelled_rows.hpp"
#include "models/matrix.hpp"
#include "models/micro_f1.hpp"
#include "models/multi_labelled_rows.hpp"
#include "models/sigmoid_cross_entropy.hpp"
#include "train/task.hpp"

namespace edgewise::train {

/// `OfClass` of the classes of some rows where vertices have one class, else `OfLabels` of their labels.
template <class Context, class OfClass, class OfLabels>
std::variant<OfClass, OfLabels> by_kind_of_labels(Context const& context, task const& data,
                                                  std::span<std::int32_t const> rows) {
  using result = std::variant<OfClass, OfLabels>;
  if (data.has_label_sets()) {
    return result(std::in_place_index<1>, context,
                  models::multi_labelled_rows<Context>(context, data.label_sets, rows, data.num_classes));
  }
  return result(std::in_place_index<0>, context,
                models::labelled_rows<Context>(context, data.labels, rows, data.num_classes));
}

/// Softmax cross-entropy of classes, sigmoid cross-entropy of sets of labels; members and errors are theirs.
template <class T, class Context>
class task_loss {
public:
  using space = typename Context::space;

  task_loss(Context const& context, task const& data, std::span<std::int32_t const> rows)
      : loss_(by_kind_of_labels<Context, of_class, of_labels>(context, data, rows)) {}

  void operator()(Context const& context, models::const_matrix_view<T, space> logits) {
    std::visit([&](auto& loss) { loss(context, logits); }, loss_);
  }
  T loss(Context const& context) const {
    return std::visit([&](auto const& loss) { return loss.loss(context); }, loss_);
  }
  models::matrix_view<T const, space> gradient() const {
    return std::visit([](auto const& loss) { return loss.gradient(); }, loss_);
  }

private:
  using of_class = models::softmax_cross_entropy<T, Context>;
  using of_labels = models::sigmoid_cross_entropy<T, Context>;
  std::variant<of_class, of_labels> loss_;
};

/// The accuracy of classes, micro-F1 of sets of labels; members and errors are theirs.
template <class T, class Context>
class task_score {
public:
  task_score(Context const& context, task const& data, std::span<std::int32_t const> rows)
      : score_(by_kind_of_labels<Context, of_class, of_labels>(context, data, rows)) {}

  void operator()(Context const& context, models::const_matrix_view<T, typename Context::space> logits) {
    std::visit([&](auto& score) { score(context, logits); }, score_);
  }
  double value(Context const& context) const {
    return std::visit([&](auto const& score) { return score.value(context); }, score_);
  }

private:
  using of_class = models::accuracy<T, Context>;
  using of_labels = models::micro_f1<T, Context>;
  std::variant<of_class, of_labels> score_;
};

}  // namespace edgewise::train
