import { describe, expect, it } from "vitest";
import { emblemLetters, emblemOf, emblemsOf } from "@/lib/emblems";
import { tokens } from "@/theme/tokens";
import { Emblem } from "@/ui/Emblem";
import { show } from "../kit/help";

const ids = (count: number, seed: string) => Array.from({ length: count }, (_, at) => `${seed}-${at * 7919}`);

describe("an emblem", () => {
  it("is the same for an id everywhere", () => {
    for (const id of ids(50, "g")) expect(emblemOf(id)).toEqual(emblemOf(id));
    expect(new Set(ids(200, "g").map((id) => emblemOf(id).colour)).size).toBe(8);
    expect(new Set(ids(200, "g").map((id) => emblemOf(id).pattern)).size).toBe(4);
  });

  it("differs in colour from its neighbours in a list", () => {
    for (const list of [ids(300, "a"), ids(300, "b"), Array.from({ length: 9 }, () => "same")]) {
      const colours = emblemsOf(list).map(({ colour }) => colour);
      for (let at = 1; at < colours.length; at++) expect(colours[at], `${at}`).not.toBe(colours[at - 1]);
    }
  });

  it("changes in a list only where the colour of the one before is the same", () => {
    const list = ids(300, "a");
    const looks = emblemsOf(list);
    const changed = list.filter((id, at) => looks[at]?.colour !== emblemOf(id).colour);
    expect(changed.length).toBeGreaterThan(0);
    expect(changed.length).toBeLessThan(list.length / 4);
    list.forEach((id, at) => {
      expect(looks[at]?.pattern).toBe(emblemOf(id).pattern);
    });
  });

  it("has two letters", () => {
    expect(emblemLetters("Yaba Tech Cooperative")).toBe("YC");
    expect(emblemLetters("Alumni")).toBe("AL");
    expect(emblemLetters(" ")).toBe("?");
  });

  it("is no part of what a link around it is called", () => {
    show(<Emblem id="g1" name="Yaba Tech" />, "/");
    const emblem = document.querySelector("[data-emblem]");
    expect(emblem?.getAttribute("data-letters")).toBe("YT");
    expect(emblem?.textContent).toBe("");
    expect(emblem?.getAttribute("aria-hidden")).toBe("true");
  });
});

it("white letters have a contrast of 4.5 on each of the eight colours", () => {
  const channel = (hex: string) => {
    const part = Number.parseInt(hex, 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  const colours = Object.entries(tokens.colors as Record<string, { value: string }>).filter(([name]) =>
    /^face\d$/.test(name),
  );
  expect(colours.length).toBe(8);
  for (const [name, { value }] of colours) {
    const [r = 0, g = 0, b = 0] = (value.slice(1).match(/../g) ?? []).map(channel);
    const contrast = 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05);
    expect(contrast, name).toBeGreaterThanOrEqual(4.5);
  }
});
