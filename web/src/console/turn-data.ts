import { object } from "../events/read";
import type { JsonObject, StoredEvent } from "../generated/api";

/** The turn in what the server answered. */
export function turnOf(data: JsonObject): JsonObject {
  return "turn" in data && typeof data["turn"] === "object" ? object(data["turn"]) : data;
}

/** The events in what the server answered. */
export function eventsOf(data: JsonObject): StoredEvent[] {
  return Array.isArray(data["events"]) ? (data["events"] as unknown as StoredEvent[]) : [];
}
