"""Studies of many data sets, protocols, learners and methods: read, run, looked at and exported."""

from wekaconf.experiments.studies._running import StudyStatus, export, run_study, study_in, study_status, unfinished
from wekaconf.experiments.studies._study import Study, read_study

__all__ = ["Study", "StudyStatus", "export", "read_study", "run_study", "study_in", "study_status", "unfinished"]
