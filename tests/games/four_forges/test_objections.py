"""Why not: the words of Four Forges' refusals."""

import pytest

from domain.games.four_forges import GAME
from domain.games.four_forges.state import Amount, Break, Forge, Mine, Move, OfferTrade, Options, State
from tests.games.four_forges.positions import FULL, play, position, refused

HANDFUL = position("O1 1b1s1g O2 3s O3 2b O4 4g M1 1b")
EMPTY = position("M1 1b", options=Options(mining=True), mine=(2, 2, 2))
NOTHING = "ochre has nothing to smelt now and can move or break a stone"
EMPTIED = "the forge of ochre is empty, and it can mine O1, O2, O3 or O4, or declare end"
OVER = position("M1 1b", reason="forge-empty")


@pytest.mark.parametrize(
    ("s", "line", "words"),
    [
        (HANDFUL, "M1>M2 black", "M1 is malachite's, and ochre acts only with stones on its own anvils, O1 to O4 (FF-4)"),
        (HANDFUL, "break M1 black", "M1 is malachite's, and ochre acts only with stones on its own anvils, O1 to O4 (FF-4)"),
        (HANDFUL, "O3>O2 grey", "there is no grey stone on O3, where 2b lies; ochre has grey on O1 and O4 (FF-5)"),
        (HANDFUL, "break O2 black", "there is no black stone on O2, where 3s lies; ochre has black on O1 and O3 (FF-5)"),
        (EMPTY, "break O2 black", f"there is no black stone on O2, where no stone lies; {EMPTIED} (FF-5)"),
        (EMPTY, "end turn", f"ochre cannot pass: 3 actions are left, and every action of a turn must be taken (FF-12); {EMPTIED}"),
        (
            EMPTY,
            "forge O1",
            f"O1 cannot be forged: that takes exactly three stones, all alike, and no stone lies there (FF-5); {EMPTIED}",
        ),
        (position("O1 1b"), "break O1 grey", "there is no grey stone on O1, where 1b lies; ochre has none on its anvils (FF-5)"),
        (HANDFUL, "O3>L3 black", "not adjacent: O3 and L3 do not touch; from O3 a stone can go to O2, O4, M3 or A3 (FF-3)"),
        (HANDFUL, "O3>O3 black", "the stone lies on O3 already: from there it can go to O2, O4, M3 or A3 (FF-3)"),
        (
            HANDFUL,
            "forge O4",
            "O4 cannot be forged: that takes exactly three stones, all alike, and 4g lies there (FF-5); ochre can forge O2",
        ),
        (
            HANDFUL,
            "forge O1",
            "O1 cannot be forged: that takes exactly three stones, all alike, and 1b1s1g lies there (FF-5); ochre can forge O2 or smelt O1",
        ),
        (
            HANDFUL,
            "smelt O2",
            "O2 cannot be smelted: that takes exactly three stones, all different, and 3s lies there (FF-5); ochre can smelt O1 or forge O2",
        ),
        (
            position("O1 2b"),
            "smelt O1",
            f"O1 cannot be smelted: that takes exactly three stones, all different, and 2b lies there (FF-5); {NOTHING}",
        ),
        (
            HANDFUL,
            "declare end",
            "nobody declares the end in a match without mining: it ends by itself when the forge of the seat on turn is empty (FF-6)",
        ),
        (
            play(HANDFUL, "O1>O2 grey; O2>O1 grey"),
            "end turn",
            "ochre cannot pass: 1 action is left, and every action of a turn must be taken (FF-12)",
        ),
        (
            position("M1 1b", options=Options(mining=True), mine=(2, 2, 2), actions_left=0),
            "mine O1",
            "ochre has taken all 3 actions of this turn; its forge is empty: declare end or end turn (FF-8)",
        ),
        (
            position("O1 1b O2 1b O3 1b O4 1b", options=Options(mining=True), mine=(2, 2, 2)),
            "mine O1",
            "stones from the mine come on to an empty anvil, and on O1 lies 1b: ochre has none (FF-7)",
        ),
        (
            position("O1 1b", options=Options(mining=True), mine=(2, 2, 2)),
            "declare end",
            "the end can be declared with an empty forge only, and 1 stone lies in ochre's (FF-8)",
        ),
    ],
)
def test_a_refusal_says_why_and_what_would_be_legal(s: State, line: str, words: str):
    assert refused(s, line) == words


@pytest.mark.parametrize(
    ("s", "words"),
    [
        (position(FULL), "it is not azurite's turn: ochre is to act"),
        (OVER, "the match is over"),
        (GAME.setup(Options(), GAME.seats), "nobody can act before all stones have been dealt (FF-2)"),
        (GAME.apply(EMPTY, "ochre", Mine("O2")), "nobody can act before the stones for O2 have come from the mine (FF-7)"),
        (
            play(position(FULL, options=Options(trading=True)), "trade O2 1b for M1 1g"),
            "it is not azurite's turn: malachite is to answer the trade that ochre has offered (FF-9)",
        ),
    ],
    ids=["turn", "over", "dealing", "mining", "trade"],
)
def test_nobody_acts_who_is_not_awaited(s: State, words: str):
    assert GAME.objection(s, "azurite", Break("A1", "black")) == words


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (Forge("O2\n"), "O2\n is no anvil, and ochre acts only with stones on its own anvils, O1 to O4 (FF-4)"),  # type: ignore[arg-type]
        (Move("O3", "O9", "black"), "not adjacent: O3 and O9 do not touch; from O3 a stone can go to O2, O4, M3 or A3 (FF-3)"),  # type: ignore[arg-type]
        (Break("O3", "white"), "there is no white stone on O3, where 2b lies; ochre has none on its anvils (FF-5)"),  # type: ignore[arg-type]
    ],
)
def test_what_does_not_exist_is_refused_like_anything_else(action: Forge | Move | Break, words: str):
    assert GAME.objection(HANDFUL, "ochre", action) == words


@pytest.mark.parametrize(
    ("offer", "words"),
    [
        (OfferTrade("O1", Amount(-1, 0, 0), "M1", Amount(1, 0, 0)), "-1b cannot be given from O1, where 1b1s1g lies (FF-9)"),
        (OfferTrade("O1", Amount(10**30, 0, 0), "M1", Amount(1, 0, 0)), f"{10**30}b cannot be given from O1, where 1b1s1g lies (FF-9)"),
        (OfferTrade("O1", Amount(1, 0, 0), "X1", Amount(1, 0, 0)), "there is no anvil X1: ochre can trade with malachite, lead or azurite (FF-9)"),  # type: ignore[arg-type]
    ],
)
def test_amounts_that_cannot_be_are_refused(offer: OfferTrade, words: str):
    s = position("O1 1b1s1g M1 1b", options=Options(trading=True))
    assert GAME.objection(s, "ochre", offer) == words
