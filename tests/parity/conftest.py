"""Weka's side in the process of the tests."""

import pytest
from support.java_classes import for_wrapper

from wekaconf.bridge._instances import to_java


@pytest.fixture(scope="module")
def weka(jvm):
    """Weka's side in this process."""
    import weka.classifiers as wrapper
    from weka.core.classes import Random
    from weka.core.dataset import Instances

    class Side:
        evaluation, random, meta = wrapper.Evaluation, Random, wrapper.SingleClassifierEnhancer
        classifier = wrapper.Classifier

        @staticmethod
        def instances(data):
            return Instances(for_wrapper(to_java(data)))

    return Side
