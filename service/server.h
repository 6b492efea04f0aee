// The running server: gRPC listeners, health, reflection, the admin port, and how it all stops.
#ifndef TESSERA_SERVICE_SERVER_H_
#define TESSERA_SERVICE_SERVER_H_

#include <grpcpp/grpcpp.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "service/admin_server.h"
#include "service/admission.h"
#include "service/backend_choice.h"
#include "service/options.h"
#include "service/sampling_service.h"
#include "service/watched_backend.h"

namespace tessera {

class Server {
 public:
  // Listens and is ready on return. Errors name the flag or the address at fault.
  static absl::StatusOr<std::unique_ptr<Server>> Start(const Options& options);

  // The same with a backend that is chosen already.
  static absl::StatusOr<std::unique_ptr<Server>> Start(const Options& options,
                                                       BackendChoice backend);

  // Ends at once if Drain was not called.
  ~Server();

  const std::vector<int>& ports() const {
    return ports_;
  }  // of TCP listeners, in order of --listen
  int admin_port() const { return admin_ != nullptr ? admin_->port() : 0; }  // 0: no admin port
  const BackendChoice& backend() const { return backend_; }

  // Stops gracefully and returns when nothing is left: not ready; serve on for drain_delay; refuse
  // new calls with UNAVAILABLE; wait up to shutdown_grace for those in flight; cancel the rest.
  // Call once.
  void Drain();

 private:
  Server(const Options& options, BackendChoice backend);
  absl::Status StartListening();
  void Become(bool listening);
  void Lose(const std::string& reason);
  void TellHealth() ABSL_EXCLUSIVE_LOCKS_REQUIRED(health_mutex_);

  const Options options_;
  BackendChoice backend_;
  WatchedBackend watched_;
  Admission admission_;
  std::mutex health_mutex_;
  bool listening_ ABSL_GUARDED_BY(health_mutex_) = false;  // and not draining
  bool lost_ ABSL_GUARDED_BY(health_mutex_) = false;       // for good
  SamplingService service_;
  std::vector<int> ports_;
  std::unique_ptr<grpc::Server> grpc_;
  std::unique_ptr<AdminServer> admin_;
};

}  // namespace tessera

#endif  // TESSERA_SERVICE_SERVER_H_
