// Every stage, in one list.
#ifndef TESSERA_KERNELS_STAGES_STAGES_H_
#define TESSERA_KERNELS_STAGES_STAGES_H_

#include <variant>

#include "kernels/stages/greedy.h"
#include "kernels/stages/logit_bias.h"
#include "kernels/stages/min_p.h"
#include "kernels/stages/penalties.h"
#include "kernels/stages/temperature.h"
#include "kernels/stages/top_k.h"
#include "kernels/stages/top_p.h"

namespace tessera {

using Stage = std::variant<LogitBias, RepetitionPenalty, FrequencyPenalty, PresencePenalty,
                           Temperature, Greedy, TopK, TopP, MinP>;

}  // namespace tessera

#endif  // TESSERA_KERNELS_STAGES_STAGES_H_
