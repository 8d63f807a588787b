import { setupServer } from "msw/node";

/** The network, and nothing but the network, is pretended. */
export const network = setupServer();
