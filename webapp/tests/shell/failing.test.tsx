import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Link, Outlet } from "react-router";
import { expect, it, vi } from "vitest";
import { failed } from "@/app/router";
import { showRoutes } from "../kit/help";

function Broken(): never {
  throw new Error("A fault of a screen.");
}

it("a screen that fails to render leaves its frame, and another address tries again", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const frame = (
    <>
      <Link to="/sound">elsewhere</Link>
      <Outlet />
    </>
  );
  const screens = [
    { path: "/broken", element: <Broken /> },
    { path: "/sound", element: <p>sound</p> },
  ];
  showRoutes([{ element: frame, children: [{ errorElement: failed, children: screens }] }], "/broken");
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("Please try again later.");
  await userEvent.click(screen.getByRole("link", { name: "elsewhere" }));
  expect(await screen.findByText("sound")).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
});
