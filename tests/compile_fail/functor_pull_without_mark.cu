// expected-error: from a __device__ function("edgewise::v0::detail::call_pull_marked_EDGEWISE_HD
// expected-error: halve::pull
#include <edgewise/expression/functor.hpp>

struct halve {
  template <class T>
  EDGEWISE_HD T operator()(T x) const {
    return x / 2;
  }
  template <int I, class T>
  T pull(T adjoint, T, T) const {
    return adjoint / 2;
  }
};

__global__ void run(float* x) { x[0] = edgewise::operation::functor<halve>{}.pull<0>(1.0f, x[0], x[1]); }
