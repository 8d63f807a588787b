export const leaveTexts = {
  title: "Leave without saving?",
  text: "What you typed and did not save is lost.",
  leave: "Leave without saving",
  stay: "Stay here",
};

export const updateTexts = {
  text: "Adashi was updated.",
  inForm: "Finish or leave this form first. Then reload.",
  reload: "Reload",
};
