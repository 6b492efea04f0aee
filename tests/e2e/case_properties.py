"""Which check reads what a public bug case says in words.

A check takes the client and the case. Cases in ALONE have no expectations beside it that the
general checks could read.
"""

import case_laws
import case_randomness
import case_requests
import case_stages

CHECKS = {
    "top-p-07": case_laws.top_p_07,
    "top-k-01": case_laws.top_k_01,
    "top-k-02": case_laws.top_k_02,
    "top-k-10": case_laws.top_k_10,
    "top-k-13": case_laws.top_k_13,
    "nonfinite-01": case_requests.nonfinite_01,
    "nonfinite-02": case_requests.nonfinite_02,
    "nonfinite-04": case_randomness.ids_within(6),
    "masks-01": case_requests.masks_01,
    "masks-05": case_requests.masks_05,
    "idrange-05": case_requests.idrange_05,
    "idrange-07": case_laws.idrange_07,
    "pen-03": case_laws.pen_03,
    "bias-02": case_laws.bias_02,
    "trunc-04": case_stages.trunc_04,
    "trunc-06": case_stages.trunc_06,
    "miro-01": case_stages.miro_01,
    "rng-01": case_randomness.rng_01,
    "rng-02": case_randomness.rng_02,
    "rng-04": case_randomness.rng_04,
    "rng-06": case_randomness.rng_06,
    "prec-01": case_randomness.prec_01,
    "prec-03": case_randomness.prec_03,
    "seed-01": case_randomness.seed_01,
    "seed-02": case_randomness.seed_02,
    "seed-04": case_randomness.seed_04,
    "seed-05": case_randomness.seed_05,
    "seed-06": case_randomness.seed_06,
    "seed-08": case_randomness.seed_08,
    "batch-03": case_randomness.batch_03,
    "batch-04": case_randomness.batch_04,
    "shape-01": case_requests.shape_01,
    "shape-03": case_requests.shape_03,
    "logp-02": case_laws.logp_02,
    "logp-08": case_laws.logp_08,
    "logp-09": case_laws.logp_09,
    "valid-01": case_requests.valid_01,
    "trans-03": case_requests.trans_03,
    "trans-04": case_requests.trans_04,
    "trans-05": case_requests.trans_05,
}

ALONE = {"masks-01", "masks-05", "rng-04", "rng-06", "prec-01", "prec-03", "seed-01", "seed-02",
         "seed-04", "seed-05", "seed-06", "seed-08", "batch-03", "batch-04", "shape-01", "shape-03",
         "logp-08", "trunc-04", "trunc-06", "trans-03", "trans-04", "trans-05"}

# What their property says is what the general checks do: the same token for every seed, no NaN, no
# id outside a kept set, only -1 from a refused row, and a valid request after every case.
SAID_BY_CHECKS = {"top-p-06", "top-k-05", "temp-01", "temp-04", "temp-07", "empty-01", "empty-02",
                  "empty-03", "idrange-01", "idrange-02", "logp-03", "logp-05", "valid-02"}
