"""The attacks of scripts/attack.py, which tells what one is; modules with an underscore are their parts."""
