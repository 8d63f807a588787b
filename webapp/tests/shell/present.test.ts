import { readdirSync, readFileSync } from "node:fs";
import { HttpResponse, http } from "msw";
import { afterEach, expect, it, vi } from "vitest";
import { getAjoData } from "@/api/ajos";
import { until } from "@/lib/dates";
import { hearTime, present } from "@/lib/present";
import { invitation } from "../kit/ajo";
import { origin } from "../kit/help";
import { network } from "../kit/network";

afterEach(() => {
  vi.useRealTimers();
});

it("goes by the server's clock where the device's is off", async () => {
  const tomorrow = new Date(Date.now() + 86_400_000);
  network.use(
    http.get(`${origin}/api/Ajo/GetAjoDataById/a1`, () =>
      HttpResponse.json(
        { isSuccessful: true, message: "", returnedCode: "OK", returnedObject: invitation() },
        { headers: { Date: tomorrow.toUTCString() } },
      ),
    ),
  );
  await getAjoData("a1");
  expect(Math.abs(present().getTime() - tomorrow.getTime())).toBeLessThan(10_000);
  expect(until(tomorrow.toISOString())).toMatch(/^\d\d:\d\d$/);
});

it("leaves the clock alone while both may agree", () => {
  vi.useFakeTimers({ now: new Date("2026-11-29T10:00:00.900Z") });
  const sentAt = Date.now() - 300;
  hearTime("Sun, 29 Nov 2026 10:00:00 GMT", sentAt);
  expect(present().toISOString()).toBe("2026-11-29T10:00:00.900Z");
  hearTime("Sun, 29 Nov 2026 10:00:02 GMT", sentAt);
  expect(present().toISOString()).toBe("2026-11-29T10:00:02.000Z");
  hearTime("Sun, 29 Nov 2026 09:59:58 GMT", sentAt);
  expect(present().toISOString()).toBe("2026-11-29T09:59:59.299Z");
  hearTime(null, sentAt);
  hearTime("soon", sentAt);
  expect(present().toISOString()).toBe("2026-11-29T09:59:59.299Z");
});

it("is what every day and countdown goes by: nothing else asks the device for the time", () => {
  // The clock itself, the times of calls and streams, and the age of what the device kept while it had no network.
  const allowed = ["api/client.ts", "api/live.ts", "lib/present.ts", "store/offline.ts"];
  const asks = readdirSync("src", { recursive: true, encoding: "utf8" }).filter(
    (file) => /\.tsx?$/.test(file) && /Date\.now\(|new Date\(\)|\bDate\(\)/.test(readFileSync(`src/${file}`, "utf8")),
  );
  expect(asks.filter((file) => !allowed.includes(file))).toEqual([]);
});
