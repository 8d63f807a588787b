/** Hooked and stroked letters, which no mark makes out of another, as people write them in their place. */
const plain: Record<string, string> = {
  ɓ: "b",
  ɗ: "d",
  ƙ: "k",
  ƴ: "y",
  ø: "o",
  ł: "l",
  đ: "d",
  ı: "i",
  ŋ: "n",
  æ: "ae",
  œ: "oe",
  ß: "ss",
};

/** A text for searching: small letters without marks and apostrophes. ẸGBẸ́, egbẹ́ and egbe are the same. */
export const folded = (text: string) =>
  text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{Mn}|['’‘ʼʻ`´]/gu, "")
    .replace(/[^\p{ASCII}]/gu, (letter) => plain[letter] ?? letter);
