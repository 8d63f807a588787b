import type { Browser, BrowserContext, Page } from "playwright-core";
import { goes, logIn } from "../browse.mjs";
import { DESKTOP } from "../product.mjs";

export interface Identity {
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  password: string;
}

/** Somebody with a browser window of their own. */
export class Person {
  readonly problems: string[] = [];

  private constructor(
    readonly who: Identity,
    readonly url: string,
    readonly context: BrowserContext,
    readonly page: Page,
  ) {}

  /** They ask for less motion, which a dialog's way in and out would cost time; the story's people see all of it. */
  static async arrive(
    browser: Browser,
    url: string,
    who: Identity,
    viewport = DESKTOP,
    motion = false,
  ): Promise<Person> {
    const context = await browser.newContext({
      viewport,
      baseURL: url,
      timezoneId: "Africa/Lagos",
      locale: "en-NG",
      serviceWorkers: "block", // offline.spec.ts is about them.
      reducedMotion: motion ? "no-preference" : "reduce",
    });
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    const person = new Person(who, url, context, page);
    page.on("pageerror", (error) => person.problems.push(error.message));
    page.on("console", (message) => {
      if (/Content Security Policy|Refused to/i.test(message.text())) person.problems.push(message.text());
    });
    return person;
  }

  /** Begins a session: the first one, or another after the clock was moved and the last one ended. */
  logsIn() {
    return logIn(this.page, this.who);
  }

  /** `page.goto` is for a reload that is meant, for links from elsewhere, and for a screen that must be a fresh one. */
  goes(path: string) {
    return goes(this.page, path);
  }

  get name() {
    return `${this.who.firstName} ${this.who.lastName}`;
  }

  button(name: string | RegExp) {
    return this.page.getByRole("button", { name });
  }

  link(name: string | RegExp) {
    return this.page.getByRole("link", { name });
  }

  /** Waits for a text; where it does not come, the error says what is there in its place. */
  async sees(text: string | RegExp) {
    try {
      await this.page.getByText(text).first().waitFor();
    } catch (error) {
      const there = await this.page.locator("body").ariaSnapshot();
      throw new Error(`${this.page.url()} shows no ${text}, but:\n${there.slice(0, 2000)}`, { cause: error });
    }
  }

  toast(title: "Success" | "Info" | "Error", text: string | RegExp) {
    return this.page.locator("[data-toast]").filter({ hasText: title }).filter({ hasText: text }).first().waitFor();
  }

  at(path: string | RegExp) {
    return this.page.waitForURL((url) => {
      const here = url.pathname + url.search;
      return typeof path === "string" ? here === path : path.test(here);
    });
  }
}
