"""Intervals, paired tests, corrections, power, agreement: numbers and a seed in, numbers out.

Each name is loaded with its file when it is first used: a report that shows no agreement does not pay for it.
Inside the project import from the file itself, which also keeps the types.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_FILES = {
    "agreement": "Agreement cohen_kappa confusion gwet_ac1 krippendorff_alpha raw_agreement",
    "corrections": "benjamini_hochberg holm max_t",
    "debias": "Debiased ppi_mean rogan_gladen",
    "distributions": "beta_quantile beta_tails binomial_cdf normal_cdf normal_quantile normal_sf "
    "student_quantile student_two_sided",
    "draws": "Stream",
    "intervals": "Interval bootstrap_mean clopper_pearson cluster_bootstrap cluster_t interval_for_mean "
    "rule_of_three t_interval wilson",
    "paired": "Comparison cliff_delta cohen_dz compare_pairs interval_of_difference mcnemar_exact paired_t "
    "rank_biserial sign_test wilcoxon",
    "power": "cases_needed cases_needed_for_threshold cases_needed_proportions minimum_detectable_effect "
    "minimum_detectable_proportion paired_sd",
    "pairs": "Finding Tally differences mean_difference tally",
    "rankings": "kendall_tau rank_biased_overlap",
    "signflip": "sign_flip",
}
_HOME = {name: file for file, names in _FILES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted(_HOME)
