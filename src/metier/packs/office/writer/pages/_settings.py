"""Settings of a document, each in the place that the schema asks for."""

from typing import Final

from metier.packs.office.files import XmlElement
from metier.packs.office.writer._session import WriterSession
from metier.packs.office.writer.reading import NAMESPACES, child, make, w

__all__ = ["setting"]

_PART_TYPE: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml."
# Settings that stand before those which are written here, as the schema asks.
_BEFORE_SETTINGS: Final = (
    *("writeProtection", "view", "zoom", "removePersonalInformation", "removeDateAndTime"),
    *("doNotDisplayPageBoundaries", "displayBackgroundShape", "printPostScriptOverText"),
    *("printFractionalCharacterWidth", "printFormsData", "embedTrueTypeFonts", "embedSystemFonts", "saveSubsetFonts"),
    *("saveFormsData", "mirrorMargins", "alignBordersAndEdges", "bordersDoNotSurroundHeader"),
    *("bordersDoNotSurroundFooter", "gutterAtTop", "hideSpellingErrors", "hideGrammaticalErrors", "activeWritingStyle"),
    *("proofState", "formsDesign", "attachedTemplate", "linkStyles", "stylePaneFormatFilter", "stylePaneSortMethod"),
    *("documentType", "mailMerge", "revisionView", "trackRevisions", "doNotTrackMoves", "doNotTrackFormatting"),
    *("documentProtection", "autoFormatOverride", "styleLockTheme", "styleLockQFSet", "defaultTabStop"),
    *("autoHyphenation", "consecutiveHyphenLimit", "hyphenationZone", "doNotHyphenateCaps", "showEnvelope"),
    *("summaryLength", "clickAndTypeStyle", "defaultTableStyle", "evenAndOddHeaders", "bookFoldRevPrinting"),
    *("bookFoldPrinting", "bookFoldPrintingSheets", "drawingGridHorizontalSpacing", "drawingGridVerticalSpacing"),
    *("displayHorizontalDrawingGridEvery", "displayVerticalDrawingGridEvery", "doNotUseMarginsForDrawingGridOrigin"),
    *("drawingGridHorizontalOrigin", "drawingGridVerticalOrigin", "doNotShadeFormData", "noPunctuationKerning"),
    *("characterSpacingControl", "printTwoOnOne", "strictFirstAndLastChars", "noLineBreaksAfter", "noLineBreaksBefore"),
    *("savePreviewPicture", "doNotValidateAgainstSchema", "saveInvalidXml", "ignoreMixedContent"),
    *("alwaysShowPlaceholderText", "doNotDemarcateInvalidXml", "saveXmlDataOnly", "useXSLTWhenSaving"),
    *("saveThroughXslt", "showXMLTags", "alwaysMergeEmptyNamespace", "updateFields", "hdrShapeDefaults"),
    *("footnotePr", "endnotePr", "compat", "docVars"),
)


def setting(session: WriterSession, name: str, *, is_made: bool = False) -> XmlElement | None:
    """A setting of the document; with `is_made` it is put in its place if it is missing."""
    package = session.package
    part = next((one for one in package.list_relations(package.main_part, "settings") if one in package), "")
    if not part:
        if not is_made:
            return None
        part = "word/settings.xml"
        content = f'<w:settings xmlns:w="{NAMESPACES["w"]}"/>'
        package.add(part, content.encode(), f"{_PART_TYPE}settings+xml")
        package.add_relation(package.main_part, "settings", part)
    root = package.xml(part)
    found = child(root, name)
    if found is None and is_made:
        found = make(name)
        before = {w(one) for one in _BEFORE_SETTINGS[: _BEFORE_SETTINGS.index(name)]}
        root.insert(max((at + 1 for at, one in enumerate(root) if one.tag in before), default=0), found)
    if is_made:
        package.touch(part)
    return found
