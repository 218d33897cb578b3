// The Adam optimiser over all parameters of a model at once.
#pragma once

#include <cmath>
#include <cstdint>

#include <edgewise/core/config.hpp>
#include <edgewise/core/error.hpp>
#include <edgewise/core/memory.hpp>

#include "models/parameters.hpp"

namespace edgewise::models {

/// Adam's numbers. `weight_decay` is L2 in the gradient (not decoupled), on the first `num_decayed` elements only.
struct adam_options {
  double learning_rate = 0.01;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0.0;
  std::int64_t num_decayed = 0;
};

/// beta1^t and beta2^t: kept in the context's memory, so that a captured CUDA graph goes on counting.
struct adam_powers {
  double beta1;
  double beta2;
};

namespace detail {

struct adam_advance {
  adam_options options;
  adam_powers* powers;
  EDGEWISE_HD void operator()(std::int64_t) const {
    powers->beta1 *= options.beta1;
    powers->beta2 *= options.beta2;
  }
};

template <class T>
struct adam_update {
  double const* learning_rate;
  T beta1;
  T beta2;
  T rest1;  ///< 1 - beta1, rounded once: 1 - T(beta2) would be off by 2e-5 of itself, in float
  T rest2;
  T epsilon;
  T weight_decay;
  std::int64_t num_decayed;
  adam_powers const* powers;
  T const* gradients;
  T* values;
  T* first_moments;
  T* second_moments;

  EDGEWISE_HD void operator()(std::int64_t i) const {
    T const gradient = i < num_decayed ? gradients[i] + weight_decay * values[i] : gradients[i];
    T const first = beta1 * first_moments[i] + rest1 * gradient;
    T const second = beta2 * second_moments[i] + rest2 * gradient * gradient;
    first_moments[i] = first;
    second_moments[i] = second;
    T const unbiased_first = first / static_cast<T>(1.0 - powers->beta1);
    T const unbiased_second = second / static_cast<T>(1.0 - powers->beta2);
    values[i] -= static_cast<T>(*learning_rate) * unbiased_first / (std::sqrt(unbiased_second) + epsilon);
  }
};

}  // namespace detail

/// Adam with bias correction. Owns the moments; `step` neither allocates nor synchronises.
/// Source: Kingma & Ba 2015, arXiv:1412.6980, algorithm 1.
template <class T, class Context>
class adam {
public:
  /// For `parameters` of `size` elements. Throws `invalid_argument` when more elements decay than there are.
  adam(Context const& context, std::int64_t size, adam_options const& options)
      : options_(options),
        first_moments_(context.template make_buffer<T>(size)),
        second_moments_(context.template make_buffer<T>(size)),
        powers_(context.template make_buffer<adam_powers>(1)),
        learning_rate_(context.template make_buffer<double>(1)) {
    if (options.num_decayed < 0 || options.num_decayed > size) {
      throw invalid_argument(
          edgewise::detail::text("adam: num_decayed = ", options.num_decayed, ", but there are ", size, " elements"));
    }
    context.fill_zero(first_moments_.data(), size);
    context.fill_zero(second_moments_.data(), size);
    adam_powers const ones{1.0, 1.0};
    context.upload(&ones, 1, powers_.data());
    context.upload(&options_.learning_rate, 1, learning_rate_.data());
    context.synchronize();
  }

  /// Moves the values of `parameters` against their gradients. Throws `invalid_argument` on another size.
  void step(Context const& context, parameters<T, Context>& parameters) {
    if (parameters.size() != size()) {
      throw invalid_argument(
          edgewise::detail::text("adam: the parameters have ", parameters.size(), " elements, the moments ", size()));
    }
    context.for_each(1, detail::adam_advance{options_, powers_.data()});
    context.for_each(size(), detail::adam_update<T>{
                                 .learning_rate = learning_rate_.data(),
                                 .beta1 = static_cast<T>(options_.beta1),
                                 .beta2 = static_cast<T>(options_.beta2),
                                 .rest1 = static_cast<T>(1.0 - options_.beta1),
                                 .rest2 = static_cast<T>(1.0 - options_.beta2),
                                 .epsilon = static_cast<T>(options_.epsilon),
                                 .weight_decay = static_cast<T>(options_.weight_decay),
                                 .num_decayed = options_.num_decayed,
                                 .powers = powers_.data(),
                                 .gradients = parameters.gradients(),
                                 .values = parameters.values(),
                                 .first_moments = first_moments_.data(),
                                 .second_moments = second_moments_.data(),
                             });
  }

  /// The learning rate of all later steps, in place of the one in the options. It is kept in the context's memory, so
  /// that a captured CUDA graph sees the new one; not to be called while one is captured. Asynchronous.
  void set_learning_rate(Context const& context, double learning_rate) {
    if (learning_rate == options_.learning_rate) return;
    options_.learning_rate = learning_rate;
    context.upload(&options_.learning_rate, 1, learning_rate_.data());
  }

  /// What its next step depends on besides the parameters and the learning rate, in the context's memory: moments
  /// [size] and powers.
  std::int64_t size() const { return static_cast<std::int64_t>(first_moments_.size()); }
  T* first_moments() { return first_moments_.data(); }
  T* second_moments() { return second_moments_.data(); }
  adam_powers* powers() { return powers_.data(); }

private:
  adam_options options_;
  buffer<T, typename Context::space> first_moments_;
  buffer<T, typename Context::space> second_moments_;
  buffer<adam_powers, typename Context::space> powers_;
  buffer<double, typename Context::space> learning_rate_;  // options_.learning_rate
};

}  // namespace edgewise::models
