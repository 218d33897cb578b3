// All graph generators: seeded, the same graph on every platform. They return host containers.
#pragma once

#include <edgewise/format/generate/block_model.hpp>
#include <edgewise/format/generate/grid.hpp>
#include <edgewise/format/generate/karate_club.hpp>
#include <edgewise/format/generate/rmat.hpp>
#include <edgewise/format/generate/uniform.hpp>
