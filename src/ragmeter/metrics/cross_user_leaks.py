"""Cross-user leaks: memories of other users that came back. It must be 0.

    cross_user_leaks = recalled memories whose owner is not the user who asked, summed over cases

Owners are those that the system names, else that of the conversation turn whose text came back word by word
(`extra.user` and `extra.owners` of the output). A memory counts once a case. Undefined: (`not_recorded`) where
owners were not kept.

Source: our own.
"""

from ragmeter.facts import Facts
from ragmeter.memory import leaks
from ragmeter.metrics import Metric
from ragmeter.metrics._memory import records
from ragmeter.result import Score, null


def score(facts: Facts) -> Score:
    """Recalled memories of other users in this case."""
    _, output = records(facts)
    count = leaks(output)
    return null("not_recorded") if count is None else Score(count)


METRIC = Metric(score, needs=("texts",), aggregate="sum", bounds=None, higher_is_better=False)
