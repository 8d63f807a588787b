/** Sentences about a try without an answer, beside those of moneyTexts. They come with the screens that pay. */
export const outcomeTexts = {
  /** In place of a button, where the same is asked for once more. */
  again: "No clear answer came. Look whether it went through. If you ask for the same again, it is done only once.",
  title: "An earlier try has no answer yet",
  text: "It may have gone through: look at your activity first. If you enter the same details again, we ask about that very one and you are not charged twice.",
  askedFirst:
    "Nothing was sent now. An earlier try has no answer yet, and it had other details. We are asking what became of it: wait a minute, then try again.",
  noRoom:
    "Your device has no room left, so we cannot keep what makes sure that this is done only once. Nothing was sent. Make some room, then try again.",
  passText:
    "We already have a try of yours with other details, or something changed meanwhile. Look at your activity: if it is not there, start a new one.",
  pass: "Start a new one",
  wentThroughTitle: "An earlier try of yours went through",
  wentThrough: (taken?: string) => `${taken ? `${taken} left your wallet. ` : ""}There is no need to do it again.`,
  wasRefused: (why: string) => `Your earlier try was refused: ${why}`,
  partly: "Your earlier try may have been done in part. Look at the list, and do what is missing again.",
  neverCame: "Your earlier try never reached us, so nothing was done. You can do it now.",
} as const;
