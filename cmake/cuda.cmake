# Whether the CUDA backend is built, and how its kernels are compiled. Sets
#
#   TESSERA_HAS_CUDA            true where it is built
#   TESSERA_CUDA_REASON         one line: why it is, or why not and what would change that
#
# and the target tessera_cudart, the CUDA runtime, static, for the files that call it.
#
# nvcc runs by custom commands and not as CMake's language CUDA, because that language links a test
# program while configuring, which fails on the toolkit as Python wheels lay it out, and because a
# test reads what ptxas says of every kernel (docs/dependencies.md).
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/nvcc.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/ptx.cmake")

set(TESSERA_CUDA AUTO CACHE STRING "Build the CUDA backend: ON, OFF, or AUTO (where the toolkit is)")
set_property(CACHE TESSERA_CUDA PROPERTY STRINGS AUTO ON OFF)
# sm_86 and sm_89 run the code for sm_80, sm_103 that for sm_100, sm_121 that for sm_120; whatever
# has no code here gets it from the driver, out of the PTX. That is of the oldest with clusters.
set(TESSERA_CUDA_ARCHITECTURES 80 90 100 120 CACHE STRING
    "What the kernels are compiled for, as in sm_80; fewer compile sooner")
set(TESSERA_CUDA_PTX 90 CACHE STRING "The one of TESSERA_CUDA_ARCHITECTURES whose PTX is kept too")
# The first nvcc that knows sm_100 and sm_120.
set(TESSERA_NVCC_LEAST 12.8)

function(tessera_decide_cuda)
  set(found FALSE)
  if(NOT TESSERA_NVCC)
    set(reason "${TESSERA_NVCC_REASON}")
  elseif(TESSERA_NVCC_VERSION VERSION_LESS TESSERA_NVCC_LEAST)
    set(reason "${TESSERA_NVCC_REASON} is older than ${TESSERA_NVCC_LEAST}")
  elseif(NOT TESSERA_CUDA_INCLUDE)
    set(reason "no cuda_runtime_api.h beside ${TESSERA_NVCC}")
  elseif(NOT TESSERA_CUDART_STATIC)
    set(reason "no libcudart_static.a beside ${TESSERA_NVCC}")
  else()
    set(found TRUE)
    set(reason "${TESSERA_NVCC_REASON}")
  endif()
  if(TESSERA_CUDA STREQUAL "OFF")
    set(found FALSE)
    set(reason "TESSERA_CUDA is OFF")
  elseif(TESSERA_CUDA STREQUAL "ON" AND NOT found)
    message(FATAL_ERROR
      "TESSERA_CUDA is ON, but ${reason}. The CUDA backend needs nvcc ${TESSERA_NVCC_LEAST} or newer, "
      "the runtime's headers and libcudart_static.a: a CUDA Toolkit, or what `scripts/setup cuda` "
      "installs. Say where with -DTESSERA_NVCC=/path/to/bin/nvcc, or build without: AUTO or OFF.")
  elseif(NOT TESSERA_CUDA MATCHES "^(AUTO|ON)$")
    message(FATAL_ERROR "TESSERA_CUDA is '${TESSERA_CUDA}'; it must be AUTO, ON or OFF")
  endif()
  set(TESSERA_HAS_CUDA ${found} PARENT_SCOPE)
  set(TESSERA_CUDA_REASON "${reason}" PARENT_SCOPE)
endfunction()
tessera_decide_cuda()

if(NOT TESSERA_HAS_CUDA)
  message(STATUS "CUDA backend: not built: ${TESSERA_CUDA_REASON}")
  return()
endif()
message(STATUS "CUDA backend: built by ${TESSERA_CUDA_REASON} for ${TESSERA_CUDA_ARCHITECTURES}")

# It finds the driver while it runs, so the program starts where there is none.
add_library(tessera_cudart INTERFACE)
target_include_directories(tessera_cudart SYSTEM INTERFACE "${TESSERA_CUDA_INCLUDE}")
target_link_libraries(tessera_cudart INTERFACE "${TESSERA_CUDART_STATIC}" Threads::Threads
                                               ${CMAKE_DL_LIBS} rt)

# Compiles .cu files for every architecture, and keeps what ptxas reports of their kernels:
#
#   tessera_cuda_objects(<name> file.cu...)
#
# sets, where it is called, <name> to the object files and <name>_REPORTS to the reports. The
# architectures of a file are compiled one after the other (with nvcc's --threads, reports of several
# could mix). Warnings of the host's compiler are left to the emulator's build of the same sources;
# here it would meet what only nvcc understands.
function(tessera_cuda_objects name)
  set(codes "")
  foreach(arch IN LISTS TESSERA_CUDA_ARCHITECTURES)
    list(APPEND codes -gencode arch=compute_${arch},code=sm_${arch})
  endforeach()
  if(TESSERA_CUDA_PTX IN_LIST TESSERA_CUDA_ARCHITECTURES)
    list(APPEND codes -gencode arch=compute_${TESSERA_CUDA_PTX},code=compute_${TESSERA_CUDA_PTX})
  endif()
  set(includes "$<REMOVE_DUPLICATES:$<TARGET_PROPERTY:absl::span,INTERFACE_INCLUDE_DIRECTORIES>>")
  set(objects "")
  set(reports "")
  foreach(file IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH file OUTPUT_VARIABLE source)
    cmake_path(GET file FILENAME stem)
    set(object "${CMAKE_CURRENT_BINARY_DIR}/${stem}.o")
    set(report "${CMAKE_CURRENT_BINARY_DIR}/${stem}.resources")
    add_custom_command(OUTPUT "${object}" "${report}"
      COMMAND sh "${PROJECT_SOURCE_DIR}/cmake/keep_report.sh" "${report}"
              ${CMAKE_CXX_COMPILER_LAUNCHER} ${TESSERA_NVCC} ${TESSERA_NVCC_FLAGS}
              -ccbin ${CMAKE_CXX_COMPILER} -O2 -Werror all-warnings -Xptxas -v
              ${codes} -I${PROJECT_SOURCE_DIR}
              "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
              -MD -MF "${object}.d" -MT "${object}" -c "${source}" -o "${object}"
      DEPENDS "${source}" "${PROJECT_SOURCE_DIR}/cmake/keep_report.sh"
      DEPFILE "${object}.d"
      COMMENT "Building CUDA object ${stem}.o"
      COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND objects "${object}")
    list(APPEND reports "${report}")
  endforeach()
  set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  set(${name} "${objects}" PARENT_SCOPE)
  set(${name}_REPORTS "${reports}" PARENT_SCOPE)
endfunction()
