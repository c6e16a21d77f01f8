import pytest
from matplotlib import pyplot


@pytest.fixture(autouse=True)
def no_figure_stays_open():
    """Displays draw with pyplot, which warns of more than twenty open figures."""
    yield
    pyplot.close("all")
