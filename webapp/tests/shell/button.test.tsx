import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { Button, type ButtonSize, type ButtonVariant } from "@/ui/Button";
import { show } from "../kit/help";

const variants: ButtonVariant[] = ["primary", "secondary", "success", "danger", "warning", "outline", "ghost", "link"];
const sizes: ButtonSize[] = ["xs", "sm", "md", "lg", "xl"];

describe("the shared button", () => {
  it("is primary, middle-sized and of type button unless told", () => {
    show(<Button>Pay</Button>);
    const button = screen.getByRole("button", { name: "Pay" });
    expect([button.getAttribute("type"), button.dataset.variant, button.dataset.size]).toEqual([
      "button",
      "primary",
      "md",
    ]);
  });

  it("has eight variants and five sizes that look apart", () => {
    show([
      ...variants.map((variant) => (
        <Button key={variant} variant={variant}>
          {variant}
        </Button>
      )),
      ...sizes.map((size) => (
        <Button key={size} size={size}>
          {size}
        </Button>
      )),
    ]);
    const looks = (names: string[]) => new Set(names.map((name) => screen.getByRole("button", { name }).className));
    expect(looks(variants).size).toBe(8);
    expect(looks(sizes).size).toBe(5);
  });

  it("has its icon on the left, and on the right when told", () => {
    show(
      <>
        <Button icon={<i>icon</i>}>left</Button>
        <Button icon={<i>icon</i>} iconPosition="right">
          right
        </Button>
      </>,
    );
    expect(screen.getAllByRole("button").map((button) => button.textContent)).toEqual(["iconleft", "righticon"]);
  });

  it("while loading is disabled, and a spinner stands where its icon was", async () => {
    const onClick = vi.fn();
    show(
      <Button loading icon={<i>icon</i>} onClick={onClick}>
        Pay
      </Button>,
    );
    const button = screen.getByRole("button", { name: "Pay" });
    expect(button).toHaveProperty("disabled", true);
    expect(button.querySelector("[data-spinner]")).toBeTruthy();
    expect(button.textContent).toBe("Pay");
    await userEvent.click(button, { pointerEventsCheck: 0 });
    expect(onClick).not.toHaveBeenCalled();
  });
});
