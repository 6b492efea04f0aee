# The planted defects, run by the emulator alone and under each sanitizer that the compiler has.
add_executable(simt_defects_test defects_test.cc defect_table.cc)
target_link_libraries(simt_defects_test PRIVATE tessera_simt GTest::gtest_main)
add_test(NAME simt.defects COMMAND simt_defects_test)
set_tests_properties(simt.defects PROPERTIES LABELS plain-only TIMEOUT 300)

include(CheckCXXSourceCompiles)
find_program(TESSERA_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH REQUIRED)
get_target_property(emulator_sources tessera_simt SOURCES)

# A program that runs one planted defect, compiled with `flags`; the emulator in it with
# `emulator_flags`. An empty `result` when the compiler cannot link it.
function(tessera_defect_program name flags emulator_flags result)
  set(CMAKE_REQUIRED_FLAGS "${flags}")
  set(CMAKE_REQUIRED_LINK_OPTIONS ${flags})
  check_cxx_source_compiles("int main() { return 0; }" TESSERA_LINKS_${name})
  set(${result} "" PARENT_SCOPE)
  if(NOT TESSERA_LINKS_${name})
    return()
  endif()
  add_library(simt_${name}_emulator STATIC ${emulator_sources})
  target_link_libraries(simt_${name}_emulator PUBLIC tessera_options PRIVATE absl::core_headers)
  target_compile_options(simt_${name}_emulator PRIVATE ${emulator_flags})
  add_executable(simt_${name}_defects defect_program.cc defect_table.cc)
  target_link_libraries(simt_${name}_defects PRIVATE simt_${name}_emulator)
  target_compile_options(simt_${name}_defects PRIVATE -g1 -O1 ${flags})
  target_link_options(simt_${name}_defects PRIVATE ${flags})
  set(${result} "$<TARGET_FILE:simt_${name}_defects>" PARENT_SCOPE)
endfunction()

set(address_flags -fsanitize=address,undefined -fno-sanitize-recover=undefined
                  -fno-omit-frame-pointer)
tessera_defect_program(address "${address_flags}" "${address_flags}" address_program)
tessera_defect_program(thread "-fsanitize=thread" "-DSIMT_THREAD_SANITIZER" thread_program)

add_test(NAME simt.sanitized_defects
  COMMAND ${TESSERA_PYTHON} -m pytest -q -rs -p no:cacheprovider
          "${CMAKE_CURRENT_SOURCE_DIR}/sanitizer_test.py")
set_tests_properties(simt.sanitized_defects PROPERTIES
  LABELS plain-only TIMEOUT 600
  ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1;TESSERA_ADDRESS_DEFECTS=${address_program};TESSERA_THREAD_DEFECTS=${thread_program}")
