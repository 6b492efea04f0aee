// A server whose device is lost: every watcher is told, every call is sent elsewhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "tests/service/http_get.h"
#include "tests/service/losable_backend.h"
#include "tests/service/requests.h"
#include "tests/service/server_fixture.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kServing[] = "\x08\x01";  // HealthCheckResponse.status
constexpr char kNotServing[] = "\x08\x02";

class LostDeviceTest : public ServerTest {
 protected:
  LostDeviceTest() {
    options_.admin_listen = "127.0.0.1:0";
    auto backend = std::make_unique<LosableBackend>();
    backend_ = backend.get();
    BackendChoice choice;
    choice.backend = std::move(backend);
    Start(std::move(choice));
  }

  std::string Health() {
    std::string answer;
    EXPECT_TRUE(CallRaw("/grpc.health.v1.Health/Check", "", &answer).ok());
    return answer;
  }
  std::string Probe(const std::string& path) { return HttpGet(server_->admin_port(), path); }

  LosableBackend* backend_;
};

TEST_F(LostDeviceTest, HealthAndProbesTurnForGoodWithTheFirstCallThatFindsOut) {
  ASSERT_TRUE(Sample(SmallRequest()).ok());
  EXPECT_EQ(Health(), kServing);
  EXPECT_THAT(Probe("/livez"), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(Probe("/readyz"), StartsWith("HTTP/1.1 200 "));

  backend_->lost = true;
  const grpc::Status status = Sample(SmallRequest());
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_THAT(status.error_message(),
              HasSubstr("backend losable: the device is lost (cudaErrorIllegalAddress)"));
  EXPECT_EQ(Health(), kNotServing);
  EXPECT_THAT(Probe("/readyz"), StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(Probe("/livez"), StartsWith("HTTP/1.1 503 ")) << "only a restart helps";

  backend_->lost = false;  // whatever the device says now
  EXPECT_EQ(Sample(SmallRequest()).error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(Health(), kNotServing);
  EXPECT_EQ(backend_->runs, 2);
  server_->Drain();
}

TEST_F(LostDeviceTest, MemoryThatRanOutIsTheCallsOwn) {
  backend_->full = true;
  EXPECT_EQ(Sample(SmallRequest()).error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(Health(), kServing);
  backend_->full = false;
  EXPECT_TRUE(Sample(SmallRequest()).ok());
}

}  // namespace
}  // namespace tessera
