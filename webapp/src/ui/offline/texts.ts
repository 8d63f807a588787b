export const offlineTexts = {
  asOf: (when: string, event?: string) => `As of ${when}${event ? `, event ${event}` : ""}`,
  title: "You are offline.",
  text: "You see what we read last. Nothing is sent until you are back.",
  noPay: "You are offline. You can pay once you are back: nothing is sent later by itself.",
};
