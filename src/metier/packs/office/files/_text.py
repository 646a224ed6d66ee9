"""Text files of any encoding that people use."""


def decode_text(content: bytes) -> str:
    """Text of a file in UTF-8 or, failing that, GB 18030."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("gb18030", "replace")
