"""Left-out comparison: the router and its peers on catalogs that it was not fitted to."""

from benchmarks.unseen._catalogs import Asked, TestCatalog, load_catalogs
from benchmarks.unseen._measure import CatalogRow, measure

__all__ = ["Asked", "CatalogRow", "TestCatalog", "load_catalogs", "measure"]
