"""VerifyDrafts: what it accepts and draws, against the rules in plain Python.

The laws are those that SampleTokens returns for the same rows, so what is judged here is the
decision: the tree, the coins, the residuals, which row stands at which position.
"""

import math
import random

import numpy as np
import pytest

import answers
import api
import verification_oracle as oracle
import verifications as v

SIZE = 40
CHAINS = [api.chain(temperature=0.8, top_p=0.9), api.chain(temperature=1.3, top_k=12)]
GRAMMAR_ROWS = [0xFFFFFFFF] * 2


def logits(rows, seed):
    return np.random.default_rng(seed).normal(0, 2, (rows, SIZE)).astype(np.float32)


def plain_laws(client, matrix, chain, **fields):
    rows = [api.row(chain=chain, logits_row=i, **fields) for i in range(len(matrix))]
    return v.laws(client, matrix, rows, CHAINS)


class Case:
    """Random target and draft rows of one sequence, and drafts from the draft's laws."""

    def __init__(self, client, number, parents):
        self.parents = parents
        self.seed = 1000 + number
        nodes = len(parents)
        self.expanded = sorted({parent + 1 for parent in parents})
        self.target_logits = logits(nodes + 1, number)
        near = self.target_logits[self.expanded] if nodes else np.zeros((0, SIZE), np.float32)
        self.draft_logits = (near + logits(len(near), number + 500) / 3).astype(np.float32)
        self.p = [v.dense(law, SIZE) for law in plain_laws(client, self.target_logits, 0)]
        self.listed = plain_laws(client, self.draft_logits, 1) if nodes else []
        self.q = {position: v.dense(law, SIZE)
                  for position, law in zip(self.expanded, self.listed)}

    def drafts(self, without_replacement=False):
        """Ids as a sampled drafter would give them."""
        choose, ids = random.Random(self.seed), []
        for node, parent in enumerate(self.parents):
            weights = list(self.q[parent + 1])
            if without_replacement:
                for sibling in range(node):
                    if self.parents[sibling] == parent:
                        weights[ids[sibling]] = 0
            ids += choose.choices(range(SIZE), weights)
        return ids

    def sequence(self, ids, law, method, **fields):
        return v.sequence(ids, law, method, self.parents, target={"seed": self.seed,
                                                                   "position": 7}, **fields)

    def words(self):
        return oracle.Words(self.seed, 7)


def batch(cases, sequences, with_drafts):
    """One request of many sequences; with draft logits, first_row counts on."""
    first = 0
    for case, sequence in zip(cases, sequences):
        if with_drafts and sequence.HasField("draft_logits"):
            sequence.draft_logits.first_row = first
            first += len(case.draft_logits)
    draft = np.concatenate([case.draft_logits for case in cases]) if with_drafts else None
    return v.request(np.concatenate([case.target_logits for case in cases]), sequences, CHAINS,
                     draft)


LOGITS = {"draft_logits": {"chain": 1}}
CHAIN_SHAPES = [list(range(-1, gamma - 1)) for gamma in (0, 1, 2, 4)]
TREE_SHAPES = [[-1, -1], [-1, 0, -1, 2, 2], [-1, -1, -1, 0, 0, 1, 4], [-1, 0, 1, 1, -1, 4]]


@pytest.fixture(scope="module")
def chains(client):
    return [Case(client, i, CHAIN_SHAPES[i % 4]) for i in range(120)]


@pytest.fixture(scope="module")
def trees(client):
    return [Case(client, 300 + i, TREE_SHAPES[i % 4]) for i in range(120)]


def check(client, cases, drafts, law, method, decide, **fields):
    """The service's results and `decide(case, ids)`; how many drafts were accepted and not."""
    with_drafts = law == "logits"
    sequences = []
    for case, ids in zip(cases, drafts):
        one = {"logits": LOGITS, "one_hot": {"one_hot": {}}, "sparse": v.sparse(case.listed)}[law]
        sequences.append(case.sequence(ids, one, method, **fields))
    results = v.emitted(client, batch(cases, sequences, with_drafts))
    for case, ids, result in zip(cases, drafts, results):
        tokens, accepted = decide(case, ids)
        assert (result.tokens, result.accepted) == (tokens, accepted)
        assert result.seed == case.seed and result.impossible == 0 and result.lossless
    accepted = sum(len(result.accepted) for result in results)
    assert 0 < accepted < sum(map(len, drafts)), "both accepted and rejected drafts"


@pytest.mark.parametrize("law", ["logits", "sparse", "one_hot"])
@pytest.mark.parametrize("method, rule", [(v.TOKEN, oracle.token), (v.BLOCK, oracle.block)])
def test_chains(client, chains, law, method, rule):
    def decide(case, ids):
        return rule(case.p, None if law == "one_hot" else case.q, ids, case.words())

    check(client, chains, [case.drafts() for case in chains], law, method, decide)


@pytest.mark.parametrize("law", ["logits", "sparse", "one_hot"])
@pytest.mark.parametrize("without", [False, True])
def test_trees(client, trees, law, without):
    def decide(case, ids):
        return oracle.tree(case.p, None if law == "one_hot" else case.q, ids, case.parents,
                           case.words(), without)

    drafts = [case.drafts(without or law == "one_hot") for case in trees]
    check(client, trees, drafts, law, v.TREE, decide, without_replacement=without)


def test_target_only_trees(client, trees):
    def decide(case, ids):
        return oracle.target_only(case.p, ids, case.parents, case.words())

    check(client, trees, [case.drafts() for case in trees], "one_hot", v.TARGET_ONLY, decide)


def test_traversal_of_a_chain_is_block(client, chains):
    some = [case for case in chains if case.parents]
    drafts = [case.drafts() for case in some]
    both = []
    for method in (v.BLOCK, v.TRAVERSAL):
        sequences = [case.sequence(ids, LOGITS, method) for case, ids in zip(some, drafts)]
        results = v.emitted(client, batch(some, sequences, True))
        both.append([len(result.accepted) for result in results])
    assert both[0] == both[1]


def test_traversal_of_trees_emits_paths(client, trees):
    drafts = [case.drafts() for case in trees]
    sequences = [case.sequence(ids, LOGITS, v.TRAVERSAL) for case, ids in zip(trees, drafts)]
    for case, ids, result in zip(trees, drafts,
                                 v.emitted(client, batch(trees, sequences, True))):
        assert result.tokens[:-1] == [ids[node] for node in result.accepted]
        assert [case.parents[node] for node in result.accepted] == [-1, *result.accepted][
            :len(result.accepted)]
        last = result.accepted[-1] + 1 if result.accepted else 0
        assert case.p[last][result.tokens[-1]] > 0


def test_typical_takes_what_is_likely_enough_and_says_that_it_is_lossy(client, chains):
    epsilon, alpha = 0.2, 0.4
    drafts = [case.drafts() for case in chains]
    sequences = [case.sequence(ids, LOGITS, v.TYPICAL, typical_epsilon=epsilon,
                               typical_alpha=alpha) for case, ids in zip(chains, drafts)]
    results = v.emitted(client, batch(chains, sequences, True))
    for case, ids, result in zip(chains, drafts, results):
        fine = 0
        for node, x in enumerate(ids):
            p = [weight / sum(case.p[node]) for weight in case.p[node]]
            entropy = -sum(one * math.log(one) for one in p if one > 0)
            if p[x] <= min(epsilon, alpha * math.exp(-entropy)):
                break
            fine += 1
        assert result.accepted == list(range(fine)) and result.tokens[:-1] == ids[:fine]
        assert not result.lossless


def test_a_greedy_target_emits_its_argmaxes(client):
    matrix = logits(5, 77)
    best = [int(x) for x in matrix.argmax(axis=1)]
    rows = [best[:4], best[:2] + [(best[2] + 1) % SIZE, 0], [(best[0] + 1) % SIZE, 0, 0, 0]]
    for method in (v.TOKEN, v.BLOCK, v.TREE, v.TRAVERSAL, v.TARGET_ONLY):
        sequences = [v.sequence(ids, method=method) for ids in rows]
        results = v.emitted(client, v.request(np.tile(matrix, (3, 1)), sequences,
                                              [api.chain(greedy=True)]))
        assert [result.tokens for result in results] == [best, best[:3], best[:1]]


def test_a_draft_outside_the_vocabulary_ends_the_list(client):
    case = Case(client, 900, [-1, 0, 1, 2])
    for end in (-1, SIZE, -7, 2**31 - 1):
        ids = [*case.drafts()[:2], end, 3]
        law = v.sparse(case.listed[:2])
        message = v.request(case.target_logits, [case.sequence(ids, law, v.TOKEN)], CHAINS)
        result, = v.emitted(client, message)
        expected = oracle.token(case.p, case.q, ids[:2], case.words())
        assert (result.tokens, result.accepted) == expected


def test_in_a_tree_it_ends_the_nodes_after_it_too(client):
    case = Case(client, 901, [-1, -1, 0, 1])
    ids = case.drafts()
    cut = [ids[0], -1, ids[2], ids[3]]
    message = v.request(case.target_logits, [case.sequence(cut, {"one_hot": {}}, v.TREE)], CHAINS)
    result, = v.emitted(client, message)
    assert (result.tokens, result.accepted) == oracle.tree(case.p, None, ids[:1], [-1],
                                                           case.words())


def test_a_draft_that_its_law_cannot_give_is_rejected_and_counted(client):
    """q(x) = 0: outside a sparse law, and outside the draft's own support."""
    for seed in range(20):
        case = Case(client, 910 + seed, [-1, 0])
        ids = case.drafts()
        ids[1] = case.q[1].index(0)
        for law in (LOGITS, v.sparse(case.listed)):
            message = batch([case], [case.sequence(ids, law, v.TOKEN)], law is LOGITS)
            result, = v.emitted(client, message)
            assert result.impossible == 1
            assert result.accepted in ([], [0])
            assert (result.tokens, result.accepted) == oracle.token(case.p, case.q, ids,
                                                                    case.words())


def test_acceptance_probabilities_are_those_of_the_tests(client, chains):
    some = [case for case in chains if case.parents]
    drafts = [case.drafts() for case in some]
    sequences = [case.sequence(ids, LOGITS, v.TOKEN) for case, ids in zip(some, drafts)]
    for case, ids, result in zip(some, drafts, v.emitted(client, batch(some, sequences, True))):
        tested = len(result.accepted) + (len(result.accepted) < len(ids))
        expected = [min(1, oracle.norm(case.p[i])[ids[i]] / oracle.norm(case.q[i])[ids[i]])
                    for i in range(tested)]
        np.testing.assert_allclose(result.chances, [float(x) for x in expected], rtol=1e-6)


def test_probabilities_are_laws_too(client):
    """rint(q * 2^44), which weighs a law exactly where q has few bits."""
    case = Case(client, 920, [-1, 0])
    ids, halves = [3, 5], [([3, 5, 9], [0.5, 0.25, 0.25])] * 2
    q = [v.dense(law, SIZE) for law in halves]
    whole = [([3, 5, 9], [2**43, 2**42, 2**42])] * 2
    by_weight = v.sparse(whole)
    by_probability = {"sparse": {"offsets": [0, 3, 6], "ids": [3, 5, 9] * 2,
                                 "probabilities": [0.5, 0.25, 0.25] * 2}}
    for law in (by_weight, by_probability):
        message = v.request(case.target_logits, [case.sequence(ids, law, v.TOKEN)], CHAINS)
        result, = v.emitted(client, message)
        assert (result.tokens, result.accepted) == oracle.token(
            case.p, [v.dense(law, SIZE) for law in whole], ids, case.words())
    assert q[0][3] == 0.5


# What stands at a position: history, grammar, minimum length, logprobs.

PENALIZED = api.chain(repetition_penalty=1.6, frequency_penalty=1.5, presence_penalty=0.7,
                      temperature=0.9)
HISTORIES = {
    "ids": {"prompt_ids": [1, 2, 3, -1], "output_ids": [4, 4, 5]},
    "counts": {"counts": [{"id": 1, "prompt_count": 1}, {"id": 4, "output_count": 2}]},
    "none": {},
}


def extended(history, path):
    """The history with the drafts of a path as output."""
    if "counts" not in history:
        return {**history, "output_ids": [*history.get("output_ids", []), *path]}
    counts = {entry["id"]: dict(entry) for entry in history["counts"]}
    for token in path:
        entry = counts.setdefault(token, {"id": token})
        entry["output_count"] = entry.get("output_count", 0) + 1
    return {"counts": list(counts.values())}


def path_to(position, ids, parents):
    path, node = [], position - 1
    while node >= 0:
        path, node = [ids[node], *path], parents[node]
    return path


@pytest.mark.parametrize("history", HISTORIES.values(), ids=HISTORIES)
@pytest.mark.parametrize("chain", [
    PENALIZED,
    api.chain_pb2.SamplerChain(stages=[api.stage("no_repeat_ngram", n=1)]),
    api.chain_pb2.SamplerChain(stages=[api.stage("dry", multiplier=3.0, base=1.75,
                                                 allowed_length=1)]),
], ids=["penalties", "no_repeat_ngram", "dry"])
def test_a_position_sees_the_drafts_before_it(client, chain, history):
    ordered = chain != PENALIZED
    if ordered and "counts" in history:
        pytest.skip("a stage that looks for sequences needs ids")
    parents, differ = [-1, 0, 1, 0, -1], 0
    for seed in range(12):
        matrix = logits(6, 2000 + seed)
        ids = random.Random(seed).sample(range(SIZE), 5)
        ids[2] = ids[0]  # a token that comes again
        target = {"seed": seed, **({"history": history} if history else {})}
        message = v.request(matrix, [v.sequence(ids, method=v.TREE, parents=parents,
                                                target=target)], [chain])
        result, = v.emitted(client, message)
        rows = [api.row(logits_row=i, history=extended(history, path_to(i, ids, parents)))
                for i in range(6)]
        p = [v.dense(law, SIZE) for law in v.laws(client, matrix, rows, [chain])]
        assert (result.tokens, result.accepted) == oracle.tree(p, None, ids, parents,
                                                               oracle.Words(seed))
        blind = [api.row(logits_row=i, history=history) for i in range(6)]
        differ += p != [v.dense(law, SIZE) for law in v.laws(client, matrix, blind, [chain])]
    assert differ, "laws that would be the same without the drafts show nothing"


def test_the_drafters_penalties_see_them_too(client):
    parents, ids = [-1, 0, 1], [6, 6, 6]
    for seed in range(20):
        matrix = logits(4, 3000 + seed)
        matrix[:, 6] += 4
        draft = (matrix[:3] + logits(3, 3500 + seed) / 3).astype(np.float32)
        law = {"draft_logits": {"chain": 0}}
        target = {"seed": seed, "history": HISTORIES["ids"]}
        message = v.request(matrix, [v.sequence(ids, law, target=target)], [PENALIZED], draft)
        result, = v.emitted(client, message)

        def seen(rows):
            return [v.dense(one, SIZE) for one in v.laws(client, rows, [
                api.row(logits_row=i,
                        history=extended(HISTORIES["ids"], path_to(i, ids, parents)))
                for i in range(len(rows))], [PENALIZED])]

        expected = oracle.token(seen(matrix), seen(draft), ids, oracle.Words(seed))
        assert (result.tokens, result.accepted) == expected


def test_min_tokens_counts_the_drafts(client):
    """Stop id 0 towers above all; two tokens are there, four are the least."""
    matrix = np.zeros((4, SIZE), np.float32)
    matrix[:, 0], matrix[:, 1] = 50, 40
    for extra in ({"history": {"output_ids": [9, 9]}}, {"output_length": 2}):
        target = {"stop_ids": [0], "min_tokens": 4, **extra}
        result, = v.emitted(client, v.request(matrix, [v.sequence([1, 1, 0], target=target)],
                                              [api.chain(greedy=True)]))
        assert result.tokens == [1, 1, 0, 0], "held back twice, then free"


def test_each_position_has_its_row_of_the_grammar(client):
    matrix = np.zeros((4, 64), np.float32)
    words = np.zeros((5, 2), np.uint32)
    for row, token in enumerate([40, 7, 63, 0, 12]):
        words[row, token // 32] = 1 << token % 32
    message = v.request(matrix, [v.sequence([7, 63, 5], grammar_rows=[1, 2, 4, 3])],
                        grammar=api.tensor(words, "uint32"))
    result, = v.emitted(client, message)
    assert result.tokens == [7, 63, 12] and result.accepted == [0, 1]


MODES = (api.RAW, api.RAW_MASKED, api.TEMPERED, api.PROCESSED)


def test_logprobs_are_those_of_sampletokens(client):
    """Every mode of every emitted token, ranks, top lists and entropies, of two sequences."""
    matrix, parents = logits(8, 4000), [-1, 0, 1]
    wanted = api.logprobs(*MODES, top_n=3, entropy=MODES)
    drafts = [[int(x) for x in matrix[i:i + 3].argmax(axis=1)] for i in (0, 4)]
    histories = [{"output_ids": [5]}, {"prompt_ids": [8, 9]}]
    sequences = [v.sequence(ids, target={"seed": seed, "history": history, "logprobs": wanted})
                 for seed, (ids, history) in enumerate(zip(drafts, histories))]
    response = v.verify(client, v.request(matrix, sequences, [PENALIZED]))
    results = v.read(response)
    assert any(result.accepted for result in results), "more than the first token"
    rows, owners = [], []
    for number, (result, ids, history) in enumerate(zip(results, drafts, histories)):
        for i, token in enumerate(result.tokens):
            rows.append(api.row(logits_row=4 * number + i, samples=0, score_ids=[token],
                                logprobs=wanted,
                                history=extended(history, path_to(i, ids, parents))))
            owners.append(number)
    expected = client.sample(api.request(matrix, rows, [PENALIZED]))
    assert [mode.mode for mode in response.logprobs] == list(MODES)
    for ours, theirs in zip(response.logprobs, expected.logprobs):
        assert list(ours.rows) == owners
        assert ours.sampled_logprobs == theirs.scored_logprobs
        assert ours.sampled_ranks == theirs.scored_ranks
        assert list(ours.sampled_offsets) == list(range(len(rows) + 1))
        assert ours.top_ids == theirs.top_ids and ours.top_logprobs == theirs.top_logprobs
        assert ours.entropies == theirs.entropies


@pytest.mark.parametrize("value, words", [(np.nan, "NaN"), (np.inf, "inf")])
@pytest.mark.parametrize("where", ["target", "last target", "draft"])
def test_a_bad_row_fails_its_sequence_alone(client, chains, value, words, where):
    some = [case for case in chains if len(case.parents) == 4][:3]
    sequences = [case.sequence(case.drafts(), LOGITS, v.BLOCK) for case in some]
    message = batch(some, sequences, True)
    good = v.emitted(client, message)
    target = np.concatenate([case.target_logits for case in some])
    draft = np.concatenate([case.draft_logits for case in some])
    if where == "draft":
        draft[4 + 3, 17] = value
    else:
        target[5 + (4 if where == "last target" else 1), 17] = value
    results = v.read(v.verify(client, v.request(target, sequences, CHAINS, draft)))
    assert [results[0], results[2]] == [good[0], good[2]]
    assert results[1].outcome == api.INVALID_LOGITS
    assert "id 17" in results[1].error and words in results[1].error
    assert results[1].tokens == [] and results[1].accepted == []


def test_masks_that_leave_nothing_fail_the_sequence_alone(client):
    matrix = np.zeros((4, SIZE), np.float32)
    sequences = [v.sequence([1], target={"allowed": {"ids": []}}), v.sequence([1])]
    first, second = v.read(v.verify(client, v.request(matrix, sequences)))
    assert first.outcome == api.EMPTY_SUPPORT and first.error
    assert second.outcome == api.OK


def test_return_law_is_the_processed_law(client):
    matrix = logits(3, 5000)
    rows = [api.row(logits_row=i) for i in range(3)]
    for law, row in zip(v.laws(client, matrix, rows, CHAINS), range(3)):
        logprob, support = answers.laws(client, matrix[row], CHAINS[0], {})
        assert law[0] == [int(x) for x in np.flatnonzero(np.isfinite(logprob))]
        assert len(law[0]) == support and all(0 < weight <= 2**44 for weight in law[1])
        np.testing.assert_allclose(np.log(np.array(law[1]) / sum(law[1])),
                                   logprob[law[0]], rtol=1e-5, atol=1e-6)


def test_a_law_of_more_ids_than_asked_for_fails_its_row_alone(client):
    matrix = np.zeros((2, SIZE), np.float32)
    rows = [api.row(logits_row=0, seed=1, return_law={"max_ids": SIZE - 1}),
            api.row(logits_row=1, seed=1, return_law={"max_ids": SIZE})]
    response = client.sample(api.request(matrix, rows))
    first, second = answers.read(response)
    assert first.outcome == v.LAW_TOO_LARGE and first.tokens == [-1]
    assert str(SIZE) in first.error and str(SIZE - 1) in first.error
    assert second.outcome == api.OK and list(response.laws.rows) == [1]
    assert list(response.laws.ids) == list(range(SIZE))


def test_sequences_without_a_seed_get_one_that_repeats_their_tokens(client):
    matrix = np.zeros((20, SIZE), np.float32)
    sequences = [v.sequence([1, 2, 3, 4]) for _ in range(4)]
    for sequence in sequences:
        sequence.target.ClearField("seed")
    results = v.emitted(client, v.request(matrix, sequences))
    assert len({result.seed for result in results}) == 4
    for sequence, result in zip(sequences, results):
        sequence.target.seed = result.seed
    assert v.emitted(client, v.request(matrix, sequences)) == results


def test_no_sequences_is_ok(client):
    assert v.read(v.verify(client, v.verification_pb2.VerifyDraftsRequest())) == []
