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

/** Nothing waits for anybody, unless a test says so: Home asks. */
const nothingWaits = http.get("*/api/v1/agenda", () =>
  HttpResponse.json({ isSuccessful: true, message: "", returnedCode: "OK", returnedObject: [] }),
);

/** Nobody has contributed, unless a test says so: Activity shows the months. */
const noContributions = http.get("*/api/v1/dashboard", () =>
  HttpResponse.json({ isSuccessful: true, message: "", returnedCode: "OK", returnedObject: { dues: [], months: [] } }),
);

/** No witness has signed, and nobody's device watches, unless a test says so. */
const noWitness = [
  http.get("*/api/v1/witness/cosignatures", () =>
    HttpResponse.json({ isSuccessful: true, message: "", returnedCode: "OK", returnedObject: { cosignatures: [] } }),
  ),
  http.get("*/api/v1/witness/keys", () =>
    HttpResponse.json({
      isSuccessful: true,
      message: "",
      returnedCode: "OK",
      returnedObject: { mayWatch: false, keys: [] },
    }),
  ),
];

/** Nobody's device signs what they attest, unless a test says so. */
const noneSigns = http.get("*/api/v1/attest/keys", () =>
  HttpResponse.json({ isSuccessful: true, message: "", returnedCode: "OK", returnedObject: { keys: [] } }),
);

/** The server knows no command yet, unless a test says so: whoever had no answer asks. */
const noCommand = http.get("*/api/v1/commands/:key", () =>
  HttpResponse.json({ isSuccessful: true, message: "", returnedCode: "OK", returnedObject: { state: "UNKNOWN" } }),
);

/** The network, and nothing but the network, is pretended. */
export const network = setupServer(
  noneOpen,
  notFrozen,
  nothingWaits,
  noContributions,
  noneSigns,
  noCommand,
  ...noWitness,
);
