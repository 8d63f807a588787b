import { ChakraProvider } from "@chakra-ui/react";
import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { amountText, briefNaira, formatKobo, formatNaira, parseAmount, sumKobo, toKobo, toNaira } from "@/lib/money";
import { system } from "@/theme/system";
import { Naira } from "@/ui/money/Naira";

describe("amounts are shown in naira with thousands and kobo", () => {
  it.each([
    [0, "₦0.00"],
    [5, "₦0.05"],
    [500_00, "₦500.00"],
    [517_767, "₦5,177.67"],
    [135_425_050, "₦1,354,250.50"],
    [-1_250_050, "−₦12,500.50"],
  ])("%i kobo", (kobo, text) => expect(formatKobo(kobo)).toBe(text));

  it("takes the contract's naira without losing a kobo", () => {
    expect(formatNaira(5177.67)).toBe("₦5,177.67");
    expect(toKobo(1.005 * 100)).toBe(10050);
    for (let kobo = 0; kobo < 20_000; kobo++) expect(toKobo(toNaira(kobo))).toBe(kobo);
  });

  it("adds in kobo, where naira as floats would drift", () => {
    expect(0.1 + 0.2).not.toBe(0.3);
    expect(sumKobo([0.1, 0.2])).toBe(30);
  });
});

describe("amounts are read as people type them", () => {
  it.each([
    ["5000", 500_000],
    ["5,000.50", 500_050],
    ["₦ 5,000", 500_000],
    ["0.5", 50],
    ["5.", 500],
    ["1,234,567.89", 123_456_789],
    ["1 000", 100_000],
    ["12\u00a0500.50", 1_250_050],
    [" \u20a65,000 ", 500_000],
  ])("%s", (text, kobo) => expect(parseAmount(text)).toEqual({ kobo }));

  it.each([
    ["", "empty"],
    ["0", "zero"],
    ["0.00", "zero"],
    ["-5", "form"],
    ["5.001", "form"],
    ["5,00", "form"],
    ["1e3", "form"],
    ["five", "form"],
    ["5k", "form"],
    ["5.000,00", "form"],
    ["0.005", "form"],
    ["1 50", "form"],
    ["1 000 5", "form"],
    ["50₦00", "form"],
    ["٥٠٠", "form"],
    ["999999999999999", "large"],
  ])("%s is refused", (text, fault) => expect(parseAmount(text)).toEqual({ fault }));

  it("is tidied up when left", () => expect(amountText(500_050)).toBe("5,000.50"));
});

describe("<Naira>", () => {
  const show = (element: React.ReactNode) => render(<ChakraProvider value={system}>{element}</ChakraProvider>);

  it("says in and out by sign and word, not by colour alone", () => {
    show(<Naira amount={5000} direction="in" />);
    expect(screen.getByText(/in$/).parentElement?.textContent).toBe("+₦5,000.00in");
    show(<Naira amount={5000} direction="out" />);
    expect(screen.getByText(/out$/).parentElement?.textContent).toBe("−₦5,000.00out");
  });
});

describe("amounts of a chart are brief", () => {
  it.each([
    [0, "–"],
    [0.5, "₦1"],
    [999, "₦999"],
    [1000, "₦1k"],
    [18_450, "₦18.5k"],
    [123_450, "₦123k"],
    [999_400, "₦999k"],
    [999_950, "₦1m"],
    [2_340_000, "₦2.3m"],
    [999_400_000, "₦999m"],
    [45_600_000_000, "₦45.6b"],
    [999_999_999_999.99, "₦1t"],
  ])("%f naira", (naira, text) => expect(briefNaira(naira)).toBe(text));
});
