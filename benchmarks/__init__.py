"""Comparisons with other libraries; they run from a checkout and are not part of the installed package."""
