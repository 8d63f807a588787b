import type { Session } from "@/store/sessionSlice";
import { useStore } from "@/store/store";
import { ada } from "./help";

/** Who uses the same phone after Ada. */
export const bola: Session = {
  ...ada,
  token: "token-of-bola",
  id: "person-bola",
  firstName: "Bola",
  lastName: "Eze",
  email: "bola@example.com",
};

/** Ada logs out, and Bola logs in. */
export function bolaComes() {
  useStore.getState().leave("logout");
  useStore.getState().begin({ session: bola, authenticated: true });
}
