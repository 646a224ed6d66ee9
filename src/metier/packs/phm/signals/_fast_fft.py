"""Transform lengths that are quick: a prime length takes eight times as long as the next composite one."""


def fast_length(count: int) -> int:
    """Smallest even length of at least `count` that the FFT handles quickly."""
    from scipy import fft

    length = int(fft.next_fast_len(count, real=True))
    while length % 2:
        length = int(fft.next_fast_len(length + 1, real=True))
    return length
