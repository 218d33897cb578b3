// The library's version, read by CMake too.
#pragma once

#define EDGEWISE_VERSION_MAJOR 0
#define EDGEWISE_VERSION_MINOR 1
#define EDGEWISE_VERSION_PATCH 1
