"""What is said when a number format is not known."""


class UnknownFormat(ValueError):
    """The number format has something that is not known here."""
