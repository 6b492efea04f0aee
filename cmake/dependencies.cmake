# Everything comes from the system: find_package only, no downloads. docs/dependencies.md says why
# each is here.
find_package(Threads REQUIRED)
find_package(absl REQUIRED)
find_package(hwy REQUIRED)
find_package(Protobuf REQUIRED)
find_package(gRPC REQUIRED)
if(TESSERA_BUILD_TESTS)
  find_package(GTest REQUIRED)
endif()
