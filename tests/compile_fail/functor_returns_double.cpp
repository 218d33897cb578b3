// expected-error: functor F: must return the scalar type that it is called with: declare the result as 'T'
#include <edgewise/expression/functor.hpp>

struct halve {
  template <class T>
  EDGEWISE_HD auto operator()(T x) const {
    return 0.5 * x;  // a double for floats
  }
};

float half(float x) { return edgewise::operation::functor<halve>{}.value(x); }
