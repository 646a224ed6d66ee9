import { afterEach, expect, test, vi } from "vitest";
import { ApiError, get, giveKey, keyNeeded, keyRefused } from "../../src/app/api";

afterEach(() => {
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

test("an error body becomes an error with code, sentence and hint", async () => {
  const body = { error: { code: "conversation_busy", message: "a turn is running", hint: "wait" } };
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify(body), { status: 409 }));
  await expect(get("/api/x")).rejects.toEqual(new ApiError(409, "conversation_busy", "a turn is running", "wait"));
});

test("an answer that is no JSON is an error too", async () => {
  vi.stubGlobal("fetch", async () => new Response("<h1>Bad gateway</h1>", { status: 502 }));
  await expect(get("/api/x")).rejects.toMatchObject({ status: 502, code: "http_502" });
});

test("a missing key is asked for, and the call goes on with it", async () => {
  const keys: (string | undefined)[] = [];
  vi.stubGlobal("fetch", async (_: string, init: RequestInit) => {
    const key = (init.headers as Record<string, string>)["Authorization"];
    keys.push(key);
    return key ? new Response('{"ok":true}') : new Response("{}", { status: 401 });
  });
  const asked = get("/api/x");
  await vi.waitFor(() => expect(keyNeeded.value).toBe(true));
  giveKey("geheim");
  await expect(asked).resolves.toEqual({ ok: true });
  expect(keys).toEqual([undefined, "Bearer geheim"]);
  expect([keyNeeded.value, keyRefused.value]).toEqual([false, false]);
});

test("a key that the server does not know is asked for again", async () => {
  vi.stubGlobal("fetch", async (_: string, init: RequestInit) => {
    const right = (init.headers as Record<string, string>)["Authorization"] === "Bearer richtig";
    return right ? new Response('{"ok":true}') : new Response("{}", { status: 401 });
  });
  const asked = Promise.all([get("/api/x"), get("/api/y")]);
  await vi.waitFor(() => expect(keyNeeded.value).toBe(true));
  giveKey("falsch");
  await vi.waitFor(() => expect([keyNeeded.value, keyRefused.value]).toEqual([true, true]));
  giveKey("richtig");
  await expect(asked).resolves.toEqual([{ ok: true }, { ok: true }]);
});
