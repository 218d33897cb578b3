#include <edgewise/explain/expression_text.hpp>

#include <string>

#include <edgewise/edgewise.hpp>

#include "support/catch.hpp"

using namespace edgewise;

namespace {

struct a;
struct b;
struct c;
struct clip {
  static constexpr char const* name = "clip";
  template <class T>
  EDGEWISE_HD T operator()(T x, T bound) const {
    return x < bound ? x : bound;
  }
};

template <class E>
std::string text_of(E const& e) {
  return detail::expression_text(e);
}

}  // namespace

TEST_CASE("expression_text: as it is written", "[explain]") {
  CHECK(text_of(src<a> * edge<b> + 3) == "src<a> * edge<b> + 3");
  CHECK(text_of(exp(src<a> * 2) / dst<b>) == "exp(src<a> * 2) / dst<b>");
  CHECK(text_of(apply(clip{}, src<a> - dst<b>, param<c>)) == "clip(src<a> - dst<b>, param<c>)");
  CHECK(text_of(leaky_relu(src<a> + dst<b>, 0.25)) == "leaky_relu(src<a> + dst<b>, 0.25)");
  CHECK(text_of(maximum(src<a>, -dst<b>)) == "maximum(src<a>, -dst<b>)");
  CHECK(text_of(sum_channels(src<a>) + dot(src<a>, dst<b> + 1)) == "sum_channels(src<a>) + dot(src<a>, dst<b> + 1)");
}

TEST_CASE("expression_text: parentheses where the order of operations needs them, and nowhere else", "[explain]") {
  CHECK(text_of(src<a> + edge<b> + dst<c>) == "src<a> + edge<b> + dst<c>");
  CHECK(text_of(src<a> + (edge<b> + dst<c>)) == "src<a> + (edge<b> + dst<c>)");
  CHECK(text_of(src<a> - (edge<b> - dst<c>)) == "src<a> - (edge<b> - dst<c>)");
  CHECK(text_of((src<a> + edge<b>)*dst<c>) == "(src<a> + edge<b>) * dst<c>");
  CHECK(text_of(src<a> * (edge<b> * dst<c>)) == "src<a> * (edge<b> * dst<c>)");
  CHECK(text_of(src<a> / (edge<b> * dst<c>)) == "src<a> / (edge<b> * dst<c>)");
  CHECK(text_of(src<a> * edge<b> / dst<c>) == "src<a> * edge<b> / dst<c>");
  CHECK(text_of(-(src<a> + edge<b>)) == "-(src<a> + edge<b>)");
  CHECK(text_of(-src<a> * edge<b>) == "-src<a> * edge<b>");
  CHECK(text_of(-(src<a> * edge<b>)) == "-(src<a> * edge<b>)");
  CHECK(text_of(dst<c> - -src<a>) == "dst<c> - -src<a>");
}

TEST_CASE("expression_text: a softmax and what it weighs", "[explain]") {
  CHECK(detail::weighed_text(src<a>, src<b> + dst<c>) == "softmax(src<a>) * (src<b> + dst<c>)");
  CHECK(detail::weighed_text(src<a>, edge<c> * src<b>) == "softmax(src<a>) * (edge<c> * src<b>)");
  CHECK(detail::weighed_text(src<a>, src<b>) == "softmax(src<a>) * src<b>");
  CHECK(detail::weighed_text(src<a>, detail::one{}) == "softmax(src<a>)");
}
