"""Every short word of a report has its sentence."""

from hypothesis import given
from hypothesis import strategies as st

from ragmeter.diagnostics import flags
from ragmeter.facts import Facts
from ragmeter.meanings import FLAG, REASON, reason
from ragmeter.result import REASONS

facts = st.fixed_dictionaries(
    {
        "relevant": st.integers(0, 1),
        "retrieved": st.integers(0, 2),
        "repeated": st.integers(0, 1),
        "cited": st.integers(0, 2),
        "cited_retrieved": st.integers(0, 2),
        "recorded": st.integers(0, 31),
        "error": st.sampled_from(["", "timeout"]),
    }
).map(lambda fields: Facts(**fields))


def test_every_reason_has_a_meaning_and_no_meaning_is_left_over() -> None:
    assert set(REASON) == set(REASONS) - {""}


@given(facts)
def test_every_flag_has_a_meaning(known: Facts) -> None:
    assert set(flags(known)) <= set(FLAG)


def test_a_reason_is_said_with_its_meaning_and_a_foreign_one_alone() -> None:
    assert reason("no_relevant") == "no_relevant (no passage is judged relevant)"
    assert reason("a_plugin's") == "a_plugin's"
