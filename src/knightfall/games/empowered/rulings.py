"""Which ruling decides what? EM-R1 to EM-R33 in one line each."""

from __future__ import annotations

from collections.abc import Mapping

RULINGS: Mapping[str, str] = {
    "EM-R1": "Kidnapper, Strongman and Ninja work without power: what their cards say goes first.",
    "EM-R2": "A mafioso may carry the Murder and use his own ability in the same night.",
    "EM-R3": "An Amplifier passes power on through any number of Amplifiers; none powers himself.",
    "EM-R4": "Nobody targets himself, and an Amplifier names two different players.",
    "EM-R5": "A choice without power has no effect, and is a targeting all the same.",
    "EM-R6": "A prisoner's actions are cancelled: he targets nobody and sets off no explosion.",
    "EM-R7": "A prisoner cannot be killed; who checks, watches or empowers him succeeds.",
    "EM-R8": "Detonation works in jail too, against the jailer as well.",
    "EM-R9": "Nothing prevents an Obliteration, neither protection nor a jail around the victim.",
    "EM-R10": "A Strongman's Murder lands even when he is in jail himself, and is seen.",
    "EM-R11": "A Ninja in jail does not obliterate: Adaptability is an action of his.",
    "EM-R12": "A Ninja without power who uses Adaptability has lost it, unless the use was stopped.",
    "EM-R13": "Adaptability serves once a night: an Obliteration or an Incarceration.",
    "EM-R14": "An invisible action is hidden from Trackers and Watchers, not from Detonation.",
    "EM-R15": "One Protection stops every kill of the night but an Obliteration.",
    "EM-R16": "A powered Serial Bomber's explosion kills everyone who targets him, friend or foe.",
    "EM-R17": "A powered Bomb attacks everyone who has killed him.",
    "EM-R18": "A Bomb killed by an explosion attacks back as well.",
    "EM-R19": "All kills come at once at the end of the night, then those of the killed Bombs.",
    "EM-R20": "An investigator who died in the night has his result all the same.",
    "EM-R21": "Without power, or in jail, an investigator is told nothing; nobody is told of power.",
    "EM-R22": "A Watcher does not see himself.",
    "EM-R23": "One Murder a night: the faction's latest valid line; its carrier's own line names the target.",
    "EM-R24": "The mafia wins when the town does not outnumber it; asked first, even if nobody is left.",
    "EM-R25": "The town wins when at most one mafioso is left and the mafia does not win.",
    "EM-R26": "A tied vote hurts the town most: no elimination, else a power role, else a mafioso, by lot.",
    "EM-R27": "A phase ends early only when every living player has chosen and all agree.",
    "EM-R28": "The town eliminates one player or nobody; missing votes are reported, never invented.",
    "EM-R29": "Each mafioso chooses his role before day 1; who has not is a question to the moderator.",
    "EM-R30": "Once all have chosen, the mafia is told how many of each role there are.",
    "EM-R31": "Days of 72 hours, nights of 24; powers work at night only, so no eliminated Bomb explodes.",
    "EM-R32": "A powered Tracker or Watcher who sees nothing is told “nobody”.",
    "EM-R33": "An incarceration that would undo its own power fails, and its owner targeted nobody with it.",
}
