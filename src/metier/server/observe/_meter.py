"""Prometheus metrics in a registry of the server's own."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from metier.server.stream import Hub
from metier.store import Event


class Meter:
    """Metrics counted from stored events; register `observe` as an observer of the runtime."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._turns = Counter("metier_turns", "Turns that ended, by how.", ["state"], registry=self.registry)
        self._events = Counter("metier_events", "Stored events, by kind.", ["kind"], registry=self.registry)
        self._calls = Counter("metier_tool_calls", "Tool calls that ran.", registry=self.registry)
        self._violations = Counter(
            "metier_violations", "Calls the gate refused, by layer.", ["layer"], registry=self.registry
        )
        self._route = Histogram(
            "metier_route_ms",
            "How long choosing a skill took, in milliseconds.",
            buckets=(1, 2, 5, 10, 20, 50, 100, 200, 500),
            registry=self.registry,
        )
        self._streams = Gauge("metier_streams", "Event streams that are open.", registry=self.registry)
        self._frames = Gauge("metier_stream_frames", "Frames sent to streams since the start.", registry=self.registry)

    def watch(self, hub: Hub) -> None:
        """Read the hub's counts whenever the metrics are scraped."""
        self._streams.set_function(lambda: hub.stream_count)
        self._frames.set_function(lambda: hub.frames_sent)

    def observe(self, event: Event) -> None:
        """Count a stored event."""
        self._events.labels(event.kind).inc()
        if event.kind in ("turn.done", "turn.failed"):
            self._turns.labels(event.kind.removeprefix("turn.")).inc()
        elif event.kind == "pause.opened":
            self._turns.labels("paused").inc()
        elif event.kind == "tool.called":
            self._calls.inc()
        elif event.kind == "tool.violation":
            self._violations.labels(str(event.data.get("layer", ""))).inc()
        elif event.kind == "skill.routed":
            self._observe_route_time(event.data.get("elapsed_ms"))

    def render(self) -> bytes:
        """Render the metrics in Prometheus text format."""
        return generate_latest(self.registry)

    def _observe_route_time(self, elapsed_ms: object) -> None:
        if isinstance(elapsed_ms, int | float):
            self._route.observe(elapsed_ms)
