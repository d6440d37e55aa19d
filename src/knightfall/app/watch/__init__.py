"""How are a game's threads followed so that the moderator hears at once of what cannot wait?

Pure: `sight` (what is news in a look), `asking`, `altered`, `alarms`, `which_day`, `schedule`, `quiet`. With
the world: `looking`, `ending`, `telling`, `channels`, and `watch`, which goes round.
"""
