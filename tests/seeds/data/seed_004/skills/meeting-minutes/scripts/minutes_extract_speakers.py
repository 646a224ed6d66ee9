def minutes_extract_speakers(**kwargs) -> dict:
    """List the people who speak in a record of a meeting."""
    names = [line.split("：")[0].strip() for line in kwargs["doc_text"].splitlines() if "：" in line]
    return {"speakers": sorted(set(names))}
