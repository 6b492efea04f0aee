"""What sampling engines make of a row, worked out from their documented rules.

Independent of the service and of its presets: sorted, in fractions where a row's probabilities are
rational, else in binary64. tests/data/engine_oracles.json records some of it.
"""

from fractions import Fraction

import engine_cuts as cuts
from engine_row import ERROR, NOT_OFFERED, UNDEFINED

# How far p and m may lie from a prefix sum or a ratio for either side of it to be right.
SLACK = Fraction(1, 2**18)


def _sequential(row, t, count, nucleus, p):
    """The nucleus of what is left, renormalised, at temperature t."""
    return nucleus(row.law(t, count), row.y[:count], p) if p < 1 else count


def _min_p(row, t, count, m):
    return cuts.share_of_largest(row.law(t, count), m) if m > 0 else count


def _vllm(top_k, nucleus):
    def rule(row, t, k, p, m):
        if not 0 < p <= 1:
            return ERROR
        if t == 0:
            return row.greedy()
        t = max(t, Fraction(1, 100))
        count = top_k(row.y[:_min_p(row, t, len(row.y), m)], k)
        count = _sequential(row, t, count, nucleus, p)
        return row.kept(count, row.law(t, count))
    return rule


def _transformers(row, t, k, p, m):
    if t == 0:
        return ERROR
    count = _min_p(row, t, _sequential(row, t, cuts.with_ties(row.y, k), cuts.ascending, p), m)
    return row.kept(count, row.law(t, count))


def _llamacpp(row, t, k, p, m):
    """Temperature last: what it truncates is the law at temperature 1."""
    count = _min_p(row, 1, _sequential(row, 1, cuts.exactly(row.y, k), cuts.reaching, p), m)
    return row.greedy() if t <= 0 else row.kept(count, row.law(t, count))


def _sglang_flashinfer(row, t, k, p, m):
    if not 0 < p <= 1:
        return ERROR
    if t < 1e-6:
        return row.greedy()
    count = cuts.with_ties(row.y, k)
    if m > 0:
        count = _min_p(row, t, _sequential(row, t, count, cuts.whole_groups, p), m)
    else:
        count = min(count, _sequential(row, t, None, cuts.whole_groups, p) or count)
    return row.kept(count, row.law(t, count))


def _sglang_pytorch(row, t, k, p, m):
    if not 0 < p <= 1:
        return ERROR
    if t < 1e-6:
        return row.greedy()
    whole = row.law(t)
    count = cuts.exactly(row.y, k)
    if p < 1:
        count = min(count, cuts.exclusive(whole, row.y, p))
    if m > 0:
        count = min(count, cuts.share_of_largest(whole, m))
    return row.kept(count, row.law(t, count))


def _trtllm(nucleus):
    def rule(row, t, k, p, m):
        if m > 0:
            return NOT_OFFERED
        if k == 1 or p == 0 or t == 0:
            return row.greedy()
        t = max(t, Fraction(1, 10**5))
        count = _sequential(row, t, cuts.with_ties(row.y, k), nucleus, p)
        return row.kept(count, row.law(t, count))
    return rule


def _trtllm_cpp(row, t, k, p, m):
    if m > 0:
        return NOT_OFFERED
    if k == 0 and p == 0:
        return row.greedy()
    if t != 1:
        t = t + Fraction(1, 10**6)
    count = cuts.exactly(row.y, k)
    law = row.law(t, count)
    if 0 < p < 1:
        count = cuts.reaching(law, row.y, p)
        law = cuts.cut_to_fit(law, count, p)
    return row.kept(count, law)


def _tgi(row, t, k, p, m):
    if m > 0:
        return NOT_OFFERED
    if t <= 0 or p <= 0:
        return ERROR
    if k > row.columns:
        return UNDEFINED
    count = _sequential(row, t, cuts.with_ties(row.y, k), cuts.ascending, p)
    return row.kept(count, row.law(t, count))


def _mlc(nucleus):
    def rule(row, t, k, p, m):
        if k > 0 or m > 0:
            return NOT_OFFERED
        slack = Fraction(1, 10**5)
        if t <= slack or p == 0:
            return row.greedy()
        law = row.law(t)
        return row.kept(len(law), law) if p >= 1 - slack else nucleus(row, law, p)
    return rule


def _mlc_renormalised(row, law, p):
    kept = law[:cuts.whole_groups(law, row.y, p - Fraction(1, 10**5))]
    return row.kept(len(kept), [value / sum(kept) for value in kept])


def _mlc_shortcut(row, law, p):
    """u below p_0 / P takes the likeliest, before the rest is walked in order."""
    count = cuts.reaching(law, row.y, p)
    total, cut, start, odds = sum(law[:count]), min(1, law[0] / p), 0, []
    for value in law[:count]:
        end = start + value
        odds.append(max(0, end / total - max(start / total, cut)))
        start = end
    return row.kept(count, [odds[0] + cut, *odds[1:]])


def _exllamav2(row, t, k, p, m):
    """Without its top-p, which no prefix of the order is; 0 and 1 turn it off."""
    if t < 0.01:
        return row.greedy()
    count = cuts.exactly(row.y, k)
    if 0 < p < 1 and count > 1:
        return NOT_OFFERED
    if m < 1:
        count = _min_p(row, t, count, m)
    return row.kept(count, row.law(t, count))


def _exllamav3(row, t, k, p, m):
    if t == 0 or k == 1 or p == 0:
        return row.greedy()
    count = cuts.with_ties(row.y[:_min_p(row, t, len(row.y), m)], k)
    count = _sequential(row, t, count, cuts.groups_within, p)
    return row.kept(count, row.law(t, count))


RULES = {
    "vllm_torch": _vllm(cuts.with_ties, cuts.ascending),
    "vllm_triton": _vllm(cuts.exactly, cuts.trimmed_group),
    "vllm_flashinfer": _vllm(cuts.with_ties, cuts.whole_groups),
    "hf": _transformers,
    "llamacpp": _llamacpp,
    "sglang_flashinfer": _sglang_flashinfer,
    "sglang_pytorch": _sglang_pytorch,
    "trtllm_torch": _trtllm(cuts.exclusive),
    "trtllm_flashinfer": _trtllm(cuts.whole_groups),
    "trtllm_cpp": _trtllm_cpp,
    "tgi": _tgi,
    "mlc_cpu": _mlc(_mlc_shortcut),
    "mlc_renorm": _mlc(_mlc_renormalised),
    "exl2": _exllamav2,
    "exl3": _exllamav3,
}


def _nudged(value):
    """The value and its neighbours at the slack. 0 and 1 say more than their value: they stay."""
    return [value, value - SLACK, value + SLACK] if 0 < value < 1 else [value]


def alternatives(rule, row, parameters):
    """Every outcome with p and m within the slack; the first is that of the parameters."""
    found = []
    for p in _nudged(parameters.p):
        for m in _nudged(parameters.m):
            other = rule(row, *parameters._replace(p=p, m=m))
            if all(other.ids != known.ids for known in found):
                found.append(other)
    return found
