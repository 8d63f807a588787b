import { describe, expect, it } from "vitest";
import { rules } from "@/features/people/account";
import { folded } from "@/lib/letters";

describe("what people write", () => {
  it("is found however they write it", () => {
    for (const text of ["ẸGBẸ́", "egbẹ́", "Egbe", "ẸGBẸ́".normalize("NFD")]) expect(folded(text)).toBe("egbe");
    expect(folded("Ɗanƙano")).toBe("dankano");
    expect(folded("ʼYar Adu’a")).toBe("yar adua");
    expect(folded("Łódź Straße")).toBe("lodz strasse");
    expect(folded("李")).toBe("李");
  });

  it("may be a phone number in the usual ways", () => {
    const { validate } = rules.phone;
    for (const phone of ["08031234567", "0803-123-4567", "+234 (0) 803 123 4567", "00234 803 123 4567", "8031234567"])
      expect(validate(phone)).toBe(true);
    expect(validate("​+2348031234567‬")).toBe(true);
    for (const phone of ["0803123456", "+447911123456", "abc"]) expect(typeof validate(phone)).toBe("string");
  });
});
