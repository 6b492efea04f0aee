# The build of TESSERA_GPU_CHECK_ONLY: kernels, what tests of them share, and the two programs that
# scripts/gpu-check runs. They need nothing of the machine that runs them but the C library and, to do
# anything, a CUDA driver.
find_package(Threads REQUIRED)
include(cmake/static_libraries.cmake)
include(cmake/cuda.cmake)
add_link_options(-static-libstdc++ -static-libgcc)

enable_testing()
include(GoogleTest)
add_subdirectory(kernels)
add_subdirectory(tests/support)
include(tests/cuda/gpu_tests.cmake)
add_subdirectory(bench/gpu)

# What `scripts/gpu-check --build` carries along, so that the programs can be built there too.
set(archives ${TESSERA_ABSL_ARCHIVES} ${TESSERA_GTEST_ARCHIVE} ${TESSERA_GTEST_MAIN})
list(JOIN archives "\n" archives)
file(WRITE "${PROJECT_BINARY_DIR}/static_archives.txt" "${archives}\n")
file(WRITE "${PROJECT_BINARY_DIR}/static_headers.txt"
     "${TESSERA_ABSL_INCLUDE}/absl\n${TESSERA_GTEST_INCLUDE}/gtest\n")
