"""Recipe of Conan 2: `conan create cmake/packages/conan` packages the sources of this tree. Headers alone."""
import pathlib
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain
from conan.tools.files import copy

ROOT = pathlib.Path(__file__).resolve().parents[3]


class Edgewise(ConanFile):
    name = "edgewise"
    description = "Fused graph-neural-network kernels for CUDA and CPU"
    license = "see LICENSE"
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    no_copy_source = True

    def set_version(self):
        text = (ROOT / "include/edgewise/core/version.hpp").read_text()
        self.version = ".".join(re.findall(r"define EDGEWISE_VERSION_\w+ (\d+)", text))

    def export_sources(self):
        for part in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*"):
            copy(self, part, ROOT, self.export_sources_folder)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in ("TESTS", "EXAMPLES", "BENCHMARKS"):
            toolchain.cache_variables[f"EDGEWISE_BUILD_{part}"] = False
        toolchain.cache_variables["EDGEWISE_ENABLE_CUDA"] = "OFF"
        toolchain.generate()

    def build(self):
        CMake(self).configure()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, str(pathlib.Path(self.package_folder) / "licenses"))

    def package_id(self):
        self.info.clear()

    def package_info(self):
        # The package's own CMake files define its targets and components.
        self.cpp_info.bindirs = self.cpp_info.libdirs = []
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = ["lib/cmake/edgewise"]
