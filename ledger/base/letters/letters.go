// Package letters compares names and texts regardless of case, accents and special letters.
package letters

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// plain maps letters that are not a base letter with a mark to the ones that people write in their place: the hooked
// letters of Hausa, and those of names from elsewhere.
var plain = strings.NewReplacer(
	"ɓ", "b", "ɗ", "d", "ƙ", "k", "ƴ", "y", "ø", "o", "ł", "l", "đ", "d", "ð", "d", "ħ", "h", "ŧ", "t", "ı", "i", "ɛ", "e", "ɔ", "o", "ŋ", "n",
	"æ", "ae", "œ", "oe", "ß", "ss", "þ", "th",
	// Apostrophes, some of which Unicode counts as letters. Hausa writes 'y for ƴ too.
	"'", "", "’", "", "‘", "", "ʼ", "", "ʻ", "", "ʾ", "", "ʿ", "", "`", "", "´", "", "＇", "",
)

// Folded is a text for comparing and searching: small letters without marks and apostrophes, hooked and stroked ones as
// their plain ones. ẸGBẸ́, egbẹ́ and egbe are the same.
func Folded(text string) string {
	var out strings.Builder
	for _, r := range norm.NFKD.String(plain.Replace(strings.ToLower(norm.NFC.String(text)))) {
		if !unicode.Is(unicode.Mn, r) {
			out.WriteRune(r)
		}
	}
	return plain.Replace(out.String())
}
