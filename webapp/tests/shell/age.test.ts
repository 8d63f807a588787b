import { describe, expect, it } from "vitest";
import { dayName, isOldEnough, lagosDay, latestBirthday } from "@/lib/dates";

describe("15 or older, by the day in Lagos", () => {
  const today = "2026-11-20";
  it("a birthday of 15 today passes", () => expect(isOldEnough("2011-11-20", today)).toBe(true));
  it("one of tomorrow does not", () => expect(isOldEnough("2011-11-21", today)).toBe(false));
  it("names the latest birthday that passes", () => expect(latestBirthday(today)).toBe("2011-11-20"));
  it("is a day ahead of UTC from 23:00", () => {
    expect(lagosDay(new Date("2026-11-19T22:59:59Z"))).toBe("2026-11-19");
    expect(lagosDay(new Date("2026-11-19T23:00:00Z"))).toBe("2026-11-20");
  });
  it("a leap day's child waits for 1 March in a short year", () => {
    expect(isOldEnough("2012-02-29", "2027-02-28")).toBe(false);
    expect(isOldEnough("2012-02-29", "2027-03-01")).toBe(true);
  });
});

describe("days are named as Lagos has them", () => {
  const now = new Date("2026-11-19T23:30:00Z");
  it("today and yesterday", () => {
    expect(dayName("2026-11-19T23:05:00Z", now)).toBe("Today");
    expect(dayName("2026-11-19T22:05:00Z", now)).toBe("Yesterday");
    expect(dayName("2026-11-01", now)).toBe("Sunday, 1 November 2026");
  });
});
