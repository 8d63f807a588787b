// Package wording judges what people call things, before others read it in letters and lists: no links, nothing that
// cannot be seen, and one way to write each letter.
package wording

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Clean composes letters, joins spaces and leaves out what only says how the character before it is drawn.
func Clean(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Variation_Selector, r) {
			return -1
		}
		return r
	}, s)
	return strings.Join(strings.Fields(norm.NFC.String(s)), " ")
}

// Unseen reports a text with a character that cannot be seen: a control, one that formats or turns the reading
// direction, or one that is as good as nothing.
func Unseen(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return r == unicode.ReplacementChar || r == brailleBlank ||
			unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point)
	})
}

// marksMost is how many marks one letter carries: Yoruba needs two, and vowelled Arabic three.
const marksMost = 4

// Stacked reports a letter with more marks than any language writes, which run over the lines around it.
func Stacked(s string) bool {
	marks := 0
	for _, r := range norm.NFD.String(s) {
		if marks++; !unicode.IsMark(r) {
			marks = 0
		}
		if marks > marksMost {
			return true
		}
	}
	return false
}

const brailleBlank = '\u2800'

// dots are what browsers take for the dot of an address.
var dots = strings.NewReplacer("。", ".", "．", ".", "｡", ".", "․", ".")

// link is a scheme, or a domain or number that mail programs make a link of by themselves.
var link = regexp.MustCompile(`(?i)[a-z][a-z0-9+.-]*:/|\bwww\.|[\p{L}\p{N}_-]\.\p{L}\p{M}*\p{L}|\b\d{1,3}(\.\d{1,3}){3}\b|\bxn--`)

// Links reports a text with a web or mail address in it, or with what may be taken for one.
func Links(s string) bool { return link.MatchString(norm.NFKC.String(dots.Replace(s))) }

// Looks is what a name looks like at a glance: two names with the same looks are easily taken for each other. It is for
// comparing alone.
func Looks(name string) string {
	var out strings.Builder
	for _, r := range strings.ToLower(capitals.Replace(norm.NFKD.String(name))) {
		if alike, known := homoglyphs[r]; known {
			r = alike
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			out.WriteRune(r)
		}
	}
	return pairs.Replace(out.String())
}

var (
	// capitals look like others than their small letters do.
	capitals = strings.NewReplacer("Ν", "n", "Υ", "y", "Μ", "m")
	pairs    = strings.NewReplacer("rn", "m", "vv", "w")
)

// homoglyphs are characters that look like a Latin letter, in lower case and without marks, and which.
var homoglyphs = func() map[rune]rune {
	of := map[rune]rune{}
	for latin, others := range map[rune]string{
		'a': "аαɑ@", 'b': "ьвβ", 'c': "сϲ", 'd': "ԁɗ", 'e': "еєεɛ", 'g': "ɡ", 'h': "нһη", 'i': "іιıɩ1l|!íӏ", 'j': "јϳ", 'k': "кκƙ", 'm': "мϻ",
		'n': "пռ", 'o': "оοσ0օө", 'p': "рρ", 'q': "ԛ", 'r': "гɾ", 's': "ѕ5$", 't': "тτ", 'u': "υսᴜ", 'v': "νѵ", 'w': "шԝω", 'x': "хχ", 'y': "уγүʏƴ", 'z': "ᴢ2",
	} {
		for _, other := range others {
			of[other] = latin
		}
	}
	return of
}()
