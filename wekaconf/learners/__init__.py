"""The growers that are not Weka's."""
