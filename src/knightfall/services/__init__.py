"""Services: a package or module a subject, whose functions return typed, frozen answers and print nothing.

From below: `session` (what belongs together once), `running` (a game as it stands or stood), `threads`,
`guard` and `publish`; on them `count`, `window`, `day`, `posts`, `game`, `watch` and `keep`, each importing
downwards only. Each answer has `to_dict()`: the published JSON values without their schema number.
"""
