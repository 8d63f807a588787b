import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";

/** Nothing waits to be paid, unless a test says so: every screen that shows a due asks. */
const noneOpen = http.get("*/api/v1/wallet/open-payments", () =>
  HttpResponse.json({ isSuccessful: true, message: "", returnedCode: "OK", returnedObject: [] }),
);

/** Nobody's money is frozen, unless a test says so: what leaves a wallet asks. */
const notFrozen = http.get("*/api/v1/account/freeze", () =>
  HttpResponse.json({ isSuccessful: true, message: "", returnedCode: "OK", returnedObject: { frozen: false } }),
);

/** Nobody audits anything, unless a test says so: the dashboard asks. */
const auditsNothing = http.get("*/api/v1/audit", () =>
  HttpResponse.json({
    isSuccessful: true,
    message: "",
    returnedCode: "OK",
    returnedObject: { places: [], queues: [], payments: [] },
  }),
);

/** The network, and nothing but the network, is pretended. */
export const network = setupServer(noneOpen, notFrozen, auditsNothing);
