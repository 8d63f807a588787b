package statement

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mozillazg/go-unidecode"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/text/unicode/norm"
)

// plain is a text in letters that the font has: what is in another script, such as Arabic or Adlam, is written in Latin
// ones, word by word, as a bank writes it.
func plain(text string) string {
	var out, other strings.Builder
	latin := func() {
		out.WriteString(word(other.String()))
		other.Reset()
	}
	for _, r := range norm.NFC.String(text) {
		switch {
		case !drawn(r):
			other.WriteRune(r)
		case unicode.IsMark(r) && other.Len() > 0:
		default:
			latin()
			out.WriteRune(r)
		}
	}
	latin()
	return out.String()
}

// word is a word of another script in Latin letters.
func word(other string) string {
	var out strings.Builder
	for _, r := range other {
		if at := unicode.ToLower(r) - adlamFirst; at >= 0 && int(at) < len(adlam) {
			out.WriteString(adlam[at])
		} else {
			out.WriteString(unidecode.Unidecode(string(r)))
		}
	}
	small := strings.TrimSpace(strings.ToLower(out.String()))
	if small == "" && other != "" {
		return "?" // It is no letter.
	}
	first, size := utf8.DecodeRuneInString(small)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + small[size:]
}

// adlamFirst is the first small letter of Adlam. The Latin letters are those of Pular (Unicode 9.0, chart 1E900).
const adlamFirst = '\U0001E922'

var adlam = strings.Fields("a d l m b s p ɓ r e f i o ɗ ƴ w n k y u j c h q g ñ t ŋ v x gb z kp sh")

// drawn reports whether the font has a glyph of a character.
func drawn(r rune) bool {
	all, err := parsed()
	if err != nil || unicode.IsSpace(r) {
		return true // Whoever draws meets the error.
	}
	var room sfnt.Buffer
	glyph, err := all[regular].GlyphIndex(&room, r)
	return r <= 0xFFFF && err == nil && glyph != 0
}
