def exam_parse_questions(**kwargs) -> dict:
    """Split the text of an exam into questions."""
    lines = [line.strip() for line in kwargs["doc_text"].splitlines() if line.strip()]
    return {"count": len(lines), "questions": lines[:50]}
