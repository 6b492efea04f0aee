#include "service/stop_signal.h"

#include <signal.h>
#include <unistd.h>

namespace tessera {
namespace {

sigset_t StopSignals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  return set;
}

void Bite(int) {
  constexpr char kMessage[] = "tesserad: did not stop in time; ending now\n";
  (void)!write(STDERR_FILENO, kMessage, sizeof(kMessage) - 1);
  _exit(1);
}

}  // namespace

void BlockStopSignals() {
  const sigset_t set = StopSignals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

int WaitForStopSignal() {
  const sigset_t set = StopSignals();
  int signal = 0;
  while (sigwait(&set, &signal) != 0) {
  }
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);  // in this thread: the next one kills
  return signal;
}

void StartWatchdog(unsigned seconds) {
  struct sigaction action {};
  action.sa_handler = Bite;
  sigaction(SIGALRM, &action, nullptr);
  alarm(seconds);
}

}  // namespace tessera
