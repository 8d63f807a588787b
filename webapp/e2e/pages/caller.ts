import type { Browser } from "playwright-core";
import { DESKTOP } from "../product.mjs";
import { Person } from "./person";

type Login = import("../product.mjs").Login;

interface Answer {
  status: number;
  message: string;
  // biome-ignore lint/suspicious/noExplicitAny: each call answers something else, and the test says what it expects.
  object: any;
  text: string;
}

const STALE_LIMIT_MS = 60_000;

/** How far the ledger was when it last answered anybody: what is read after that shows it. */
let seen = 0;

/** Somebody who does by calls what others do at a screen: the crowd round those whose screens are watched. */
export class Caller {
  id = "";
  name = "";
  private headers: Record<string, string> = {};

  private constructor(
    readonly url: string,
    readonly login: Login,
  ) {}

  static async logIn(url: string, login: Login): Promise<Caller> {
    const caller = new Caller(url, login);
    await caller.begin();
    return caller;
  }

  /** Begins a session. */
  private async begin() {
    const { url, login } = this;
    const reply = await fetch(`${url}/api/Account/GetToken`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Session-Binding": "header" },
      body: JSON.stringify(login),
    });
    const { returnedObject: in_, message } = await reply.json();
    if (!reply.ok) throw new Error(`${login.email}: ${message}`);
    this.id = in_.id;
    this.name = `${in_.firstName} ${in_.lastName}`;
    this.headers = { Authorization: `Bearer ${in_.token}`, "X-Session-Secret": in_.sessionSecret };
  }

  /** Asks; where the session has ended since, as when the clock was moved, in a new one. */
  async ask(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await this.send(method, path, body);
    if (answer.status !== 401) return answer;
    await this.begin();
    return this.send(method, path, body);
  }

  /** A read waits a moment for what was written before it, and is asked for again while it is older than that. */
  private async send(method: string, path: string, body?: unknown): Promise<Answer> {
    const late = Date.now() + STALE_LIMIT_MS;
    let reply: Response;
    do {
      reply = await fetch(this.url + path, {
        method,
        headers: { ...this.headers, "Content-Type": "application/json", "X-Min-Position": String(seen) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    } while (method === "GET" && reply.headers.get("X-Stale") && Date.now() < late);
    seen = Math.max(seen, Number(reply.headers.get("X-Position") ?? 0));
    const text = await reply.text();
    const json = reply.headers.get("Content-Type")?.startsWith("application/json") ? JSON.parse(text) : undefined;
    return { status: reply.status, message: json?.message ?? "", object: json?.returnedObject, text };
  }

  /** Asks, and what was asked for is done. */
  async do(method: string, path: string, body?: unknown) {
    const answer = await this.ask(method, path, body);
    if (answer.status !== 200) throw new Error(`${this.name}: ${method} ${path}: ${answer.status} ${answer.message}`);
    return answer.object;
  }

  stepUp() {
    return this.do("POST", "/api/v1/account/step-up", { password: this.login.password });
  }

  /** The same person at a screen. */
  async atScreen(browser: Browser, viewport = DESKTOP): Promise<Person> {
    const [firstName = "", lastName = ""] = this.name.split(" ");
    const person = await Person.arrive(browser, this.url, { firstName, lastName, phone: "", ...this.login }, viewport);
    await person.logsIn();
    return person;
  }
}
