# What a user installs: the libraries as the CMake package `tessera` (tessera::kernels,
# tessera::proto, tessera::client), the .proto files for other languages, and the programs
# (component `programs`).
include(CMakePackageConfigHelpers)

set(TESSERA_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/tessera")
# kernels/ and client/ headers lie in <prefix>/include/tessera, which is where their own includes
# start; generated ones are included as tessera/v1/..., from <prefix>/include.
set(TESSERA_HEADER_DIR "${CMAKE_INSTALL_INCLUDEDIR}/tessera")
target_include_directories(tessera_options INTERFACE "$<INSTALL_INTERFACE:${TESSERA_HEADER_DIR}>")

set_target_properties(tessera_options PROPERTIES EXPORT_NAME options)
set_target_properties(tessera_kernels PROPERTIES EXPORT_NAME kernels)
set_target_properties(tessera_proto PROPERTIES EXPORT_NAME proto)
set_target_properties(tessera_client PROPERTIES EXPORT_NAME client)
install(TARGETS tessera_options tessera_kernels tessera_proto tessera_client EXPORT tesseraTargets
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT libraries)
install(EXPORT tesseraTargets NAMESPACE tessera:: DESTINATION "${TESSERA_PACKAGE_DIR}"
        COMPONENT libraries)

# The API of the kernels: chains, plans and backends; what is below them is not installed.
install(FILES kernels/backend.h kernels/chain.h kernels/drawn_law.h kernels/plan.h
  kernels/residual_input.h kernels/row_input.h kernels/row_result.h kernels/steps.h kernels/types.h
        DESTINATION "${TESSERA_HEADER_DIR}/kernels" COMPONENT libraries)
install(FILES kernels/verification/decision.h kernels/verification/verdict.h
  kernels/verification/verify_drafts.h
        DESTINATION "${TESSERA_HEADER_DIR}/kernels/verification" COMPONENT libraries)
install(DIRECTORY kernels/math kernels/stages DESTINATION "${TESSERA_HEADER_DIR}/kernels" COMPONENT libraries
        FILES_MATCHING PATTERN "*.h")
install(DIRECTORY client DESTINATION "${TESSERA_HEADER_DIR}" COMPONENT libraries
        FILES_MATCHING PATTERN "*.h" PATTERN "cli" EXCLUDE)
install(DIRECTORY "${PROJECT_BINARY_DIR}/proto/generated/tessera"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT libraries
        FILES_MATCHING PATTERN "*.h")
install(DIRECTORY proto/tessera DESTINATION "${CMAKE_INSTALL_DATADIR}/tessera/proto"
        COMPONENT libraries FILES_MATCHING PATTERN "*.proto")

configure_package_config_file(
  cmake/tesseraConfig.cmake.in "${PROJECT_BINARY_DIR}/tesseraConfig.cmake"
  INSTALL_DESTINATION "${TESSERA_PACKAGE_DIR}")
# Before 1.0 a minor version may change the API.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/tesseraConfig.cmake"
              "${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake"
        DESTINATION "${TESSERA_PACKAGE_DIR}" COMPONENT libraries)

install(TARGETS tesserad tessera RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT programs)
