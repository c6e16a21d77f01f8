"""Write tests/golden/models/: small ``.model`` files of other versions of Weka, with those versions' own answers.

``python scripts/make_golden_models.py WEKA_JAR ...`` needs a JDK on PATH. A jar may lie among the jars that it needs.
Weka 3.9.5 comes in python-weka-wrapper3 0.2.0, 3.9.3 in python-weka-wrapper 0.3.18 (``pip download --no-deps``), 3.6.14
in Debian's package weka; its models are there to be refused.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "tests" / "golden" / "models"
DATA = ROOT / "arff" / "missing-weights.arff"
SCHEMES = {
    "j48": "weka.classifiers.trees.J48 -M 20",
    "j48-binary-laplace": "weka.classifiers.trees.J48 -B -U -A -M 30",
    "reptree": "weka.classifiers.trees.REPTree -L 2",
    "randomtree": "weka.classifiers.trees.RandomTree -depth 2 -K 3",
    "randomforest": "weka.classifiers.trees.RandomForest -I 3 -depth 2",
    "filtered": 'weka.classifiers.meta.FilteredClassifier -F "weka.filters.MultiFilter '
    "-F weka.filters.unsupervised.attribute.ReplaceMissingValues "
    '-F \\"weka.filters.unsupervised.attribute.Discretize -B 4\\" '
    '-F \\"weka.filters.unsupervised.attribute.Remove -R 2\\"" -W weka.classifiers.trees.J48 -- -M 40',
    "bagging": "weka.classifiers.meta.Bagging -I 2 -W weka.classifiers.trees.J48 -- -M 60",
}
N_ASKED = 40
SOURCE = """
import java.io.*;
import weka.classifiers.*;
import weka.core.*;

public class Golden {
  public static void main(String[] given) throws Exception {
    Instances data = weka.core.converters.ConverterUtils.DataSource.read(given[0]);
    data.setClassIndex(data.numAttributes() - 1);
    for (int i = 2; i < given.length; i += 2) {
      String[] scheme = Utils.splitOptions(given[i + 1]);
      String name = scheme[0];
      scheme[0] = "";
      Classifier classifier = (Classifier) Class.forName(name).getDeclaredConstructor().newInstance();
      ((OptionHandler) classifier).setOptions(scheme);
      classifier.buildClassifier(data);
      String path = given[1] + "-" + given[i];
      SerializationHelper.writeAll(path + ".model", new Object[] {classifier, new Instances(data, 0)});
      try (PrintWriter answers = new PrintWriter(path + ".txt", "UTF-8")) {
        for (int row = 0; row < ASKED; row++) {
          for (double share : classifier.distributionForInstance(data.instance(row))) {
            answers.print(Double.toHexString(share) + " ");
          }
          answers.print("\\n");
        }
      }
    }
  }
}
"""


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        source = Path(temporary) / "Golden.java"
        source.write_text(SOURCE.replace("ASKED", str(N_ASKED)), encoding="utf-8")
        for jar in map(Path, sys.argv[1:]):
            path = ":".join(map(str, sorted(jar.parent.glob("*.jar"))))
            version = subprocess.run(
                ["java", "-cp", path, "weka.core.Version"], capture_output=True, text=True, check=True
            ).stdout.split()[0]
            schemes = {"j48": SCHEMES["j48"]} if version.startswith("3.6") else SCHEMES
            command = ["java", "--add-opens", "java.base/java.lang=ALL-UNNAMED", "-cp", path, str(source)]
            arguments = [part for scheme in schemes.items() for part in scheme]
            subprocess.run([*command, str(DATA), str(FOLDER / f"weka-{version}"), *arguments], check=True)
    for made in sorted(FOLDER.iterdir()):
        print(f"{made.relative_to(ROOT)}: {made.stat().st_size} bytes")


if __name__ == "__main__":
    main()
