"""Pictures for papers, one per file: each draws on axes that it is given, and into a file.

Commands, displays of estimators and replications share them. Pictures of ``plot`` have no title: a paper has captions,
and they are the author's.
"""
