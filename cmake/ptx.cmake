# Compiles a .cu file to PTX text, for tests that execute it.
#
#   tessera_ptx(<target> SOURCE file.cu ARCHS 80 90 100 120)
#
# makes the custom target <target> and sets, where it is called, <target>_FILES: one
# <binary dir>/<target>_<arch>.ptx for each arch. Needs TESSERA_NVCC (cmake/nvcc.cmake).
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/nvcc.cmake)

# The numerics contract on a device: no contraction of a product and a sum into a fused operation.
set(TESSERA_NVCC_FLAGS -std=c++20 -fmad=false --expt-relaxed-constexpr -DNDEBUG
    CACHE STRING "How device code is compiled")

function(tessera_ptx target)
  cmake_parse_arguments(ARG "" "SOURCE" "ARCHS;FLAGS" ${ARGN})
  if(NOT TESSERA_NVCC)
    message(FATAL_ERROR "tessera_ptx(${target}): ${TESSERA_NVCC_REASON}")
  endif()
  cmake_path(ABSOLUTE_PATH ARG_SOURCE OUTPUT_VARIABLE source)
  set(includes "$<REMOVE_DUPLICATES:$<TARGET_PROPERTY:absl::span,INTERFACE_INCLUDE_DIRECTORIES>>")
  set(files "")
  foreach(arch IN LISTS ARG_ARCHS)
    set(file "${CMAKE_CURRENT_BINARY_DIR}/${target}_${arch}.ptx")
    add_custom_command(OUTPUT "${file}"
      COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${TESSERA_NVCC} ${TESSERA_NVCC_FLAGS} ${ARG_FLAGS}
              -ccbin ${CMAKE_CXX_COMPILER} -I${PROJECT_SOURCE_DIR}
              "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
              -arch=compute_${arch} -ptx -MD -MF "${file}.d" -MT "${file}" -o "${file}" "${source}"
      DEPENDS "${source}"
      DEPFILE "${file}.d"
      COMMENT "PTX of ${ARG_SOURCE} for compute_${arch}"
      COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND files "${file}")
  endforeach()
  add_custom_target(${target} DEPENDS ${files})
  set(${target}_FILES "${files}" PARENT_SCOPE)
endfunction()
