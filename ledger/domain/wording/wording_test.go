package wording_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/domain/wording"
)

func TestLinksAreFoundHoweverTheyAreWritten(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"Claim 50k at http://evil.example", "HTTPS://x", "see hxxp://x", "www.claim", "claim at evil.com now", "bit.ly/abc", "t.me/ada", "mail ada@example.com",
		"evil。com", "evil．com", "evil｡com", "ｅｖｉｌ．ｃｏｍ", "10.0.0.1/claim", "xn--80ak6aa92e", "адаши.рф", "javascript:/x", "adashi.ng", "a.b.co",
	} {
		require.True(t, wording.Links(s), s)
	}
	for _, s := range []string{
		"Balogun Traders", "St. John's parish", "No. 5, Ltd.", "A. B. Okafor & Sons", "₦5,000.00 a month", "Savings 2.0", "Lagos/Abuja", "24/7", "Ẹgbẹ́ Ìfẹ́", "9:30 class", "Mr. O.", "3.5k",
	} {
		require.False(t, wording.Links(s), s)
	}
}

func TestWhatCannotBeSeenIsFoundAndLettersAreComposed(t *testing.T) {
	t.Parallel()
	for _, r := range []rune{'\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u202e', '\u2066', '\u200f', '\u061c', '\u180e', '\u3164', '\u115f', '\u034f', '\u2800', '\U000e0041', '\x00', '\u2028', '\ue000'} {
		require.True(t, wording.Unseen("Balogun"+string(r)+" Traders"), "%U", r)
	}
	for _, s := range []string{"Balogun Traders", "Ẹgbẹ́", "Savings ₦ 🎉", "日本"} {
		require.False(t, wording.Unseen(s), s)
	}
	require.Equal(t, "Café club", wording.Clean("  Cafe\u0301   club "))
	require.Equal(t, "❤ savings", wording.Clean("❤\ufe0f savings"))
	require.Equal(t, "Balogun Traders", wording.Clean("Balogun\u00a0\u2003Traders"))
}

func TestNamesThatLookAlikeHaveTheSameLooks(t *testing.T) {
	t.Parallel()
	for _, other := range []string{"balogun traders", "Balogun-Traders", "Bаlogun Trаders", "Ba1ogun Traders", "BALOGUN TRADERS", "Balоgun Tradeгѕ", "Bálogun Traders", "Ｂalogun Traders", "Βalogun Traders", "Balo gun Traders."} {
		require.Equal(t, wording.Looks("Balogun Traders"), wording.Looks(other), other)
	}
	require.Equal(t, wording.Looks("Modern savers"), wording.Looks("Modem savers"))
	for _, other := range []string{"Balogun Trader", "Balogun Traders 2", "Bodija Traders"} {
		require.NotEqual(t, wording.Looks("Balogun Traders"), wording.Looks(other), other)
	}
}
