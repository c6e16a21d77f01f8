"""The table of claims: its figures come from the records, and none is made up."""

import claims
import pytest

from wekaconf.replication.papers import PAPERS, study_of


def test_every_paper_has_a_claim_whose_command_names_a_part_of_it():
    assert list(dict.fromkeys(claim.paper for claim in claims.CLAIMS)) == [
        "katz2012", "wang2006", "costa2013", "davidsson1996", "toth2006",
    ]  # fmt: skip
    assert {claim.paper for claim in claims.CLAIMS} == set(PAPERS)
    for claim in claims.CLAIMS:
        kind, number = claim.part.removeprefix("--").split()[:2]
        assert f"{kind} {number}" in study_of(claim.paper).parts


def test_figures_are_those_of_the_records():
    assert claims.filled("{printed:costa2013 table 2 | Clus-Orig | wins/ties/losses of Clus-TPCE}") == "37/3/8"
    assert claims.filled("{told:katz2012 (\\d+) data sets}, {beside:wang2006 Table 3 | C45 | published}") == "16, 81.96"
    assert claims.filled("{met:toth2006 figure 12}") == "0 of 1 figures met"


@pytest.mark.parametrize(
    "text", ["{told:katz2012 no such words}", "{beside:wang2006 Table 3 | C45 | none}", "{ours:wang2006 a | b | c}"]
)
def test_what_the_records_have_not(text):
    with pytest.raises(ValueError, match=r"no sentence|unpack"):
        claims.filled(text)
