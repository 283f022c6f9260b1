"""Retrieval and citation measures, written to be obviously right: slow, pure Python, on raw ids.

This file is the oracle of the product's metrics and is itself held against trec_eval 9.0.8 and 10.0
(`tests/conformance/test_naive_against_trec_eval.py`); docs/metrics-oracles.md says every formula in words.

The ranked measures have one signature, `f(qrels, ranking, *, level=1, ...)`:

* `qrels` {passage id: grade} of one query. A grade below 0 means "in the pool, never judged".
* `ranking` the retrieved ids, best first, each once (`order` makes one from scores, `unique` from repeats).
* `level` the least grade that counts as relevant.
* None is "undefined": there is nothing relevant, or nothing to divide by. trec_eval writes 0 there.

Ranks start at 1, logarithms are base 2 unless said otherwise, sums are exact (fsum).
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, permutations, product

Qrels = Mapping[str, int]
Ranking = Sequence[str]
Value = float | None
Gain = str | Mapping[int, float]

EPSILON = 1e-5  # infAP's smoothing and the floor of geometric means


# ---------------------------------------------------------------- from scores to a ranking


def unique(ids: Iterable[str]) -> list[str]:
    """Every id once, at its first place."""
    return list(dict.fromkeys(ids))


def as_float32(score: float) -> float:
    """The nearest 32-bit float, which is what trec_eval 9 and pytrec_eval keep of a score."""
    try:
        return float(struct.unpack("f", struct.pack("f", score))[0])
    except OverflowError:
        return math.copysign(math.inf, score)


def order(run: Mapping[str, float], rule: str = "trec10") -> list[str]:
    """Ids by falling score. `trec10`: equal doubles by falling id bytes; `trec9`: equal 32-bit floats by
    falling id bytes; `input`: equal doubles as they came."""
    if rule == "input":
        return sorted(run, key=lambda doc: -run[doc])
    seen = seen_score(rule)
    by_id = sorted(run, key=lambda doc: doc.encode(), reverse=True)
    return sorted(by_id, key=lambda doc: -seen(run[doc]))


def seen_score(rule: str) -> Callable[[float], float]:
    if rule not in ("trec9", "trec10", "input"):
        raise ValueError(f"unknown order rule {rule!r}")
    return as_float32 if rule == "trec9" else float


def tie_groups(run: Mapping[str, float], rule: str = "trec10") -> list[list[str]]:
    """The ranking cut into runs of equal scores."""
    seen = seen_score(rule)
    return [list(group) for _, group in groupby(order(run, rule), key=lambda doc: seen(run[doc]))]


def tie_orders(run: Mapping[str, float], rule: str = "trec10", limit: int = 50_000) -> Iterator[list[str]]:
    """Every ranking that the scores allow. ValueError when there are more than `limit`."""
    groups = tie_groups(run, rule)
    if math.prod(math.factorial(len(group)) for group in groups) > limit:
        raise ValueError("too many tie orders to try them all")
    for parts in product(*(permutations(group) for group in groups)):
        yield [doc for part in parts for doc in part]


def over_ties(
    measure: Callable[[Ranking], Value], run: Mapping[str, float], rule: str = "trec10"
) -> tuple[float, float, float] | None:
    """(worst, best, mean) of a measure over every order of its ties; None where it is undefined."""
    values = [measure(ranking) for ranking in tie_orders(run, rule)]
    defined = [value for value in values if value is not None]
    if len(defined) < len(values):
        return None
    return min(defined), max(defined), math.fsum(defined) / len(defined)


def judged_only(qrels: Qrels, ranking: Ranking) -> list[str]:
    """trec_eval's -J: what was never judged is taken out before anything is measured."""
    return [doc for doc in ranking if is_judged(qrels, doc)]


# ---------------------------------------------------------------- what everything below reads


def is_judged(qrels: Qrels, doc: str) -> bool:
    return qrels.get(doc, -1) >= 0


def is_relevant(qrels: Qrels, doc: str, level: int) -> bool:
    return is_judged(qrels, doc) and qrels[doc] >= level


def relevant_docs(qrels: Qrels, level: int) -> set[str]:
    return {doc for doc in qrels if is_relevant(qrels, doc, level)}


def hit_ranks(qrels: Qrels, ranking: Ranking, level: int, k: int | None = None) -> list[int]:
    """The ranks of the relevant passages, of the first k when there is a k."""
    return [rank for rank, doc in enumerate(ranking[:k], start=1) if is_relevant(qrels, doc, level)]


# ---------------------------------------------------------------- counts


def num_ret(qrels: Qrels, ranking: Ranking, *, level: int = 1) -> float:
    return len(ranking)


def num_rel(qrels: Qrels, ranking: Ranking, *, level: int = 1) -> float:
    return len(relevant_docs(qrels, level))


def num_rel_ret(qrels: Qrels, ranking: Ranking, *, level: int = 1) -> float:
    return len(hit_ranks(qrels, ranking, level))


def num_nonrel_judged_ret(qrels: Qrels, ranking: Ranking, *, level: int = 1) -> float:
    return sum(is_judged(qrels, doc) and not is_relevant(qrels, doc, level) for doc in ranking)


def num_q(qrels: Qrels, ranking: Ranking, *, level: int = 1) -> float:
    """1 for every query; its sum is the number of queries that count."""
    return 1


def unj(qrels: Qrels, ranking: Ranking, *, k: int, level: int = 1) -> float:
    """Places of the first k that hold an unjudged passage, over k."""
    return sum(not is_judged(qrels, doc) for doc in ranking[:k]) / k


def judged(qrels: Qrels, ranking: Ranking, *, k: int, denominator: str = "k", level: int = 1) -> Value:
    """Judged passages among the first k, over k or over those `returned` among the first k."""
    count = sum(is_judged(qrels, doc) for doc in ranking[:k])
    if denominator == "k":
        return count / k
    return count / len(ranking[:k]) if ranking else None


def relstring(qrels: Qrels, ranking: Ranking, *, k: int = 10, level: int = 1) -> str:
    """One sign for each of the first k: the grade, `>` above 9, `-` not in the qrels, `.` grade below 0."""

    def sign(doc: str) -> str:
        if doc not in qrels:
            return "-"
        grade = qrels[doc]
        return "." if grade < 0 else ">" if grade > 9 else str(grade)

    return "".join(map(sign, ranking[:k]))


# ---------------------------------------------------------------- binary, at a cutoff


def recall(qrels: Qrels, ranking: Ranking, *, k: int | None = None, level: int = 1) -> Value:
    total = len(relevant_docs(qrels, level))
    return len(hit_ranks(qrels, ranking, level, k)) / total if total else None


def precision(qrels: Qrels, ranking: Ranking, *, k: int, level: int = 1) -> Value:
    """Divided by k even where fewer came back."""
    if not relevant_docs(qrels, level):
        return None
    return len(hit_ranks(qrels, ranking, level, k)) / k


def context_precision(qrels: Qrels, ranking: Ranking, *, k: int, level: int = 1) -> Value:
    """The S2 harness's: divided by the unique ids that the first k places hold. 0 without relevant ones."""
    first = unique(ranking)[:k]
    return sum(is_relevant(qrels, doc, level) for doc in first) / len(first) if first else None


def relative_p(qrels: Qrels, ranking: Ranking, *, k: int, level: int = 1) -> Value:
    """Precision over the best precision that k places allow."""
    total = len(relevant_docs(qrels, level))
    return len(hit_ranks(qrels, ranking, level, k)) / min(k, total) if total else None


def hit(qrels: Qrels, ranking: Ranking, *, k: int, level: int = 1) -> Value:
    """1 where one of the first k is relevant, else 0 (trec_eval: success)."""
    if not relevant_docs(qrels, level):
        return None
    return 1.0 if hit_ranks(qrels, ranking, level, k) else 0.0


def reciprocal_rank(qrels: Qrels, ranking: Ranking, *, k: int | None = None, level: int = 1) -> Value:
    if not relevant_docs(qrels, level):
        return None
    ranks = hit_ranks(qrels, ranking, level, k)
    return 1 / ranks[0] if ranks else 0.0


def average_precision(qrels: Qrels, ranking: Ranking, *, k: int | None = None, level: int = 1) -> Value:
    """The precisions at the relevant ranks, summed, over all relevant passages (with or without a k)."""
    total = len(relevant_docs(qrels, level))
    if not total:
        return None
    return math.fsum(n / rank for n, rank in enumerate(hit_ranks(qrels, ranking, level, k), 1)) / total


def r_precision(qrels: Qrels, ranking: Ranking, *, level: int = 1) -> Value:
    total = len(relevant_docs(qrels, level))
    return precision(qrels, ranking, k=total, level=level) if total else None


def rprec_mult(qrels: Qrels, ranking: Ranking, *, x: float, level: int = 1) -> Value:
    """Precision after x times the number of relevant passages, that number rounded up from 0.1 on."""
    total = len(relevant_docs(qrels, level))
    if not total:
        return None
    k = int(x * total + 0.9)
    return precision(qrels, ranking, k=k, level=level) if k else 0.0


def yaap(qrels: Qrels, ranking: Ranking, *, level: int = 1) -> Value:
    """Robertson's smoothed AP, a log odds: any real number."""
    total = len(relevant_docs(qrels, level))
    if not total:
        return None
    found = math.fsum(n / rank for n, rank in enumerate(hit_ranks(qrels, ranking, level), 1))
    return math.log((1 + found) / (1 + total - found))


# ---------------------------------------------------------------- recall levels


def recall_level(x: float, total: int, rounding: str) -> int:
    """How many relevant passages are recall x: `9` rounds up from 0.1 on, `10` to the nearest, halves up."""
    if rounding == "9":
        return int(x * total + 0.9)
    if rounding != "10":
        raise ValueError(f"unknown rounding {rounding!r}")
    whole = math.floor(x * total)
    return whole + (x * total - whole >= 0.5)


def iprec_at_recall(qrels: Qrels, ranking: Ranking, *, x: float, rounding: str = "10", level: int = 1) -> Value:
    """The best precision at any rank by which recall x is reached, 0 when it never is."""
    total = len(relevant_docs(qrels, level))
    if not total:
        return None
    ranks = hit_ranks(qrels, ranking, level)
    needed = recall_level(x, total, rounding)
    return max((n / rank for n, rank in enumerate(ranks, 1) if n >= needed), default=0.0)


TENTHS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def eleven_point_average(
    qrels: Qrels,
    ranking: Ranking,
    *,
    points: Sequence[float] = TENTHS,
    rounding: str = "10",
    level: int = 1,
) -> Value:
    """The mean of iprec_at_recall over the points."""
    values = [iprec_at_recall(qrels, ranking, x=x, rounding=rounding, level=level) for x in points]
    defined = [value for value in values if value is not None]
    return math.fsum(defined) / len(points) if len(defined) == len(points) else None


# ---------------------------------------------------------------- incomplete judgments


def bpref(qrels: Qrels, ranking: Ranking, *, level: int = 1) -> Value:
    """For each relevant passage found: 1 less the share of judged non-relevant ones above it."""
    total = len(relevant_docs(qrels, level))
    if not total:
        return None
    nonrelevant = sum(is_judged(qrels, doc) for doc in qrels) - total
    above, parts = 0, []
    for doc in judged_only(qrels, ranking):
        if not is_relevant(qrels, doc, level):
            above += 1
        else:
            parts.append(1 - min(above, total) / min(nonrelevant, total) if above else 1.0)
    return math.fsum(parts) / total


def infap(qrels: Qrels, ranking: Ranking, *, level: int = 1) -> Value:
    """Inferred AP (Yilmaz and Aslam): a pool of which only a sample was judged."""
    total = len(relevant_docs(qrels, level))
    if not total:
        return None
    parts = []
    relevant = nonrelevant = unsampled = 0  # above the present rank; ids outside the qrels count nowhere
    for rank, doc in enumerate(ranking, start=1):
        if doc not in qrels:
            continue
        if not is_judged(qrels, doc):
            unsampled += 1
        elif not is_relevant(qrels, doc, level):
            nonrelevant += 1
        else:
            pooled = relevant + nonrelevant + unsampled
            share = (relevant + EPSILON) / (relevant + nonrelevant + 2 * EPSILON)
            parts.append(1 / rank + (pooled / rank) * share)
            relevant += 1
    return math.fsum(parts) / total


# ---------------------------------------------------------------- geometric means, one query's share


def gm_map(qrels: Qrels, ranking: Ranking, *, level: int = 1) -> Value:
    """ln of AP, not below ln 1e-5; `aggregate` takes exp of the mean."""
    return floored_log(average_precision(qrels, ranking, level=level))


def gm_bpref(qrels: Qrels, ranking: Ranking, *, level: int = 1) -> Value:
    """ln of bpref, not below ln 1e-5; `aggregate` takes exp of the mean."""
    return floored_log(bpref(qrels, ranking, level=level))


def floored_log(value: Value) -> Value:
    return None if value is None else math.log(max(value, EPSILON))


# ---------------------------------------------------------------- sets


def set_precision(qrels: Qrels, ranking: Ranking, *, level: int = 1) -> Value:
    if not ranking or not relevant_docs(qrels, level):
        return None
    return len(hit_ranks(qrels, ranking, level)) / len(ranking)


def set_recall(qrels: Qrels, ranking: Ranking, *, level: int = 1) -> Value:
    return recall(qrels, ranking, level=level)


def set_relative_p(qrels: Qrels, ranking: Ranking, *, level: int = 1) -> Value:
    total = len(relevant_docs(qrels, level))
    if not ranking or not total:
        return None
    return len(hit_ranks(qrels, ranking, level)) / min(len(ranking), total)


def set_map(qrels: Qrels, ranking: Ranking, *, level: int = 1) -> Value:
    """Set precision times recall; 0 when nothing came back, since recall is."""
    total = len(relevant_docs(qrels, level))
    if not total:
        return None
    found = len(hit_ranks(qrels, ranking, level))
    return found * found / (len(ranking) * total) if ranking else 0.0


def set_f(qrels: Qrels, ranking: Ranking, *, x: float = 1.0, level: int = 1) -> Value:
    """(x+1)PR / (R + xP), which is (x+1) found / (returned + x relevant); x is the square of F's beta."""
    total = len(relevant_docs(qrels, level))
    if not total:
        return None
    found = len(hit_ranks(qrels, ranking, level))
    return (x + 1) * found / (len(ranking) + x * total) if found else 0.0


def utility(
    qrels: Qrels,
    ranking: Ranking,
    *,
    a: float = 1.0,
    b: float = -1.0,
    c: float = 0.0,
    d: float = 0.0,
    collection: int = 0,
    level: int = 1,
) -> float:
    """a found relevant + b found others + c missed relevant + d missed others (needs `collection`)."""
    total = len(relevant_docs(qrels, level))
    found = len(hit_ranks(qrels, ranking, level))
    wrong, missed = len(ranking) - found, total - found
    return a * found + b * wrong + c * missed + d * (collection - found - wrong - missed)


# ---------------------------------------------------------------- graded


def gains(qrels: Qrels, gain: Gain = "linear") -> dict[str, float]:
    """What each judged passage is worth: its grade, 2^grade - 1, or what a table says (else its grade)."""
    if gain == "linear":
        worth: Callable[[int], float] = float
    elif gain == "exp":
        worth = lambda grade: 2.0**grade - 1  # noqa: E731
    elif isinstance(gain, str):
        raise ValueError(f"unknown gain {gain!r}")
    else:
        table = gain
        worth = lambda grade: float(table.get(grade, grade))  # noqa: E731
    return {doc: worth(grade) for doc, grade in qrels.items() if grade >= 0}


def ideal_gains(qrels: Qrels, gain: Gain = "linear") -> list[float]:
    """The positive gains of ALL judged passages, best first, retrieved or not."""
    return sorted((worth for worth in gains(qrels, gain).values() if worth > 0), reverse=True)


def discounted(worths: Sequence[float], k: int | None = None) -> float:
    return math.fsum(worth / math.log2(rank + 1) for rank, worth in enumerate(worths[:k], start=1))


def ranked_gains(qrels: Qrels, ranking: Ranking, gain: Gain = "linear") -> list[float]:
    worths = gains(qrels, gain)
    return [worths.get(doc, 0.0) for doc in ranking]


def dcg(qrels: Qrels, ranking: Ranking, *, k: int | None = None, gain: Gain = "linear", level: int = 1) -> float:
    return discounted(ranked_gains(qrels, ranking, gain), k)


def ideal_dcg(qrels: Qrels, ranking: Ranking, *, k: int | None = None, gain: Gain = "linear", level: int = 1) -> float:
    return discounted(ideal_gains(qrels, gain), k)


def ndcg(qrels: Qrels, ranking: Ranking, *, k: int | None = None, gain: Gain = "linear", level: int = 1) -> Value:
    """DCG over that of the ideal ranking of all judged passages, both cut at k. `level` plays no part."""
    ideal = ideal_dcg(qrels, ranking, k=k, gain=gain)
    return dcg(qrels, ranking, k=k, gain=gain) / ideal if ideal > 0 else None


def ndcg_rel(qrels: Qrels, ranking: Ranking, *, gain: Gain = "linear", level: int = 1) -> Value:
    """nDCG at the rank of each passage of positive gain, averaged; at the list's end for one not found."""
    total = len(ideal_gains(qrels, gain))
    if not total:
        return None
    worths, ideal = ranked_gains(qrels, ranking, gain), ideal_gains(qrels, gain)
    found = [rank for rank, worth in enumerate(worths, start=1) if worth > 0]
    parts = [discounted(worths, rank) / discounted(ideal, rank) for rank in found]
    missed = (total - len(found)) * discounted(worths) / discounted(ideal)
    return math.fsum([*parts, missed]) / total


def r_ndcg(qrels: Qrels, ranking: Ranking, *, gain: Gain = "linear", level: int = 1) -> Value:
    """nDCG at each rank where the ideal ranking passes to a lower gain, and at the list's end, averaged.

    The list's end counts when it lies at least two ranks behind the last positive gain of the ideal."""
    ideal = ideal_gains(qrels, gain)
    if not ideal or not relevant_docs(qrels, level):
        return None
    worths, last = ranked_gains(qrels, ranking, gain), len(ideal)
    points = [rank for rank in range(1, last) if ideal[rank - 1] != ideal[rank]] + [last]
    if len(ranking) > last + 1:
        points.append(len(ranking))
    return math.fsum(discounted(worths, point) / discounted(ideal, point) for point in points) / len(points)


def g_measure(qrels: Qrels, ranking: Ranking, *, gain: Gain = "linear", level: int = 1) -> Value:
    """Buckley's G: each gain over log2(2 + what an ideal list would have gained more), over the ideal sum."""
    ideal = ideal_gains(qrels, gain)
    if not ideal:
        return None
    parts, ahead, got = [], 0.0, 0.0
    for place, worth in enumerate(ranked_gains(qrels, ranking, gain)):
        ahead += max(1.0, ideal[place]) if place < len(ideal) else 1.0
        got += worth
        parts.append(worth / math.log2(2 + ahead - got) if worth else 0.0)
    return math.fsum(parts) / math.fsum(ideal)


def bin_g(qrels: Qrels, ranking: Ranking, *, level: int = 1) -> Value:
    """Each relevant passage found gives 1 / log2(2 + others above it); over all relevant passages."""
    total = len(relevant_docs(qrels, level))
    if not total:
        return None
    ranks = hit_ranks(qrels, ranking, level)
    return math.fsum(1 / math.log2(2 + rank - n) for n, rank in enumerate(ranks, start=1)) / total


def rbp(
    qrels: Qrels,
    ranking: Ranking,
    *,
    p: float = 0.9,
    k: int | None = None,
    gain: str = "binary",
    max_grade: int | None = None,
    level: int = 1,
) -> Value:
    """(1-p) times the sum of p^(rank-1) times the gain.

    The gain is `binary` at level, or `scaled`: the grade over max_grade (else over the query's highest)."""
    if not relevant_docs(qrels, level):
        return None
    parts = []
    for place, doc in enumerate(ranking[:k]):
        if gain == "binary":
            worth = 1.0 if is_relevant(qrels, doc, level) else 0.0
        else:
            worth = max(qrels.get(doc, 0), 0) / (max_grade or max(qrels.values()))
        parts.append(p**place * worth)
    return (1 - p) * math.fsum(parts)


def rbp_resid(
    qrels: Qrels,
    ranking: Ranking,
    *,
    p: float = 0.9,
    k: int | None = None,
    tail: str = "always",
    level: int = 1,
) -> float:
    """What RBP could still gain: unjudged passages seen, and all that lies behind the end of the list.

    `tail="trec"` is trec_eval's slip: 0 for the whole where every passage seen is judged."""
    seen = ranking[:k]
    unseen = [place for place, doc in enumerate(seen) if not is_judged(qrels, doc)]
    if tail == "trec" and not unseen:
        return 0.0
    return p ** len(seen) + (1 - p) * math.fsum(p**place for place in unseen)


def err(qrels: Qrels, ranking: Ranking, *, max_grade: int, k: int | None = None, level: int = 1) -> Value:
    """Expected reciprocal rank (Chapelle et al.): a reader stops at grade g with chance (2^g - 1) / 2^max."""
    if not ideal_gains(qrels):
        return None
    return cascade([qrels.get(doc, 0) for doc in ranking[:k]], max_grade)


def nerr(qrels: Qrels, ranking: Ranking, *, max_grade: int, k: int | None = None, level: int = 1) -> Value:
    """ERR over that of the ideal ranking of all judged passages, both cut at k."""
    best = cascade(sorted(qrels.values(), reverse=True)[:k], max_grade)
    got = err(qrels, ranking, max_grade=max_grade, k=k)
    return got / best if got is not None and best else None


def cascade(grades: Sequence[int], max_grade: int) -> float:
    parts, still_reading = [], 1.0
    for rank, grade in enumerate(grades, start=1):
        stops = (2.0 ** max(grade, 0) - 1) / 2**max_grade
        parts.append(still_reading * stops / rank)
        still_reading *= 1 - stops
    return math.fsum(parts)


# ---------------------------------------------------------------- citations, on three sets of ids

Ids = Collection[str]


def citation_coverage(relevant: Ids, retrieved: Ids, cited: Ids) -> Value:
    """Of what is relevant, how much is cited."""
    return share(set(relevant) & set(cited), set(relevant))


def citation_validity(relevant: Ids, retrieved: Ids, cited: Ids) -> Value:
    """Of what is cited, how much was retrieved."""
    return share(set(cited) & set(retrieved), set(cited))


def cited_irrelevant_rate(relevant: Ids, retrieved: Ids, cited: Ids) -> Value:
    """Of what is cited, how much is not relevant."""
    return share(set(cited) - set(relevant), set(cited))


def relevant_retrieved_uncited_rate(relevant: Ids, retrieved: Ids, cited: Ids) -> Value:
    """Of what is relevant and was retrieved, how much is not cited."""
    found = set(relevant) & set(retrieved)
    return share(found - set(cited), found)


def share(part: set[str], whole: set[str]) -> Value:
    return len(part) / len(whole) if whole else None


# ---------------------------------------------------------------- many queries


def query_set(qrels: Mapping[str, Qrels], run: Mapping[str, object], queries: str = "judged") -> list[str]:
    """`judged`: all in the qrels (trec_eval -c); `common`: those also in the run. Order of the qrels."""
    if queries not in ("judged", "common"):
        raise ValueError(f"unknown query set {queries!r}")
    return [query for query in qrels if queries == "judged" or query in run]


SUMMED = ("num_q", "num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret")
GEOMETRIC = ("gm_map", "gm_bpref")


def aggregate(measure: str, values: Iterable[Value], undefined: float | None = None) -> Value:
    """Counts are summed, gm_ measures give exp of their mean, all others their mean.

    A None is left out, or counts as `undefined` where that is given (trec_eval: 0, and ln 1e-5 for gm_)."""
    if undefined is not None and measure in GEOMETRIC:
        undefined = math.log(max(undefined, EPSILON))
    kept = [undefined if value is None else value for value in values]
    numbers = [value for value in kept if value is not None]
    if measure in SUMMED:
        return math.fsum(numbers)
    if not numbers:
        return None
    mean = math.fsum(numbers) / len(numbers)
    return math.exp(mean) if measure in GEOMETRIC else mean
