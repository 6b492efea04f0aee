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
