import { ChakraProvider } from "@chakra-ui/react";
import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { system } from "@/theme/system";
import { BarChart } from "@/ui/money/BarChart";

const one = [{ name: "Contributed", colour: "brandLine" }];
const two = [
  { name: "In", colour: "green" },
  { name: "Out", colour: "grayControl" },
];

function draw(series: typeof two, ...values: number[][]) {
  const groups = values.map((each, at) => ({ key: `${at}`, label: `Month ${at}`, values: each }));
  render(
    <ChakraProvider value={system}>
      <BarChart series={series} groups={groups} />
    </ChakraProvider>,
  );
}

describe("a bar chart", () => {
  it.each([
    [70_000, ["₦80k", "₦40k", "₦0"]],
    [25_000, ["₦30k", "₦15k", "₦0"]],
    [1000, ["₦1k", "₦500", "₦0"]],
    [1_000_001, ["₦2m", "₦1m", "₦0"]],
  ])("of two series has a scale of round figures over %i", (largest, figures) => {
    draw(two, [largest, 0], [0, largest / 3]);
    screen.getByText("In");
    screen.getByText("Month 1");
    expect(screen.getAllByText(/^₦/).map(({ textContent }) => textContent)).toEqual(figures);
  });

  it("of one series says each figure over its bar", () => {
    draw(one, [0], [16_000]);
    screen.getByText("–");
    screen.getByText("₦16k");
    expect(screen.queryByText("Contributed")).toBeNull();
  });
});
