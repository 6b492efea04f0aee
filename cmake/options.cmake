# How every target of this project is compiled. `tessera_options` carries the flags; linking it is
# what makes a target one of ours.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
endif()

add_library(tessera_options INTERFACE)
target_include_directories(tessera_options INTERFACE "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>")
target_compile_features(tessera_options INTERFACE cxx_std_20)
# The numerics contract needs IEEE semantics: no contraction, no fast-math (docs/numerics.md 3).
target_compile_options(tessera_options INTERFACE "$<BUILD_INTERFACE:-ffp-contract=off>")
# Our warnings are for our sources; a project that uses the installed package has its own.
target_compile_options(tessera_options INTERFACE "$<BUILD_INTERFACE:-Wall;-Wextra>")
if(TESSERA_WERROR)
  target_compile_options(tessera_options INTERFACE "$<BUILD_INTERFACE:-Werror;-Werror=switch>")
endif()

if(TESSERA_SANITIZE STREQUAL "address")
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
elseif(TESSERA_SANITIZE STREQUAL "thread")
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
elseif(TESSERA_SANITIZE)
  message(FATAL_ERROR "TESSERA_SANITIZE is '${TESSERA_SANITIZE}'; it must be address, thread or empty")
endif()

if(TESSERA_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "TESSERA_FUZZ needs clang's libFuzzer; the compiler is "
                        "${CMAKE_CXX_COMPILER_ID}. Use the preset fuzz.")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
