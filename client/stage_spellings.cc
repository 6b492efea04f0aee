#include "client/stage_spellings.h"

namespace tessera {
namespace {

constexpr StageSpelling kSpellings[] = {
    {"temperature", "temperature=T", "divides logits by T; 0 is greedy", 1},
    {"greedy", "greedy", "takes the largest logit, ties by lower id"},
    {"top_k", "top_k=K[:TIES]", "keeps the K largest logits; 0 is off", 1},
    {"top_p", "top_p=P[:joint][:BOUNDARY][:TIES][:partial]",
     "keeps the likeliest tokens that reach probability P together", 1},
    {"min_p", "min_p=M", "keeps tokens at least M times as likely as the likeliest", 1},
    {"typical_p", "typical_p=P[:BOUNDARY]",
     "keeps tokens whose surprisal is near the entropy, until they reach P", 1},
    {"top_a", "top_a=A", "keeps tokens of probability A * max^2 and more", 1},
    {"epsilon_cutoff", "epsilon_cutoff=E", "keeps tokens of probability E and more", 1},
    {"eta_cutoff", "eta_cutoff=E", "keeps tokens of min(E, sqrt(E) * exp(-entropy)) and more", 1},
    {"top_n_sigma", "top_n_sigma=N", "keeps logits at most N deviations below the largest", 1},
    {"tail_free", "tail_free=Z", "cuts the flat tail of sorted tokens; needs a top_k before it", 1},
    {"xtc", "xtc=PROBABILITY:THRESHOLD",
     "with PROBABILITY removes all but the last token of THRESHOLD and more", 2},
    {"dynamic_temperature", "dynamic_temperature=LOW:HIGH[:EXPONENT]",
     "a temperature from LOW to HIGH by how flat the law is", 2},
    {"smoothing", "smoothing=FACTOR[:CURVE]", "squares the distances to the largest logit", 1},
    {"mirostat_v1", "mirostat_v1=TAU:ETA",
     "keeps K tokens, steered so that surprisal nears TAU bits", 2},
    {"mirostat_v2", "mirostat_v2=TAU:ETA",
     "keeps tokens up to a surprisal, steered so that it nears TAU bits", 2},
    {"adaptive_p", "adaptive_p=TARGET:DECAY", "draws tokens whose probability is near TARGET", 2},
    {"draw_rule", "draw_rule=[ORDER][:GENERATOR]", "another way to draw from the same law"},
    {"repetition_penalty", "repetition_penalty=R[:SCOPE]",
     "divides positive logits of tokens seen by R, multiplies others", 1},
    {"frequency_penalty", "frequency_penalty=F[:SCOPE]", "subtracts F times a token's count", 1},
    {"presence_penalty", "presence_penalty=S[:SCOPE]", "subtracts S from the logits of tokens seen",
     1},
    {"dry", "dry=M[:BASE[:LENGTH[:LAST_N[:IDS]]]]",
     "subtracts M * BASE^(n - LENGTH) from what would repeat n tokens; IDS break", 1},
    {"no_repeat_ngram", "no_repeat_ngram=N[:SCOPE]", "bans what would repeat N tokens", 1},
    {"bad_words", "bad_words=IDS[:SCOPE]", "bans the last token of each word of IDS", 1},
    {"sequence_bias", "sequence_bias=IDS@BIAS[/...]",
     "adds BIAS to the last token of a sequence that stands begun", 1},
    {"watermark", "watermark=GAMMA:DELTA:KEY[:WIDTH]",
     "adds DELTA to a share GAMMA of tokens, chosen by KEY and the last ids", 3},
    {"guidance", "guidance=SCALE", "moves logits away from those of guidance_logits", 1},
    {"logit_bias", "logit_bias", "adds the row's own biases here"},
};

}  // namespace

absl::Span<const StageSpelling> StageSpellings() { return kSpellings; }

}  // namespace tessera
