# Finds nvcc, for what is compiled to device code. Sets
#
#   TESSERA_NVCC            path of nvcc, or empty
#   TESSERA_NVCC_REASON     one line: which nvcc was found and where, or where it was looked for
#   TESSERA_NVCC_VERSION    such as 13.0.88, or empty
#   TESSERA_CUDA_INCLUDE    folder of cuda_runtime_api.h, or empty
#   TESSERA_CUDART_STATIC   path of libcudart_static.a, or empty
#
# Looked at in this order: -DTESSERA_NVCC=..., $CUDA_PATH, $CUDA_HOME, PATH, /usr/local/cuda, what
# `scripts/setup cuda` installs, and the Python wheels nvidia-cuda-nvcc and nvidia-cuda-runtime of the
# python3 on PATH.
include_guard(GLOBAL)

# The folders in which wheels put a toolkit, of every site-packages that python3 has.
function(tessera_cuda_wheel_roots result)
  set(roots "")
  find_program(TESSERA_WHEEL_PYTHON NAMES python3 NO_CACHE)
  if(TESSERA_WHEEL_PYTHON)
    execute_process(
      COMMAND ${TESSERA_WHEEL_PYTHON} -c
              "import site, sys; print(';'.join(site.getsitepackages() + [site.getusersitepackages()]))"
      OUTPUT_VARIABLE folders OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    foreach(folder IN LISTS folders)
      file(GLOB found "${folder}/nvidia/cu[0-9]*" "${folder}/nvidia/cuda_nvcc"
                      "${folder}/nvidia/cuda_runtime")
      list(APPEND roots ${found})
    endforeach()
  endif()
  set(${result} "${roots}" PARENT_SCOPE)
endfunction()

tessera_cuda_wheel_roots(_tessera_wheels)
list(PREPEND _tessera_wheels "${PROJECT_SOURCE_DIR}/build/cuda-toolkit/toolkit")
set(_tessera_roots $ENV{CUDA_PATH} $ENV{CUDA_HOME})
find_program(TESSERA_NVCC nvcc PATHS ${_tessera_roots} PATH_SUFFIXES bin NO_DEFAULT_PATH)
find_program(TESSERA_NVCC nvcc)
find_program(TESSERA_NVCC nvcc PATHS /usr/local/cuda ${_tessera_wheels} PATH_SUFFIXES bin
             NO_DEFAULT_PATH)

set(TESSERA_NVCC_VERSION "")
set(TESSERA_CUDA_INCLUDE "")
set(TESSERA_CUDART_STATIC "")
if(TESSERA_NVCC)
  execute_process(COMMAND ${TESSERA_NVCC} --version RESULT_VARIABLE _tessera_exit
                  OUTPUT_VARIABLE _tessera_text ERROR_VARIABLE _tessera_text)
  if(_tessera_exit EQUAL 0 AND _tessera_text MATCHES "V([0-9]+\\.[0-9]+\\.[0-9]+)")
    set(TESSERA_NVCC_VERSION "${CMAKE_MATCH_1}")
    set(TESSERA_NVCC_REASON "nvcc ${TESSERA_NVCC_VERSION} at ${TESSERA_NVCC}")
  else()
    set(TESSERA_NVCC_REASON "${TESSERA_NVCC} --version fails")
    set(TESSERA_NVCC "")
  endif()
else()
  set(TESSERA_NVCC "")
  set(TESSERA_NVCC_REASON
      "no nvcc in $CUDA_PATH, $CUDA_HOME, PATH, /usr/local/cuda or the Python wheel nvidia-cuda-nvcc")
endif()

if(TESSERA_NVCC)
  # nvcc may be reached through a link or a script; the toolkit is where its real path lies.
  file(REAL_PATH "${TESSERA_NVCC}" _tessera_nvcc)
  cmake_path(GET _tessera_nvcc PARENT_PATH _tessera_bin)
  cmake_path(GET _tessera_bin PARENT_PATH _tessera_root)
  list(PREPEND _tessera_roots ${_tessera_root})
  list(APPEND _tessera_roots /usr/local/cuda ${_tessera_wheels})
  find_path(_tessera_include cuda_runtime_api.h PATHS ${_tessera_roots}
            PATH_SUFFIXES include targets/x86_64-linux/include NO_DEFAULT_PATH NO_CACHE)
  find_file(_tessera_cudart libcudart_static.a PATHS ${_tessera_roots}
            PATH_SUFFIXES lib64 lib targets/x86_64-linux/lib NO_DEFAULT_PATH NO_CACHE)
  if(_tessera_include)
    string(REGEX REPLACE "/$" "" TESSERA_CUDA_INCLUDE "${_tessera_include}")
  endif()
  if(_tessera_cudart)
    set(TESSERA_CUDART_STATIC "${_tessera_cudart}")
  endif()
endif()
message(STATUS "nvcc: ${TESSERA_NVCC_REASON}")
