// Starts the real tesserad, kills it, starts it again on the same port.
#ifndef TESSERA_TESTS_E2E_SERVER_PROGRAM_H_
#define TESSERA_TESTS_E2E_SERVER_PROGRAM_H_

#include <sys/types.h>

#include <string>
#include <vector>

namespace tessera {

// One tesserad at a time. The program is what TESSERA_SERVER names. Not thread-safe.
class ServerProgram {
 public:
  // `flags` are added to every start.
  explicit ServerProgram(std::vector<std::string> flags = {});
  ~ServerProgram();
  ServerProgram(const ServerProgram&) = delete;
  ServerProgram& operator=(const ServerProgram&) = delete;

  // Starts it and waits until it listens: on a free port the first time, on the same one later.
  // False, with a test failure, when it does not come up.
  bool Start();

  // Ends it without warning, as a crash would.
  void Kill();

  // Asks it to stop with SIGTERM and waits; returns its exit status, or -1 if a signal ended it.
  int Stop();

  // "127.0.0.1:port", once started.
  std::string address() const;

 private:
  bool WaitForPortFile();

  std::vector<std::string> flags_;
  std::string folder_;  // temporary; holds the port file
  int port_ = 0;        // 0: not known yet
  pid_t pid_ = -1;      // -1: not running
};

}  // namespace tessera

#endif  // TESSERA_TESTS_E2E_SERVER_PROGRAM_H_
