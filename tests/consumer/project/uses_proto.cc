// Builds a request with the installed messages.
#include <cstdio>

#include "tessera/v1/sampler_service.grpc.pb.h"

int main() {
  tessera::v1::SamplerChain chain;
  chain.add_stages()->mutable_temperature()->set_t(0.7);
  chain.add_stages()->mutable_top_p()->set_p(0.9);
  tessera::v1::SamplerChain read;
  if (!read.ParseFromString(chain.SerializeAsString())) return 1;
  std::printf("%d stages\n", read.stages_size());
}
