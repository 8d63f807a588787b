import { useLocation } from "react-router";
import { patterns } from "@/lib/paths";
import { Contact } from "./Contact";
import { Faqs } from "./Faqs";
import { Terms } from "./Terms";

/** The terms, the contact and the questions. They are small, so they are fetched together. */
export function Pages() {
  const { pathname } = useLocation();
  if (pathname.startsWith(patterns.terms)) return <Terms />;
  return pathname.startsWith(patterns.contact) ? <Contact /> : <Faqs />;
}
