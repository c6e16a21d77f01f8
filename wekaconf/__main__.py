"""``python -m wekaconf``."""

from wekaconf.cli import run

if __name__ == "__main__":
    run()
