# Tests that need a GPU (label gpu; scripts/gpu-check runs them). Where there is none they skip and
# say so. The same sources run on the emulator with few and narrow rows, to test the tests.
set(gpu_test_sources
  ${CMAKE_CURRENT_LIST_DIR}/gpu_comparison.cc
  ${CMAKE_CURRENT_LIST_DIR}/gpu_memory_test.cc
  ${CMAKE_CURRENT_LIST_DIR}/gpu_rows_test.cc
  ${CMAKE_CURRENT_LIST_DIR}/gpu_session_test.cc
  ${CMAKE_CURRENT_LIST_DIR}/gpu_shapes.cc)

if(TARGET tessera_cuda)
  add_executable(cuda_gpu_test ${gpu_test_sources})
  target_link_libraries(cuda_gpu_test
    PRIVATE tessera_test_support tessera_cuda tessera_cudart GTest::gtest GTest::gtest_main)
  gtest_discover_tests(cuda_gpu_test TEST_PREFIX gpu. DISCOVERY_MODE PRE_TEST
    PROPERTIES LABELS "gpu;plain-only" RUN_SERIAL ON TIMEOUT 600)
endif()

if(TARGET tessera_cuda_emulated)
  add_executable(cuda_gpu_emulated_test
    ${gpu_test_sources} ${CMAKE_CURRENT_LIST_DIR}/gpu_emulated_device.cc)
  target_link_libraries(cuda_gpu_emulated_test
    PRIVATE tessera_test_support tessera_cuda_emulated GTest::gtest GTest::gtest_main)
  add_test(NAME cuda.gpu_check_on_the_emulator COMMAND cuda_gpu_emulated_test)
  set_tests_properties(cuda.gpu_check_on_the_emulator PROPERTIES LABELS plain-only TIMEOUT 600
    ENVIRONMENT "TESSERA_GPU_REQUIRED=1;TESSERA_GPU_SMALL_ROWS=30;TESSERA_GPU_FULL_ROWS=9;TESSERA_GPU_DIVIDE=64;TESSERA_GPU_THREADS=2;TESSERA_GPU_STREAMS=2")
endif()

# scripts/gpu-check and gpu_bench themselves.
if(NOT TESSERA_GPU_CHECK_ONLY)
  add_executable(cuda_gpu_table_test ${CMAKE_CURRENT_LIST_DIR}/gpu_table_test.cc
    ${PROJECT_SOURCE_DIR}/bench/gpu/options.cc ${PROJECT_SOURCE_DIR}/bench/gpu/table.cc
    ${PROJECT_SOURCE_DIR}/bench/rows.cc)
  target_compile_definitions(cuda_gpu_table_test PRIVATE TESSERA_TEST_DATA="tests/data"
                                                         TESSERA_SIMT_EMULATED)
  target_link_libraries(cuda_gpu_table_test
    PRIVATE tessera::kernels absl::str_format GTest::gtest GTest::gtest_main)
  gtest_discover_tests(cuda_gpu_table_test TEST_PREFIX cuda. DISCOVERY_MODE PRE_TEST)

  add_test(NAME cuda.gpu_check
    COMMAND ${TESSERA_PYTHON} -m pytest -q -rs -p no:cacheprovider
            "${CMAKE_CURRENT_LIST_DIR}/gpu_check_test.py")
  set_tests_properties(cuda.gpu_check PROPERTIES LABELS plain-only TIMEOUT 300
    ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1")
  if(TARGET tessera_cuda_emulated)
    add_test(NAME cuda.gpu_bench_on_the_emulator
      COMMAND ${TESSERA_PYTHON} -m pytest -q -rs -p no:cacheprovider
              "${CMAKE_CURRENT_LIST_DIR}/gpu_bench_test.py")
    set_tests_properties(cuda.gpu_bench_on_the_emulator PROPERTIES LABELS plain-only TIMEOUT 300
      ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1;TESSERA_GPU_BENCH=${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/gpu_bench_emulated")
  endif()
endif()
