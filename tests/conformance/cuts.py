"""Compares what a preset keeps of a chunk of rows with what the engine's own code keeps."""

import compare
import ours


def compare_draws(tally, case, rows, parameters, seeds, answers):
    """Tokens for the same seed: ties may stand in another order, so logits are compared."""
    theirs = case.tokens(rows.logits, parameters, seeds)
    for row, (token, answer) in enumerate(zip(theirs, answers)):
        tally.draws += 1
        tally.same_draws += int(rows.logits[row][token] == rows.logits[row][answer.tokens[0]])


def compare_chunk(tally, case, rows, orders, rng):
    count, width = rows.logits.shape
    parameters = case.draw(rng, width)
    kept, probabilities = case.law(rows.logits.copy(), parameters)
    ids = [ours.ids_to_score(rng, orders[row], kept[row]) for row in range(count)]
    seeds = rng.integers(1, 1 << 31, count)
    chain = ours.chain_of(case.preset, case.asked(parameters))
    answers = rows.ask(chain, ids, seeds, position=0)
    stages = case.stages(parameters)
    for row, answer in enumerate(answers):
        if answer.error:
            raise RuntimeError(f"{case.preset} {parameters}: {answer.error}")
        far = compare.compare_row(tally, case, rows, row, orders[row], kept[row],
                                  probabilities[row], ids[row], answer, stages,
                                  lambda: rows.law(chain, row, seeds[row]))
        if far is not None:
            yield (f"{case.preset} ({case.label}) row {row}: sets differ {far:.2e} from every "
                   f"boundary; theirs {kept[row].sum()}, ours {answer.support_size}; {parameters}")
    if case.tokens:
        compare_draws(tally, case, rows, parameters, seeds, answers)
