// Everything that a host compiler can read: graphs, messages, gathers, and the CPU engine.
#pragma once

#include <edgewise/execute/cpu_engine.hpp>
#include <edgewise/execute/fuse.hpp>
#include <edgewise/execute/resources.hpp>
#include <edgewise/format/convert.hpp>
#include <edgewise/format/generate.hpp>
#include <edgewise/format/graph.hpp>
#include <edgewise/format/make.hpp>
#include <edgewise/format/normalize.hpp>
#include <edgewise/format/reverse.hpp>
#include <edgewise/format/self_loops.hpp>
#include <edgewise/format/symmetric.hpp>
#include <edgewise/format/validate.hpp>
#include <edgewise/gather/max.hpp>
#include <edgewise/gather/prod.hpp>
#include <edgewise/gather/stddev.hpp>
#include <edgewise/gather/sum.hpp>
#include <edgewise/program/gather_node.hpp>
#include <edgewise/program/scatter_node.hpp>
#include <edgewise/program/sum_over.hpp>
#include <edgewise/program/with_self.hpp>
#include <edgewise/udf/activation.hpp>
#include <edgewise/udf/arithmetic.hpp>
#include <edgewise/udf/dropout.hpp>
#include <edgewise/udf/functor.hpp>
#include <edgewise/version.hpp>
