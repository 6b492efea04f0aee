// Waits for SIGTERM or SIGINT, and guards what follows.
#ifndef TESSERA_SERVICE_STOP_SIGNAL_H_
#define TESSERA_SERVICE_STOP_SIGNAL_H_

namespace tessera {

// Blocks the stop signals in the calling thread and all that it starts later. Call first in main.
void BlockStopSignals();

// Returns the signal that came. A second one, from then on, ends the process at once.
int WaitForStopSignal();

// Ends the process with status 1 and a message unless it has ended by itself within `seconds`.
void StartWatchdog(unsigned seconds);

}  // namespace tessera

#endif  // TESSERA_SERVICE_STOP_SIGNAL_H_
