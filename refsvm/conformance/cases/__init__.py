"""The problems of the audit, each aimed at a bug, with their exact optima."""
