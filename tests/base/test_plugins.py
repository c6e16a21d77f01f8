"""Methods and learners of other packages: docs/plugins.md to the letter, and claims that cannot be met."""

import json
import os
import subprocess
import sys
import sysconfig

import docs_code
import numpy as np
import pytest
from support.fresh_python import IRIS, finished

import wekaconf as wc
from wekaconf.base import plugins as module
from wekaconf.base.stored import RECORD

BLOCKS = [block for block in docs_code.blocks(docs_code.ROOT / "docs" / "plugins.md") if block.title]
BASE = """
from wekaconf.methods.leaf_frequency import LeafFrequency
class Other(LeafFrequency, name={name!r}):
    "Another method."
    reference = ""
"""


def installed(folder, package, claims, code=None, version="1.0", group="methods", module=None):
    """The folder of an installed package whose entry points make these claims; its one module holds the code."""
    module = module or package.replace("-", "_")
    facts = folder / f"{package.replace('-', '_')}-{version}.dist-info"
    facts.mkdir(parents=True)
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n")
    lines = "\n".join(f"{name} = {value}" for name, value in claims.items())
    (facts / "entry_points.txt").write_text(f"[wekaconf.{group}]\n{lines}\n")
    if code is not None:
        (folder / f"{module}.py").write_text(code)
    return folder


def with_path(*folders):
    return {"PYTHONPATH": os.pathsep.join([*map(str, folders), *filter(None, sys.path)])}


def test_claims_of_packages_are_found_by_name(tmp_path, monkeypatch):
    code = "class One(dict): name = 'one'\nclass Two(dict): name = 'two'\n"
    installed(tmp_path, "pack-b", {"two": "pack_b:Two", "one": "pack_b:One"}, code)
    installed(tmp_path, "pack-a", {"one": "pack_a:One"}, version="2.0")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(module, "plugins", module.plugins.__wrapped__)
    found = module.plugins("method")
    assert [name for name in found if name in {"one", "two"}] == ["one", "two"]
    assert [(each.kind, each.name, str(each), each.entry.value) for each in found["one"]] == [
        ("method", "one", "pack-a 2.0", "pack_a:One"), ("method", "one", "pack-b 1.0", "pack_b:One")
    ]  # fmt: skip
    two = module.load_plugin("method", "two", dict)
    assert two.__name__ == "Two" and module.load_plugin("method", "three", dict) is None
    assert module.claims_of("learner", "one") == ()
    assert module.packages_of(method=two, learner=wc.CART) == {"pack-b": "1.0"}
    both = "method 'one': the packages pack-a 2.0 and pack-b 1.0 both have one; uninstall all but one of them"
    other = "method 'two' of the package pack-b 1.0: pack_b:Two is not a subclass of list with name='two'"
    for name, contract, told in (("one", dict, both), ("two", list, other)):
        with pytest.raises(wc.OptionError) as refused:
            module.load_plugin("method", name, contract)
        assert str(refused.value) == told


def wekaconf(*arguments, cwd, folders=(), check=True):
    """What the command prints, and says on standard error, with these folders of installed packages."""
    done = subprocess.run(
        [sys.executable, "-m", "wekaconf", *map(str, arguments)], cwd=cwd, env=os.environ | with_path(*folders),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    assert not check or done.returncode == 0, done.stderr
    return done


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """An environment in which pip has installed the package of the page; it sees the libraries of this one."""
    folder = tmp_path_factory.mktemp("plugin")
    for block in BLOCKS:
        path = folder / block.title
        path.parent.mkdir(exist_ok=True)
        path.write_text(block.code)
    subprocess.run([sys.executable, "-m", "venv", folder / "env"], check=True)
    python = folder / "env" / "bin" / "python"
    libraries = folder / "env" / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    here = [docs_code.ROOT, sysconfig.get_paths()["purelib"], sysconfig.get_paths()["platlib"]]
    (libraries / "libraries.pth").write_text("\n".join(map(str, dict.fromkeys(here))))
    subprocess.run(
        [python, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index", folder / "halfway"],
        check=True, env=os.environ | {"PYTHONPATH": ""},
    )  # fmt: skip
    return folder


def tried(environment, *words):
    """A command in the environment, and how it ends."""
    return subprocess.run(
        [environment / "env" / "bin" / "python", *map(str, words)], cwd=environment,
        env=os.environ | {"PYTHONPATH": ""}, capture_output=True, text=True, check=False,
    )  # fmt: skip


def run(environment, *words):
    """What a command in the environment prints; it ends well."""
    done = tried(environment, *words)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.one_commit_in(3)
def test_the_package_of_the_page(environment, jvm):
    listed = run(environment, "-m", "wekaconf", "list", "methods")
    assert listed.endswith("'wekaconf list methods NAME' imports and describes one\n    halfway (halfway 1.0)\n")
    described = run(environment, "-m", "wekaconf", "list", "methods", "halfway")
    assert "A mean of the tree's answer" in described and described.endswith("From the package halfway 1.0.\n")
    table = run(environment, "-m", "wekaconf", "evaluate", IRIS, "--method", "halfway:share=0.3", "-q")
    assert "with halfway 1.0" in table and "halfway:share=0.3" in table
    run(environment, "-m", "wekaconf", "fit", IRIS, "--method", "halfway", "-d", "m.wct", "-q")
    assert "halfway" in run(environment, "-m", "wekaconf", "show", "m.wct", "--allow-plugin", "halfway")
    answers = run(environment, "-m", "wekaconf", "predict", "m.wct", IRIS, "--allow-plugin", "halfway")
    assert len(answers.splitlines()) == 151


@pytest.mark.one_commit_in(3)
def test_a_model_of_another_package_is_opened_only_where_that_is_allowed(environment, jvm, tmp_path):
    run(environment, "-m", "wekaconf", "fit", IRIS, "--method", "halfway", "-d", "m.wct", "-q")
    code = (
        "import sys, wekaconf as wc\n"
        "def tried(**given):\n"
        "    try: wc.load('m.wct', **given)\n"
        "    except wc.ModelFileError as error: print(error)\n"
        "    print('halfway' in sys.modules)\n"
        "tried(); tried(plugins=['other']); tried(plugins=['halfway'])\n"
    )
    says = "m.wct: holds the method 'halfway' and says that it is of the package 'halfway' '1.0'"
    allow = f"{says}; if you trust that package, allow it: plugins=['halfway']"
    assert run(environment, "-c", code).splitlines() == [allow, "False", allow, "False", "True"]
    other = ", and '2.0' is installed; fit and save the model again with it"
    for version, end in ((None, ", which is not installed"), ("2.0", other)):
        folder = tmp_path / str(version)
        folder.mkdir()
        if version is not None:
            installed(folder, "halfway", {"halfway": "halfway:Halfway"}, "raise SystemExit('imported')", version)
        refused = wekaconf("show", environment / "m.wct", "--allow-plugin", "halfway", cwd=tmp_path, folders=[folder],
                           check=False)  # fmt: skip
        assert refused.returncode == 1
        assert " ".join(refused.stderr.split()).endswith(says.removeprefix("m.wct: ") + end)
    asked = tried(environment, "-m", "wekaconf", "predict", "m.wct", IRIS)
    assert asked.returncode == 1 and "Traceback" not in asked.stderr
    assert " ".join(asked.stderr.split()).endswith("allow it: --allow-plugin 'halfway'")


@pytest.mark.one_commit_in(3)
def test_its_estimator_is_cloned_searched_and_pickled(environment, jvm):
    code = """
import pickle
import numpy as np
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from wekaconf.sklearn import ConfDTreeClassifier, classifier_of
assert classifier_of("confdtree") is ConfDTreeClassifier
Halfway = classifier_of("halfway")
assert classifier_of("halfway") is Halfway and Halfway.__name__ == "HalfwayClassifier"
X, y = load_iris(return_X_y=True)
search = GridSearchCV(Halfway(learner="CART"), {"share": [0.1, 0.9]}, cv=3).fit(X, y)
best = clone(search.best_estimator_).fit(X, y)
again = pickle.loads(pickle.dumps(best))
assert np.array_equal(again.predict_proba(X), best.predict_proba(X)), "pickled"
with open("best.pickle", "wb") as file:
    pickle.dump(best, file)
print(best.get_params())
"""
    params = run(environment, "-c", code)
    assert params.startswith("{'learner': 'CART', 'share': ")
    assert run(environment, "-c", "import pickle; print(pickle.load(open('best.pickle', 'rb')).get_params())") == params


@pytest.mark.one_commit_in(3)
def test_the_checks_pass_in_its_own_tests(environment):
    done = run(environment, "-m", "pytest", "-q", "-p", "no:cacheprovider", "halfway/test_halfway.py")
    assert " passed" in done and "failed" not in done


# ---- claims that cannot be met ----


def test_listing_imports_nothing_and_a_claim_on_our_name_is_not_used(tmp_path):
    installed(tmp_path, "greedy", {"confdtree": "greedy:Mine", "other": "greedy:Other"}, "raise SystemExit('imported')")
    installed(tmp_path, "grower", {"J48": "grower:Mine", "bush": "grower:Bush"}, "1 / 0", group="learners")
    methods = wekaconf("list", "methods", cwd=tmp_path, folders=[tmp_path]).stdout
    unused = "not used: wekaconf has a"
    assert f"    confdtree (greedy 1.0), {unused} method of this name\n    other (greedy 1.0)\n" in methods
    assert "\nFrom other packages; 'wekaconf list methods NAME' imports and describes one\n" in methods
    learners = wekaconf("list", "learners", cwd=tmp_path, folders=[tmp_path]).stdout
    assert f"    J48 (grower 1.0), {unused} learner of this name\n    bush (grower 1.0)\n" in learners
    assert "ConfDTree" in wekaconf("list", "methods", "confdtree", cwd=tmp_path, folders=[tmp_path]).stdout


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["list", "methods", "other"], "1 / 0", "cannot be imported: ZeroDivisionError: division by zero; tell those"),
        (["list", "methods", "other"], "raise SystemExit(3)", "cannot be imported: SystemExit: 3; tell those"),
        (["list", "methods", "other"], "Other = 3", "odd:Other is not a subclass of Method with name='other'"),
        (["list", "methods", "other"], BASE.format(name="another"), "is not a subclass of Method"),
        (["evaluate", IRIS, "--method", "other"], "import no_such_module", "ModuleNotFoundError: No module named"),
        (["list", "methods", "othr"], "1 / 0", "no method 'othr'; did you mean 'other'?"),
    ],
)  # fmt: skip
@pytest.mark.drawn(2)
def test_a_package_that_cannot_be_used_is_named(words, code, says, tmp_path):
    installed(tmp_path, "odd", {"other": "odd:Other"}, code)
    refused = wekaconf(*words, cwd=tmp_path, folders=[tmp_path], check=False)
    assert refused.returncode in (1, 2)
    assert says in " ".join(refused.stderr.split())


def test_two_packages_that_claim_a_name(tmp_path):
    for package in ("first", "second"):
        installed(tmp_path, package, {"other": f"{package}:Other"}, BASE.format(name="other"))
    refused = wekaconf("list", "methods", "other", cwd=tmp_path, folders=[tmp_path], check=False)
    told = " ".join(refused.stderr.split())
    assert "method 'other': the packages first 1.0 and second 1.0 both have one; uninstall all but one of them" in told
    assert "other (first 1.0 and second 1.0)" in wekaconf("list", "methods", cwd=tmp_path, folders=[tmp_path]).stdout


@pytest.mark.one_commit_in(3)
def test_a_learner_of_another_package(tmp_path):
    code = (
        "from wekaconf.learners.cart import CART\n"
        "class Bush(CART, name='bush'):\n"
        "    'CART under another name.'\n"
        "    reference = ''\n"
        "    aliases = ()\n"
    )
    installed(tmp_path, "grower", {"bush": "grower:Bush"}, code, group="learners")
    done = finished(
        "import wekaconf as wc, sys\n"
        "data = wc.load_arff(sys.argv[1])\n"
        "tree, cart = wc.grow(data, 'bush prune=none'), wc.grow(data, 'CART prune=none')\n"
        "print(tree.learner, tree.n_nodes == cart.n_nodes)\n"
        "record = wc.evaluate(data, ['leaf_frequency'], learner='bush', folds=2).records[0]\n"
        "print(record['learner'], record['versions']['grower'])\n",
        IRIS, **with_path(tmp_path),
    )  # fmt: skip
    assert done.stdout.split() == ["bush", "True", "bush", "1.0"]


@pytest.mark.one_commit_in(3)
def test_a_new_version_makes_a_store_compute_anew(tmp_path):
    code = (
        "import wekaconf as wc\n"
        "outcome = wc.run_study('study.toml', 'study.sqlite')\n"
        "with wc.Store('study.sqlite') as store:\n"
        "    print(*sorted(record['versions']['odd'] for record, _ in store.results()))\n"
    )
    (tmp_path / "study.toml").write_text(f'data = ["{IRIS}"]\nmethods = ["other"]\nlearners = ["CART"]\nfolds = 2\n')
    for version in ("1.0", "2.0"):
        folder = installed(tmp_path / version, "odd", {"other": "odd:Other"}, BASE.format(name="other"), version)
        assert finished(code, cwd=tmp_path, **with_path(folder)).stdout.strip() == version


@pytest.mark.parametrize(
    "claim", [{"package": 3, "version": "1"}, {"package": "x" * 200, "version": "1"}, {}, "odd", []]
)
def test_a_file_that_lies_about_its_package_is_refused(claim, iris, tmp_path):
    path = tmp_path / "lie.wct"
    wc.Model(wc.method("leaf_frequency").fit(wc.grow(iris, "CART"), iris)).save(path)
    with np.load(path) as parts:
        arrays = dict(parts)
    record = json.loads(arrays[RECORD].tobytes()) | {"plugin": claim}
    arrays[RECORD] = np.frombuffer(json.dumps(record).encode(), dtype=np.uint8)
    with open(path, "wb") as file:
        np.savez(file, **arrays)
    with pytest.raises(wc.ModelFileError, match=r"lie\.wct: "):
        wc.load(path, plugins=["odd"])
