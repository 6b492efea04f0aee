# Abseil and GoogleTest as static archives, for programs that run on machines without them. Looked for
# in TESSERA_STATIC_LIBRARIES, a folder with include/ and lib/ that `scripts/gpu-check --build` makes,
# and in the system. Where there are no archives, find_package takes what is there.
include_guard(GLOBAL)
set(TESSERA_STATIC_LIBRARIES "" CACHE PATH "Folder with include/ and lib/ of Abseil and GoogleTest")

find_path(TESSERA_ABSL_INCLUDE absl/status/statusor.h HINTS "${TESSERA_STATIC_LIBRARIES}/include")
find_library(TESSERA_ABSL_ARCHIVE libabsl_status.a HINTS "${TESSERA_STATIC_LIBRARIES}/lib")
if(TESSERA_ABSL_INCLUDE AND TESSERA_ABSL_ARCHIVE)
  cmake_path(GET TESSERA_ABSL_ARCHIVE PARENT_PATH folder)
  file(GLOB TESSERA_ABSL_ARCHIVES "${folder}/libabsl_*.a")
  # Flags and its parser are of no use here and need what others do not.
  list(FILTER TESSERA_ABSL_ARCHIVES EXCLUDE REGEX "absl_(flags|random)")
  add_library(tessera_absl INTERFACE)
  target_include_directories(tessera_absl SYSTEM INTERFACE "${TESSERA_ABSL_INCLUDE}")
  target_link_libraries(tessera_absl INTERFACE
    -Wl,--start-group ${TESSERA_ABSL_ARCHIVES} -Wl,--end-group Threads::Threads)
  foreach(part IN ITEMS status statusor strings str_format span core_headers)
    add_library(absl::${part} ALIAS tessera_absl)
  endforeach()
else()
  find_package(absl REQUIRED)
endif()

find_path(TESSERA_GTEST_INCLUDE gtest/gtest.h HINTS "${TESSERA_STATIC_LIBRARIES}/include")
find_library(TESSERA_GTEST_ARCHIVE libgtest.a HINTS "${TESSERA_STATIC_LIBRARIES}/lib")
find_library(TESSERA_GTEST_MAIN libgtest_main.a HINTS "${TESSERA_STATIC_LIBRARIES}/lib")
if(TESSERA_GTEST_INCLUDE AND TESSERA_GTEST_ARCHIVE AND TESSERA_GTEST_MAIN)
  add_library(tessera_gtest INTERFACE)
  target_include_directories(tessera_gtest SYSTEM INTERFACE "${TESSERA_GTEST_INCLUDE}")
  target_link_libraries(tessera_gtest INTERFACE "${TESSERA_GTEST_ARCHIVE}" Threads::Threads)
  add_library(tessera_gtest_main INTERFACE)
  target_link_libraries(tessera_gtest_main INTERFACE "${TESSERA_GTEST_MAIN}" tessera_gtest)
  add_library(GTest::gtest ALIAS tessera_gtest)
  add_library(GTest::gtest_main ALIAS tessera_gtest_main)
else()
  find_package(GTest REQUIRED)
endif()
