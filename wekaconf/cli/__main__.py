"""``python -m wekaconf.cli``."""

from wekaconf.cli import run

if __name__ == "__main__":
    run()
