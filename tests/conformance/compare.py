"""Compares what two implementations made of one row, and measures each disagreement."""

import numpy as np

import margins
import ours
import tallies

LEAST = 1e-10  # probabilities below it are compared absolutely only


def settle_ties(order, logits, kept, ties):
    """`kept` with each partly kept group of tied tokens settled as the preset settles it.

    "low": the lower ids stay, as many as were kept. "top": the same, but the first such group lost
    its likelier tokens, which are the lower ids. "whole": the group stays.
    """
    values = logits[order]
    starts = np.flatnonzero(np.concatenate([[True], values[1:] != values[:-1]]))
    along = kept[order]
    sizes = np.diff(np.append(starts, len(values)))
    counts = np.add.reduceat(along.astype(np.int64), starts)
    settled = along.copy()
    first = int(np.argmax(counts > 0))
    for group in np.flatnonzero((counts > 0) & (counts < sizes)):
        start, size, count = starts[group], sizes[group], counts[group]
        if ties == "whole":
            count = size
        settled[start:start + size] = False
        begin = start + size - count if ties == "top" and group == first else start
        settled[begin:begin + count] = True
    result = np.empty_like(kept)
    result[order] = settled
    return result


def distance(order, logits, one, other, stages):
    """How far from every boundary the farthest token lies about which two sets disagree."""
    near, y = margins.distances(logits[order], stages)
    differ = np.flatnonzero(one[order] != other[order])
    farthest = float(near[differ].max())
    span = float(y[differ].max() - y[differ].min())
    if one.sum() == other.sum() and span > 0:  # tokens changed places: how near their logits are
        farthest = min(farthest, span)
    return farthest


def compare_law(tally, probabilities, ids, logprobs, both):
    theirs = probabilities[ids][both].astype(np.float64)
    mine = np.exp(logprobs[both].astype(np.float64))
    if not len(mine):
        return
    difference = np.abs(mine - theirs)
    tally.absolute = max(tally.absolute, float(difference.max()))
    large = theirs >= LEAST
    if large.any():
        tally.relative = max(tally.relative, float((difference[large] / theirs[large]).max()))


def compare_row(tally, case, rows, row, order, kept, probabilities, ids, answer, stages, ask_law):
    """Adds one row to the tally; returns its distance if the sets differ without a reason."""
    logits = rows.logits[row]
    settled = settle_ties(order, logits, kept, "whole" if case.ties == "skip" else case.ties)
    if case.ties == "skip" and kept.sum() != settled.sum():
        return None
    tally.rows += 1
    logprobs, mine = ours.kept_of(answer)
    if answer.support_size == settled.sum() and np.array_equal(mine, settled[ids]):
        tally.same += 1
        if kept.sum() == settled.sum():
            compare_law(tally, probabilities, ids, logprobs, mine & kept[ids])
        return None
    every, _ = ask_law()
    mine = np.isfinite(every)
    if np.array_equal(mine, settled):
        tally.same += 1
        return None
    far = distance(order, logits, mine, settled, stages)
    tally.distances.append(far)
    if far <= tallies.NEAR:
        return None
    differ = np.flatnonzero(mine[order] != settled[order])
    if case.allows(logits[order], stages, differ, far, mine[order], logits):
        tally.allowed += 1
        return None
    return far
