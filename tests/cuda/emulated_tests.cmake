# Tests that run the real kernels on the emulator. Each takes minutes of one processor at most;
# environment variables named in the sources make them longer.

# The suites of tests/kernels and tests/stages, compiled once more with the CUDA backend registered
# in place of the CPU's targets.
add_library(tessera_emulated_executors OBJECT emulated_executors.cc scheduled_backend.cc)
target_link_libraries(tessera_emulated_executors
  PUBLIC tessera_test_support tessera_cuda_emulated)

add_executable(cuda_conformance_test
  ../kernels/backend_conformance_test.cc
  ../stages/adaptive_p_test.cc
  ../stages/bad_words_test.cc
  ../stages/draw_rule_test.cc
  ../stages/dry_test.cc
  ../stages/dynamic_temperature_test.cc
  ../stages/epsilon_test.cc
  ../stages/eta_test.cc
  ../stages/guidance_test.cc
  ../stages/logit_bias_test.cc
  ../stages/masks_test.cc
  ../stages/min_p_test.cc
  ../stages/mirostat_test.cc
  ../stages/no_repeat_ngram_test.cc
  ../stages/past_rows_test.cc
  ../stages/penalties_test.cc
  ../stages/sequence_bias_test.cc
  ../stages/smoothing_test.cc
  ../stages/tail_free_test.cc
  ../stages/temperature_test.cc
  ../stages/top_a_test.cc
  ../stages/top_k_test.cc
  ../stages/top_n_sigma_test.cc
  ../stages/top_p_test.cc
  ../stages/typical_p_test.cc
  ../stages/watermark_test.cc
  ../stages/xtc_test.cc)
add_executable(cuda_differential_test ../kernels/differential_test.cc)
add_executable(cuda_rows_test wide_rows_test.cc direct_launch.cc direct_launch_test.cc
               residual_traffic_test.cc traffic_test.cc)
add_executable(cuda_laws_test ../kernels/law_report_test.cc ../kernels/residual_draw_test.cc
               ../kernels/residual_test.cc)
add_executable(cuda_verification_test
  ../verification/drafts_edges_test.cc
  ../verification/drafts_limits_test.cc
  ../verification/random_sequences.cc
  ../verification/verified.cc
  ../verification/verify_drafts_test.cc)
add_executable(cuda_quick_test quick_rows_test.cc direct_launch.cc)
add_executable(cuda_hostile_test hostile_rows_test.cc hostile_batches_test.cc largest_cluster_test.cc
               direct_launch.cc)
foreach(program IN ITEMS cuda_conformance_test cuda_differential_test cuda_laws_test cuda_rows_test
                        cuda_verification_test cuda_quick_test cuda_hostile_test)
  target_link_libraries(${program}
    PRIVATE tessera_emulated_executors tessera_test_support tessera_cuda_emulated
            GTest::gmock GTest::gtest_main)
endforeach()

# Which shape runs a batch is left to chance, and whether any does.
set(some_shapes ENVIRONMENT "TESSERA_ADDED_EXECUTORS=0.5")
gtest_discover_tests(cuda_conformance_test TEST_PREFIX cuda.
  DISCOVERY_MODE PRE_TEST PROPERTIES LABELS exhaustive TIMEOUT 900 ${some_shapes})
gtest_discover_tests(cuda_rows_test TEST_PREFIX cuda. DISCOVERY_MODE PRE_TEST
  PROPERTIES LABELS exhaustive TIMEOUT 900)
add_test(NAME cuda.differential COMMAND cuda_differential_test)
set_tests_properties(cuda.differential PROPERTIES LABELS exhaustive TIMEOUT 900
  ENVIRONMENT "TESSERA_ADDED_EXECUTORS=1;TESSERA_DIFFERENTIAL_ROWS=4000")
add_test(NAME cuda.laws COMMAND cuda_laws_test)
set_tests_properties(cuda.laws PROPERTIES LABELS exhaustive TIMEOUT 900
  ENVIRONMENT "TESSERA_ADDED_EXECUTORS=1;TESSERA_RESIDUALS=3000")
add_test(NAME cuda.laws_short
  COMMAND cuda_laws_test --gtest_filter=Residuals.OfRandomRowsEqualTheOracle)
set_tests_properties(cuda.laws_short PROPERTIES LABELS tsan-ok TIMEOUT 600
  ENVIRONMENT "TESSERA_ADDED_EXECUTORS=0.3;TESSERA_RESIDUALS=100;TESSERA_RESIDUAL_SEED=600000")
add_test(NAME cuda.verification COMMAND cuda_verification_test)
set_tests_properties(cuda.verification PROPERTIES LABELS exhaustive TIMEOUT 900
  ENVIRONMENT "TESSERA_ADDED_EXECUTORS=1;TESSERA_SEQUENCES=600")
add_test(NAME cuda.verification_short
  COMMAND cuda_verification_test --gtest_filter=VerifyDraftsTest.*)
set_tests_properties(cuda.verification_short PROPERTIES LABELS tsan-ok TIMEOUT 600
  ENVIRONMENT "TESSERA_ADDED_EXECUTORS=0.3;TESSERA_SEQUENCES=60;TESSERA_SEQUENCE_SEED=600000")
if(TESSERA_SANITIZE)
  set(quick ENVIRONMENT "TESSERA_CUDA_QUICK_SEEDS=1;TESSERA_CUDA_QUICK_BLOCKS=3")
endif()
gtest_discover_tests(cuda_quick_test TEST_PREFIX cuda. DISCOVERY_MODE PRE_TEST
  PROPERTIES LABELS tsan-ok TIMEOUT 600 ${quick})
set_property(GLOBAL APPEND PROPERTY TESSERA_TSAN_PROGRAMS
  cuda_laws_test cuda_quick_test cuda_verification_test)

gtest_discover_tests(cuda_hostile_test TEST_PREFIX cuda. DISCOVERY_MODE PRE_TEST
  PROPERTIES LABELS exhaustive TIMEOUT 900)

# The same without the body of one kernel: the test must notice.
if(NOT TESSERA_SANITIZE)
  foreach(kernel IN ITEMS ClusterKernel FallbackMaxKernel FallbackFinishKernel ResidualEditKernel
                          ResidualKernel)
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/without_${kernel}")
    string(REGEX REPLACE "Kernel$" "" program "cuda_without_${kernel}")
    file(GLOB headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/kernels/cuda/*.cuh")
    add_custom_command(OUTPUT "${folder}/done"
      COMMAND ${CMAKE_COMMAND} -E rm -rf "${folder}"
      COMMAND ${TESSERA_PYTHON} "${PROJECT_SOURCE_DIR}/scripts/mutate-kernels"
              --empty ${kernel} --into "${folder}"
      COMMAND ${CMAKE_COMMAND} -E copy "${PROJECT_SOURCE_DIR}/kernels/cuda/kernels.cu"
              "${folder}/kernels_${kernel}.cc"
      COMMAND ${CMAKE_COMMAND} -E touch "${folder}/done"
      BYPRODUCTS "${folder}/kernels_${kernel}.cc"
      DEPENDS ${headers} "${PROJECT_SOURCE_DIR}/kernels/cuda/kernels.cu"
              "${PROJECT_SOURCE_DIR}/scripts/mutate-kernels"
      COMMENT "Emptying ${kernel}")
    set(tests quick_rows_test.cc direct_launch.cc)
    if(kernel MATCHES "Residual")
      set(tests ../kernels/residual_test.cc)
    endif()
    add_executable(${program} ${tests} emulated_executors.cc scheduled_backend.cc
      "${folder}/kernels_${kernel}.cc" "${folder}/done")
    target_include_directories(${program} BEFORE PRIVATE "${folder}")
    target_compile_options(${program} PRIVATE -Wno-unused-parameter)
    target_link_libraries(${program}
      PRIVATE tessera_test_support tessera_cuda_host tessera_simt GTest::gtest_main)
    # It starts, and then fails or crashes; silently, or the tally would count its failures.
    add_test(NAME cuda.notices_an_empty_${kernel} COMMAND
      sh -c "$<TARGET_FILE:${program}> --gtest_list_tests > /dev/null && ! $<TARGET_FILE:${program}> > /dev/null")
    set_tests_properties(cuda.notices_an_empty_${kernel} PROPERTIES LABELS plain-only TIMEOUT 300
      ENVIRONMENT "TESSERA_CUDA_QUICK_SEEDS=1;TESSERA_CUDA_QUICK_BLOCKS=1;TESSERA_ADDED_EXECUTORS=1;TESSERA_RESIDUALS=100")
  endforeach()
endif()
