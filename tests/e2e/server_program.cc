#include "tests/e2e/server_program.h"

#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"

extern char** environ;

namespace tessera {
namespace {

constexpr absl::Duration kPatience = absl::Seconds(60);

}  // namespace

ServerProgram::ServerProgram(std::vector<std::string> flags) : flags_(std::move(flags)) {
  std::string folder = ::testing::TempDir() + "/tessera-e2e-XXXXXX";
  if (mkdtemp(folder.data()) != nullptr) folder_ = folder;
}

ServerProgram::~ServerProgram() {
  Kill();
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

bool ServerProgram::Start() {
  const char* program = getenv("TESSERA_SERVER");
  if (program == nullptr) {
    ADD_FAILURE() << "TESSERA_SERVER is not set; it must name tesserad (ctest sets it)";
    return false;
  }
  std::filesystem::remove(folder_ + "/ports");
  std::vector<std::string> words = {program, "--listen", absl::StrCat("127.0.0.1:", port_),
                                    "--port-file", folder_ + "/ports"};
  words.insert(words.end(), flags_.begin(), flags_.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  if (posix_spawn(&pid_, program, nullptr, nullptr, arguments.data(), environ) != 0) {
    pid_ = -1;
    ADD_FAILURE() << "cannot start " << program;
    return false;
  }
  return WaitForPortFile();
}

bool ServerProgram::WaitForPortFile() {
  const absl::Time deadline = absl::Now() + kPatience;
  while (absl::Now() < deadline) {
    std::ifstream file(folder_ + "/ports");
    if (file >> port_) return true;
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) == pid_) {
      pid_ = -1;
      ADD_FAILURE() << "tesserad ended with wait status " << status;
      return false;
    }
    absl::SleepFor(absl::Milliseconds(10));
  }
  ADD_FAILURE() << "tesserad wrote no port file in " << kPatience;
  return false;
}

void ServerProgram::Kill() {
  if (pid_ < 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

int ServerProgram::Stop() {
  int status = -1;
  kill(pid_, SIGTERM);
  waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string ServerProgram::address() const { return absl::StrCat("127.0.0.1:", port_); }

}  // namespace tessera
