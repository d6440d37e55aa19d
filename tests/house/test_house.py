"""The house rules that a machine can check."""

import re

from house.manual import PAGES, ROOT
from knightfall import errors
from knightfall.forums import FORUMS

SOURCE = ROOT / "src" / "knightfall"
MODULES = sorted(SOURCE.rglob("*.py"))


def test_every_module_says_what_it_answers() -> None:
    texts = {str(path.relative_to(SOURCE)): path.read_text(encoding="utf-8") for path in MODULES}
    assert [name for name, text in texts.items() if text.strip() and not says_what_it_is(text)] == []


def says_what_it_is(text: str) -> bool:
    """Whether a module begins with a docstring. Its first statement is all that is parsed."""
    first = next((line for line in text.splitlines() if line.strip() and not line.startswith("#")), "")
    return first.startswith(('"""', 'r"""'))


def test_every_module_stays_small() -> None:
    assert [path.name for path in MODULES if path.read_text(encoding="utf-8").count("\n") > 1000] == []


def test_no_module_is_a_drawer_for_everything() -> None:
    drawers = {"utils", "helpers", "manager", "common", "misc"}
    assert [path for path in MODULES if path.stem in drawers] == []


def test_every_exception_is_raised_somewhere() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in MODULES if path.name != "errors.py")
    leaves = [
        name
        for name, value in vars(errors).items()
        if isinstance(value, type)
        and issubclass(value, errors.KnightfallError)
        and not value.__subclasses__()
    ]
    assert [name for name in leaves if not re.search(rf"\b{name}\(", text)] == []


def test_the_tree_of_errors_is_drawn_in_its_docstring() -> None:
    drawn = errors.__doc__ or ""
    names = [name for name, value in vars(errors).items() if isinstance(value, type)]
    assert [name for name in names if name not in drawn] == []


def test_platforms_have_names_of_their_own() -> None:
    names = [forum.name for forum in FORUMS]
    assert len(set(names)) == len(names)


def test_no_absolute_path_of_a_machine_stands_in_the_project() -> None:
    scripts = (file for file in (ROOT / "scripts").rglob("*") if file.parent.name != "__pycache__")
    places = [*MODULES, *sorted(scripts), *PAGES, ROOT / "pyproject.toml"]
    pattern = re.compile(r"(?<![\w.])/(?:home|root|work|Users)/")
    hits = [
        p for p in places if p.is_file() and pattern.search(p.read_text(encoding="utf-8", errors="ignore"))
    ]
    assert hits == []
