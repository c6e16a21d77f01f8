"""The contract of methods: fitted on a tree, they give answers with certainties, reasons and explanations."""
