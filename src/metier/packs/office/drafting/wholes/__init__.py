"""Messages about one text in running words: each word fills a slot or says what holds, or they are not read."""

from metier.packs.office.drafting.wholes._read import Whole, read_whole

__all__ = ["Whole", "read_whole"]
