// Adds the scalar executor with lists too short for most rows to the programs that judge executors.
#include "tests/support/backends.h"
#include "tests/support/short_lists.h"

namespace tessera::testing {
namespace {

[[maybe_unused]] const bool short_lists =
    AddExecutor({"short lists", "scalar, short lists", [] { return MakeShortListBackend(); }});
[[maybe_unused]] const bool wrong_guesses =
    AddExecutor({"wrong guesses", "scalar, short lists, wrong guesses",
                 [] { return MakeWrongGuessBackend(1); }});

}  // namespace
}  // namespace tessera::testing
