import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { Link, Outlet } from "react-router";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { LeaveGuard } from "@/app/LeaveGuard";
import { EditProfile } from "@/features/people/profile/screens/EditProfile";
import { Profile } from "@/features/people/profile/screens/Profile";
import { profileSource } from "@/store/sources";
import { useStore } from "@/store/store";
import { hasUnsaved } from "@/store/unsaved";
import { useMyPicture } from "@/store/usePicture";
import { Avatar } from "@/ui/Person";
import { account, ada, faultOf, no, origin, show, showRoutes, yes } from "../kit/help";
import { network } from "../kit/network";
import { atProfile, click, edit, field, kept, saveIn } from "../kit/profile";

beforeEach(atProfile);

describe("the profile", () => {
  it("says what is still missing, and leads to its part", async () => {
    show(<Profile />, "/dashboard/profile");
    expect((await screen.findByRole("link", { name: "Go: Add your bank account" })).getAttribute("href")).toBe(
      "/dashboard/profile/edit#bank",
    );
    expect(screen.getByRole("link", { name: "Go: Verify your BVN" })).toBeTruthy();
    expect(screen.getByRole("link", { name: "Go: Add your documents" }).getAttribute("href")).toMatch(/#documents$/);
    expect(screen.queryByRole("link", { name: "Go: Ask a parent or guardian" })).toBeNull();
  });

  it("has nothing to say to who has given it all", async () => {
    kept.mine = {
      ...account,
      bankAccountNumber: "0123456789",
      bankName: "GTBank",
      bvnVerified: true,
      bvnStatus: "VERIFIED",
      utilitybillUrl: "/api/v1/files/1",
      bankAccountStatementUrl: "/api/v1/files/2",
      offerLetterUrl: "/api/v1/files/3",
    };
    show(<Profile />, "/dashboard/profile");
    expect(await screen.findByText("GTBank 0123456789")).toBeTruthy();
    expect(screen.queryByText("Complete your profile")).toBeNull();
  });
});

describe("the personal part", () => {
  it("sends just what was changed, and puts a fault beside its field", async () => {
    await edit({ phone: "+2348031234567" });
    await screen.findByRole("option", { name: "Lagos" });
    await userEvent.selectOptions(field("State"), "lagos");
    await userEvent.type(field(/Home address/), "1 Broad Street");
    await saveIn("Personal");
    await screen.findByText("Saved.");
    expect(kept.saved).toEqual([{ email: ada.email, stateId: "lagos", residentialAddress: "1 Broad Street" }]);
    network.use(
      http.post(`${origin}/api/Account/UpdateUserInfo`, () => no(400, "This number is taken.", "INVALID", "phone")),
    );
    await userEvent.clear(field("Phone number"));
    await userEvent.type(field("Phone number"), "0809 999 9999");
    await saveIn("Personal");
    await screen.findByText("This number is taken.");
    expect(faultOf(field("Phone number"))).toBe("This number is taken.");
    expect(field("Phone number").value).toBe("0809 999 9999");
  });

  it("shows a new name beside the face at once", async () => {
    await edit();
    await userEvent.clear(field("First name"));
    await userEvent.type(field("First name"), "Adaeze");
    await saveIn("Personal");
    await waitFor(() => expect(useStore.getState().session?.firstName).toBe("Adaeze"));
  });
});

describe("salary and documents", () => {
  const picker = (name: string) => {
    const input = document.querySelector<HTMLInputElement>(`[data-picker="${name}"]`);
    if (!input) throw new Error(`no picker ${name}`);
    return input;
  };
  const choose = (name: string, file: File) => fireEvent.change(picker(name), { target: { files: [file] } });
  const pdf = (size = 2048) => new File([new Uint8Array(size)], "light bill.pdf", { type: "application/pdf" });

  it("sends the salary's day as a plain day, and the amount as naira", async () => {
    await edit();
    await userEvent.type(field("Monthly salary"), "250,000.50");
    fireEvent.change(field("Salary day"), { target: { value: "2026-11-28" } });
    await saveIn("Salary & documents");
    await waitFor(() =>
      expect(kept.saved).toEqual([{ email: ada.email, monthlySalaray: 250000.5, dateForSalary: "2026-11-28" }]),
    );
  });

  it("shows the day as it is in Lagos, whatever the hour of the server", async () => {
    await edit({ dateForSalary: "2026-11-27T23:00:00Z", monthlySalaray: 1000 });
    expect([field("Salary day").value, field("Monthly salary").value]).toEqual(["2026-11-28", "1,000.00"]);
  });

  it.each([
    ["an SVG", new File(["<svg/>"], "bill.svg", { type: "image/svg+xml" }), /not a PDF, JPEG or PNG/],
    ["more than 5 MB", pdf(5 * 1024 * 1024 + 1), /larger than 5 MB/],
    ["nothing", pdf(0), /is empty/],
  ])("refuses %s before sending anything", async (_, file, words) => {
    await edit();
    choose("Choose a file: utility bill", file);
    expect((await screen.findByRole("alert")).textContent).toMatch(words);
    expect(document.querySelector("[data-chosen]")).toBeNull();
  });

  it("shows name and size, uploads, saves, and then offers to open and replace", async () => {
    const uploads: { kind: unknown; auth: string | null }[] = [];
    const documents: unknown[] = [];
    network.use(
      http.post(`${origin}/api/file/profile`, async ({ request }) => {
        const kind = (await request.text()).match(/name="kind"\s+(\w+)/)?.[1];
        uploads.push({ kind, auth: request.headers.get("Authorization") });
        return yes({
          id: "f1",
          url: "/api/v1/files/f1",
          kind: "document",
          contentType: "application/pdf",
          bytes: 2048,
        });
      }),
      http.post(`${origin}/api/Account/SaveUtilityBill`, async ({ request }) => {
        documents.push(await request.json());
        kept.mine = { ...kept.mine, utilitybillUrl: "/api/v1/files/f1" };
        return yes(kept.mine, "Kept.");
      }),
    );
    await edit();
    choose("Choose a file: utility bill", pdf());
    expect(await screen.findByText("light bill.pdf")).toBeTruthy();
    expect(screen.getByText("2 KB")).toBeTruthy();
    expect([uploads, hasUnsaved()]).toEqual([[], true]);
    await click("Upload utility bill");
    await screen.findByRole("button", { name: "Open utility bill" });
    expect(uploads).toEqual([{ kind: "document", auth: `Bearer ${ada.token}` }]);
    expect(documents).toEqual([{ email: ada.email, document: "f1" }]);
    expect(screen.getByRole("button", { name: "Replace utility bill" })).toBeTruthy();
    expect(screen.getByRole("button", { name: "Choose a file: offer letter" })).toBeTruthy();
    await waitFor(() => expect(hasUnsaved()).toBe(false));
  });

  it("says beside the document what the server found in it, and keeps the file for another try", async () => {
    network.use(http.post(`${origin}/api/file/profile`, () => no(400, "This is no PDF inside.", "INVALID", "file")));
    await edit();
    choose("Choose a file: utility bill", pdf());
    await click("Upload utility bill");
    expect((await screen.findByRole("alert")).textContent).toBe("This is no PDF inside.");
    expect(screen.getByText("light bill.pdf")).toBeTruthy();
  });

  it("a session that ended while uploading ends here too", async () => {
    network.use(http.post(`${origin}/api/file/profile`, () => no(401, "who?", "UNAUTHENTICATED")));
    await edit();
    choose("Choose a file: utility bill", pdf());
    await click("Upload utility bill");
    await waitFor(() => expect(useStore.getState().ended).toBe("expiry"));
  });
});

describe("the guardian", () => {
  it("is a matter of members of 15 to 17 alone", async () => {
    await edit();
    expect(screen.queryByRole("heading", { name: "Parent or guardian" })).toBeNull();
  });

  it("is asked by name, address and relationship", async () => {
    const asked: unknown[] = [];
    network.use(
      http.post(`${origin}/api/v1/account/guardian`, async ({ request }) => {
        const body = (await request.json()) as object;
        asked.push(body);
        return yes({ ...body, status: "ASKED" }, "Sent.");
      }),
    );
    await edit({ needsGuardian: true, dateOfBirth: "2010-05-17" });
    await userEvent.type(field("Their full name"), "Funke Obi");
    await userEvent.type(field("Their email"), "funke@example.com");
    await userEvent.selectOptions(field("Who they are to you"), "GUARDIAN");
    await click("Ask for consent");
    expect(await screen.findByText(/We wrote to Funke Obi/)).toBeTruthy();
    expect(asked).toEqual([{ name: "Funke Obi", email: "funke@example.com", relationship: "GUARDIAN" }]);
  });
});

describe("what one is told", () => {
  it("is switched per type; security alerts always come", async () => {
    const sent: unknown[] = [];
    network.use(
      http.post(`${origin}/api/Account/UpdateUserSettings`, async ({ request }) => {
        const body = (await request.json()) as { settings: unknown };
        sent.push(body);
        return yes(body.settings, "Saved.");
      }),
    );
    await edit();
    const alert = field(/^Security alerts.*: In the app$/);
    expect([alert.disabled, alert.checked]).toEqual([true, true]);
    await userEvent.click(field("A contribution arrives: By email"));
    await saveIn("Notifications");
    await waitFor(() =>
      expect(sent).toEqual([
        {
          email: ada.email,
          settings: { inApp: true, email: true, mutedInApp: [], mutedEmail: ["payment_received"] },
        },
      ]),
    );
    await userEvent.click(field("By email too"));
    expect(field("A payment fails: By email").disabled).toBe(true);
    expect(field(/^Security alerts.*: By email$/).checked).toBe(true);
  });
});

const MyAvatar = () => <Avatar id={ada.id} name="Ada Obi" picture={useMyPicture()} />;

describe("a picture", () => {
  it("is read with the bearer, once, and never linked to; until then the initials stand", async () => {
    const asked: (string | null)[] = [];
    network.use(
      http.get(`${origin}/api/v1/files/:id`, ({ request, params }) => {
        asked.push(`${params.id} ${request.headers.get("Authorization")}`);
        return new HttpResponse(new Uint8Array([1, 2, 3]), { headers: { "Content-Type": "image/jpeg" } });
      }),
    );
    useStore.getState().put(profileSource, { ...account, avatar: "/api/v1/files/a1" });
    show(
      <>
        <MyAvatar />
        <MyAvatar />
      </>,
    );
    expect(document.querySelectorAll('[data-initials="AO"]')).toHaveLength(2);
    await waitFor(() => expect(document.querySelectorAll("[data-picture]")).toHaveLength(2));
    expect(document.querySelector("[data-picture]")?.getAttribute("src")).toMatch(/^data:image\/jpeg/);
    expect(asked).toEqual([`a1 Bearer ${ada.token}`]);
  });

  it("of the wrong kind, too large or broken is refused before it is sent", async () => {
    vi.stubGlobal("createImageBitmap", () => Promise.reject(new Error("broken")));
    await edit();
    const input = document.querySelector<HTMLInputElement>('[data-picker="Change picture"]');
    const choose = (file: File) => fireEvent.change(input as HTMLInputElement, { target: { files: [file] } });
    choose(new File(["x"], "me.pdf", { type: "application/pdf" }));
    expect((await screen.findByRole("alert")).textContent).toMatch(/not a JPEG or PNG/);
    choose(new File(["x"], "me.png", { type: "image/png" }));
    await waitFor(() => expect(screen.getByRole("alert").textContent).toMatch(/cannot be read/));
    vi.unstubAllGlobals();
  });

  it("is taken away by an empty image", async () => {
    const sent: unknown[] = [];
    network.use(
      http.get(`${origin}/api/v1/files/a1`, () => new HttpResponse(new Uint8Array([1]))),
      http.post(`${origin}/api/Account/ChangeAvatar`, async ({ request }) => {
        sent.push(await request.json());
        kept.mine = { ...kept.mine, avatar: undefined };
        return yes(kept.mine);
      }),
    );
    await edit({ avatar: "/api/v1/files/a1" });
    await click("Remove picture");
    await waitFor(() => expect(screen.queryByRole("button", { name: "Remove picture" })).toBeNull());
    expect(sent).toEqual([{ email: ada.email, image: "" }]);
  });
});

describe("leaving with something typed and not saved", () => {
  const frame = (
    <>
      <LeaveGuard />
      <Link to="/elsewhere">away</Link>
      <Outlet />
    </>
  );
  const app = [
    {
      element: frame,
      children: [
        { path: "/dashboard/profile/edit", element: <EditProfile /> },
        { path: "*", element: <p>elsewhere</p> },
      ],
    },
  ];
  const place = () => screen.getByTestId("place").textContent;

  async function type() {
    const { router } = showRoutes(app, "/before");
    await act(() => router.navigate("/dashboard/profile/edit"));
    await screen.findByRole("heading", { name: "Personal" });
    await userEvent.type(field("Last name"), "x");
    await waitFor(() => expect(hasUnsaved()).toBe(true));
    return router;
  }

  async function typed() {
    const router = await type();
    await userEvent.click(screen.getByRole("link", { name: "away" }));
    await screen.findByRole("dialog", { name: "Leave without saving?" });
    return router;
  }

  it("asks first; staying keeps what was typed", async () => {
    await typed();
    await click("Stay here");
    expect(field("Last name").value).toBe("Obix");
    expect(place()).toBe("/dashboard/profile/edit");
  });

  it("asks on the way back too", async () => {
    const router = await type();
    await act(() => router.navigate(-1));
    await screen.findByRole("dialog", { name: "Leave without saving?" });
    expect(place()).toBe("/dashboard/profile/edit");
    await click("Leave without saving");
    await waitFor(() => expect(place()).toBe("/before"));
  });

  it("lets a guard redirect unasked", async () => {
    const router = await type();
    await act(() => router.navigate("/login", { replace: true }));
    await waitFor(() => expect(place()).toBe("/login"));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("goes on once one means it", async () => {
    await typed();
    await click("Leave without saving");
    expect(await screen.findByText("elsewhere")).toBeTruthy();
    expect(hasUnsaved()).toBe(false);
  });

  it("asks nothing when nothing was typed, or within the same screen", async () => {
    await type();
    await userEvent.click(screen.getByRole("link", { name: "Salary & documents" }));
    expect(screen.queryByRole("dialog")).toBeNull();
    await userEvent.type(field("Last name"), "{Backspace}");
    await waitFor(() => expect(hasUnsaved()).toBe(false));
    await userEvent.click(screen.getByRole("link", { name: "away" }));
    expect(await screen.findByText("elsewhere")).toBeTruthy();
  });
});
